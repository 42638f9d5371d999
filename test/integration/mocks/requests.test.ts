/** Whole requests: the mock answers every one that its contracts allow, and refuses every one that breaks a rule, as they document it. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { resolveContract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Profile } from '../../../core/profile.ts';
import { contractFile } from '../../../core/shipped.ts';
import { badRequestFor } from '../../../generators/request/bad-request.ts';
import { expectSuccess, isExpected } from '../../../generators/request/expectation.ts';
import type { GeneratedRequest, RequestOptions } from '../../../generators/request/generated-request.ts';
import { requestFor } from '../../../generators/request/request.ts';
import { ask } from '../../helpers/client.ts';
import { openContract } from '../../helpers/judge.ts';
import { type JudgedMock, startJudgedMock } from '../../helpers/mock.ts';
import { business, recordsOf, target, wiki, withKey } from '../../helpers/targets.ts';

vi.setConfig({ testTimeout: 20_000 });

/** Values that the mock knows, read from it as any client would. */
async function knownTo(mock: JudgedMock, operation: Operation): Promise<Readonly<Record<string, readonly Json[]>>> {
  const read = async (path: string, query: Readonly<Record<string, number>>): ReturnType<typeof ask> =>
    ask(mock, target(path, query), withKey(mock.keys['full']));
  const valuesOf = async (list: string, items: string, field: string): Promise<readonly Json[]> =>
    recordsOf(await read(list, { limit: 20 }), items).map((record) => record[field] ?? null);
  const tagOf = async (path: string, query: Readonly<Record<string, number>>): Promise<string> =>
    (await read(path, query)).headers.etag ?? '';
  const cursorsOf = async (list: string): Promise<readonly Json[]> =>
    Promise.all([1, 3].map(async (limit) => (await read(list, { limit })).at('/data/page/next_cursor') ?? null));
  const { path } = operation;
  if (path === business.orders || path === business.reservations) return { cursor: await cursorsOf(path) };
  if (path === business.menu) return { 'If-None-Match': [await tagOf(path, {})] };
  if (path === `${wiki}/{slug}`) return { slug: await valuesOf(wiki, '/data', 'slug') };
  if (path !== business.order && path !== business.reservation) return {};
  const isOrder = path === business.order;
  const [list, items] = isOrder ? [business.orders, '/data/orders'] : [business.reservations, '/data/reservations'];
  const id = await valuesOf(list, items, 'id');
  const tags = await Promise.all(id.slice(0, 3).map((each) => tagOf(path, { id: Number(each) })));
  return { id, 'If-None-Match': tags, ...(isOrder ? { code: await valuesOf(list, items, 'code') } : {}) };
}

async function optionsFor(mock: JudgedMock, operation: Operation): Promise<RequestOptions> {
  return { known: await knownTo(mock, operation), keys: () => mock.keys['full'] };
}

async function statusOf(mock: JudgedMock, request: GeneratedRequest): Promise<number> {
  const reply = await ask(mock, request.target, request.headers, request.method, request.body);
  return reply.status;
}

/** Which statuses an operation has to show when only allowed requests are sent: the control that not everything is 404. */
function successesSeen(operation: Operation): readonly number[] {
  const isNamed = operation.parameters.some(({ name }) => ['id', 'slug'].includes(name));
  return [200, ...(operation.responses.has('304') ? [304] : []), ...(isNamed ? [404] : [])];
}

const written = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));

describe.each(written.flatMap((contract) => resolveContract(contract).operations))('$id', (operation) => {
  it('answers every request that its contract allows with a documented success, or with 404', async () => {
    await using mock = await startJudgedMock();
    const seen = new Set<number>();
    const requests = requestFor(operation, await optionsFor(mock, operation));
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const status = await statusOf(mock, request);
        seen.add(status);
        expect(isExpected(expectSuccess(operation, request), status), `status ${status}`).toBe(true);
      }),
      { seed: 1, numRuns: 100 },
    );
    expect([...seen].sort()).toEqual(successesSeen(operation));
  });

  it('answers every request that breaks a rule of its contract as documented', async () => {
    await using mock = await startJudgedMock();
    const rules = new Set<string>();
    const requests = badRequestFor(operation, await optionsFor(mock, operation));
    await fc.assert(
      fc.asyncProperty(requests, async ({ request, rule, expect: expected }) => {
        const status = await statusOf(mock, request);
        rules.add(rule);
        expect(isExpected(expected, status), `status ${status}`).toBe(true);
      }),
      { seed: 2, numRuns: 120 },
    );
    expect(rules.size).toBeGreaterThanOrEqual(operation.parameters.length > 1 ? 8 : 2);
  });
});

/** The list operations of a contract that is closed by a profile. */
function listsOf(profile: Profile): readonly Operation[] {
  return written
    .filter(({ questions }) => Object.keys(profile).every((question) => questions.has(question)))
    .flatMap((contract) => resolveContract(contract, profile).operations)
    .filter(({ collection }) => collection !== undefined);
}

/** Sends bad requests and tells how often the answer is not the documented one. */
async function countSurprises(server: JudgedMock, operation: Operation): Promise<number> {
  const requests = fc.sample(badRequestFor(operation, { keys: () => server.keys['full'] }), { seed: 3, numRuns: 60 });
  const statuses = await Promise.all(requests.map(({ request }) => statusOf(server, request)));
  return requests.filter((bad, index) => !isExpected(bad.expect, statuses[index] ?? 0)).length;
}

describe.each<{ readonly profile: Profile }>([
  { profile: { 'sloppy-values': 'accepted', precedence: 'query-first' } },
  { profile: { 'sloppy-values': 'ignored' } },
  { profile: { 'bad-parameters': 'ignored', 'page-beyond': 'invalid' } },
  { profile: { 'bad-parameters': 'clamped', 'page-beyond': 'absent' } },
])('under the profile $profile', ({ profile }) => {
  it('bad requests to lists are answered as that profile says', async () => {
    await using server = await startJudgedMock({ profile });
    for (const operation of listsOf(profile)) expect(await countSurprises(server, operation), operation.id).toBe(0);
  });

  it('a mock that answers by another profile is found out', async () => {
    await using mock = await startJudgedMock();
    for (const operation of listsOf(profile)) expect(await countSurprises(mock, operation), operation.id).toBeGreaterThan(0);
  });
});
