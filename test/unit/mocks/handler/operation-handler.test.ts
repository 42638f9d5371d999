/** Behaviour of an operation: conditional reads, tenancy, lenient and ignored values. */

import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../../core/annotations/apply-profile.ts';
import { strongTag } from '../../../../mocks/handler/entity-tag.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import type { Fields } from '../../../helpers/plain-client.ts';
import { business, wiki } from '../../../helpers/request-targets.ts';
import { createDirectMock, type DirectMock, serveApi } from '../../../helpers/served.ts';

interface Stage {
  readonly mock: DirectMock;
  readonly key: (role: string) => Fields;
}

const stages = new Map<string, Stage>();

/** A mock with a profile. Tests share it, since their requests do not change it. */
async function stage(name: string, profile: Profile = {}): Promise<Stage> {
  const key = JSON.stringify([name, profile]);
  const found = stages.get(key) ?? (await createStage(name, profile));
  stages.set(key, found);
  return found;
}

async function createStage(name: string, profile: Profile): Promise<Stage> {
  const api = await serveApi(name, { profile });
  return { mock: createDirectMock([api]), key: (role) => ({ 'x-service-api-key': api.keys.byRole.get(role) ?? '' }) };
}

describe('a conditional read', async () => {
  const { mock, key } = await stage('business');
  const reads = [business.menu, `${business.order}?id=4711`, `${business.reservation}?id=9021`];

  it.each(reads)('%s has a tag that depends on its body only', async (target) => {
    const [first, second] = [await mock.get(target, key('full')), await mock.get(target, key('full'))];
    expect(first.status).toBe(200);
    expect(first.headers.etag).toBe(strongTag(first.text));
    expect(second.headers.etag).toBe(first.headers.etag);
  });

  it.each(reads)('%s is answered with 304, the tag and no body if If-None-Match has the tag', async (target) => {
    const etag = String((await mock.get(target, key('full'))).headers.etag);
    for (const field of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
      const reply = await mock.get(target, { ...key('full'), 'if-none-match': field });
      expect(reply).toMatchObject({ status: 304, text: '', headers: { etag } });
    }
    for (const field of ['"x"', '', etag.replaceAll('"', ''), `${etag} ${etag}`]) {
      expect((await mock.get(target, { ...key('full'), 'if-none-match': field })).status).toBe(200);
    }
  });

  it('has the same tag for an order by id and by code', async () => {
    const replies = [
      await mock.get(`${business.order}?id=4711`, key('full')),
      await mock.get(`${business.order}?code=TDN-4711`, key('full')),
    ];
    expect(new Set(replies.map((reply) => reply.headers.etag)).size).toBe(1);
  });

  it('does not exist for a list, a manifest and an identity, which document no 304', async () => {
    for (const target of [business.orders, business.reservations, business.manifest, business.identity]) {
      const reply = await mock.get(target, { ...key('full'), 'if-none-match': '*' });
      expect(reply.status).toBe(200);
      expect(reply.headers).not.toHaveProperty('etag');
    }
  });
});

describe('a record of another tenant', async () => {
  const { mock, key } = await stage('business');

  it('is answered like a record that does not exist', async () => {
    for (const [mine, missing] of [
      [`${business.order}?id=4711`, `${business.order}?id=4712`],
      [`${business.order}?code=TDN-4711`, `${business.order}?code=TDN-4712`],
      [`${business.reservation}?id=9021`, `${business.reservation}?id=9022`],
    ] as const) {
      expect((await mock.get(mine, key('full'))).status).toBe(200);
      const [foreign, absent] = [await mock.get(mine, key('other')), await mock.get(missing, key('other'))];
      const anonymous = (text: string): string => text.replace(/request-\d+/, 'request');
      expect([foreign.status, anonymous(foreign.text), foreign.headers]).toEqual([404, anonymous(absent.text), absent.headers]);
    }
  });

  it('is in no list', async () => {
    expect((await mock.get(business.orders, key('other'))).at('/data/orders')).toEqual([]);
    expect((await mock.get(business.orders, key('full'))).at('/data/orders/0/id')).toBe(4711);
  });

  it('is not reachable by a cursor of its tenant', async () => {
    const cursor = String((await mock.get(`${business.orders}?limit=1`, key('full'))).at('/data/page/next_cursor'));
    expect((await mock.get(`${business.orders}?cursor=${cursor}`, key('full'))).status).toBe(200);
    expect((await mock.get(`${business.orders}?cursor=${cursor}`, key('other'))).status).toBe(422);
    expect((await mock.get(`${business.reservations}?cursor=${cursor}`, key('full'))).status).toBe(422);
  });
});

describe('a rule about several parameters', () => {
  it('requires exactly one of id and code', async () => {
    const { mock, key } = await stage('business');
    const statusOf = async (query: string): Promise<number> => (await mock.get(business.order + query, key('full'))).status;
    expect([
      await statusOf(''),
      await statusOf('?id=4711&code=TDN-4711'),
      await statusOf('?id=4711'),
      await statusOf('?code=TDN-4711'),
    ]).toEqual([422, 422, 200, 200]);
  });

  it('requires dates in order; the same day twice is one day', async () => {
    const { mock, key } = await stage('business');
    const idsOf = async (from: string, to: string): Promise<unknown> => {
      const reply = await mock.get(`${business.reservations}?date_from=${from}&date_to=${to}`, key('full'));
      return reply.status === 200
        ? (reply.at('/data/reservations') as readonly { readonly id: number }[]).map(({ id }) => id)
        : reply.status;
    };
    expect(await idsOf('2026-10-11', '2026-10-10')).toBe(422);
    expect(await idsOf('2026-10-10', '2026-10-10')).toEqual([9021]);
    expect(await idsOf('2026-10-10', '2026-10-11')).toEqual([9021, 9018]);
    expect(await idsOf('2026-10-12', '2026-10-12')).toEqual([]);
  });

  it('applies to malformed values that are accepted', async () => {
    const { mock, key } = await stage('business', { 'sloppy-values': 'accepted' });
    expect((await mock.get(`${business.order}?id=04711`, key('full'))).status).toBe(200);
    expect((await mock.get(`${business.order}?id=04711&code=TDN-4711`, key('full'))).status).toBe(422);
  });

  it('treats an ignored value as missing, also for a required parameter', async () => {
    const { mock, key } = await stage('business', { 'sloppy-values': 'ignored' });
    expect((await mock.get(`${business.order}?id=04711`, key('full'))).status).toBe(422);
    expect((await mock.get(`${business.order}?id=04711&code=TDN-4711`, key('full'))).status).toBe(200);
    expect((await mock.get(`${business.reservation}?id=09021`, key('full'))).status).toBe(422);
  });
});

describe('malformed values', () => {
  const spellings = [
    'limit=01',
    'limit=%2B1',
    'limit=1.0',
    'limit=%201',
    'limit=1&limit=1',
    'status=READY',
    'status=ready,',
    'status=%20ready',
    'updated_after=2026-10-03',
    'updated_after=2026-10-03T00:00:00',
    'updated_after=2026-10-03T00:00:00+02:00',
    'cursor=',
    'limit=',
  ];

  it.each(spellings)('%s is refused, accepted or ignored by the profile', async (query) => {
    const statuses = [];
    for (const answer of ['refused', 'accepted', 'ignored']) {
      const { mock, key } = await stage('business', { 'sloppy-values': answer });
      statuses.push((await mock.get(`${business.orders}?${query}`, key('full'))).status);
    }
    expect(statuses).toEqual([422, 200, 200]);
  });

  it('are accepted with their obvious meaning', async () => {
    const { mock, key } = await stage('business', { 'sloppy-values': 'accepted' });
    const idsOf = async (query: string): Promise<unknown> => {
      const orders = (await mock.get(`${business.orders}?${query}`, key('full'))).at('/data/orders');
      return (orders as readonly { readonly id: number }[]).map(({ id }) => id);
    };
    expect(await idsOf('limit=01')).toEqual([4711]);
    expect(await idsOf('status=,READY')).toEqual([4711]);
    // 2026-10-03T19:05:12+02:00 and 19:20:41+02:00 are the changes; without an offset a moment is in UTC.
    expect(await idsOf('updated_after=2026-10-03T17:10:00')).toEqual([4711]);
    expect(await idsOf('updated_after=2026-10-03T19:05:12+02:00')).toEqual([4711, 4709]);
    expect(await idsOf('updated_after=2026-10-03')).toEqual([4711, 4709]);
  });

  it('do not change a stated rule: a limit of 101 is refused in any spelling', async () => {
    for (const answer of ['accepted', 'ignored']) {
      const { mock, key } = await stage('business', { 'sloppy-values': answer });
      for (const query of [
        'limit=101',
        'limit=0101',
        'limit=0',
        'limit=-1',
        'limit=abc',
        'status=unknown',
        'updated_after=2026-02-30T00:00:00Z',
      ]) {
        expect([query, (await mock.get(`${business.orders}?${query}`, key('full'))).status]).toEqual([query, 422]);
      }
    }
  });
});

describe('a number that is too large', () => {
  const huge = '9'.repeat(400);

  it.each(['refused', 'ignored', 'clamped'])('leads to a valid answer where bad parameters are %s', async (answer) => {
    const { mock } = await stage('wiki', { 'bad-parameters': answer, 'largest-limit': 'none' });
    for (const query of [`page=${huge}`, `limit=${huge}`, `limit=-${huge}`, `page=1e999`, `limit=${2 ** 53}`]) {
      expect([400, 200]).toContain((await mock.get(`${wiki}?${query}`)).status);
    }
  });

  it('matches no order', async () => {
    const { mock, key } = await stage('business', { 'sloppy-values': 'accepted' });
    for (const id of [huge, String(2 ** 53), '9007199254740993'])
      expect((await mock.get(`${business.order}?id=${id}`, key('full'))).status).toBe(404);
  });
});

describe('a template parameter', async () => {
  const { mock } = await stage(fixture('library'));

  it.each([
    ['2', 200],
    ['%32', 200],
    ['02', 200],
    ['9', 404],
    ['0', 400],
    ['-1', 400],
    ['x', 400],
    ['2.5', 400],
    ['%', 400],
  ])('/books/%s is answered with %i', async (segment, status) => {
    expect((await mock.get(`/books/${segment}`)).status).toBe(status);
  });
});
