/** A file without any annotation: its examples answer, and its keys and parameters are looked at all the same. */

import { afterAll, describe, expect, it } from 'vitest';
import { ask } from '../../helpers/client.ts';
import { fixture, startJudgedMock } from '../../helpers/mock.ts';

describe('a file without annotations', async () => {
  const mock = await startJudgedMock({ contracts: [fixture('plain')] });
  afterAll(() => mock.close());

  it('is answered with its first example, or with what its schema suggests', async () => {
    expect((await ask(mock, '/greeting')).at()).toEqual({ text: 'Good morning' });
    const room = (await ask(mock, '/rooms/7')).at();
    expect(room).toEqual({ seats: expect.any(Number), name: expect.any(String) });
    expect((await ask(mock, '/rooms/7')).at()).toEqual(room);
  });

  it.each(['text/html', 'application/xml', 'application/json;q=0', 'garbage', '*/*', ''])(
    'has nothing but JSON, and disregards Accept: %s (RFC 9110 §12.5.1)',
    async (accept) => {
      expect((await ask(mock, '/greeting', { accept })).at()).toEqual({ text: 'Good morning' });
      expect((await ask(mock, '/rooms/7', { accept })).status).toBe(200);
      expect((await ask(mock, '/greeting', { accept, prefer: 'code=503' })).status).toBe(503);
    },
  );

  it('gives any example that is asked for', async () => {
    expect((await ask(mock, '/greeting', { prefer: 'example=evening' })).at()).toEqual({ text: 'Good evening' });
    expect(await ask(mock, '/greeting', { prefer: 'code=503' })).toMatchObject({ status: 503, text: '{"reason":"asleep"}' });
  });

  it('has keys where its operations ask for some, and no hidden records', () => {
    expect(Object.keys(mock.keys)).toEqual(['full', 'expired', 'without:open']);
    expect(mock.hiddenSlugs).toEqual([]);
  });

  it('refuses a wrong parameter where it documents how, in the documented shape', async () => {
    const reply = await ask(mock, '/rooms/attic');
    expect(reply.status).toBe(400);
    expect(reply.at()).toEqual({ why: expect.any(String) });
  });

  it('looks at the key and at its scope, and answers in the documented shape', async () => {
    const statuses = [];
    for (const role of ['full', 'expired', 'without:open', 'nobody']) {
      const reply = await ask(mock, '/vault?shelf=1', { 'x-key': mock.keys[role] ?? 'wrong' });
      statuses.push(reply.status);
      if (reply.status !== 200) expect(reply.at()).toEqual({ why: expect.any(String) });
    }
    expect(statuses).toEqual([200, 401, 403, 401]);
    expect((await ask(mock, '/vault?shelf=1')).headers['www-authenticate']).toMatch(/^ApiKey /);
  });

  it('answers a wrong parameter where no refusal is documented', async () => {
    expect((await ask(mock, '/vault?shelf=upper', { 'x-key': mock.keys['full'] ?? '' })).status).toBe(200);
  });

  it('answers what it does not have with a failure in JSON', async () => {
    for (const [path, method, status] of [
      ['/none', 'GET', 404],
      ['/greeting', 'POST', 405],
    ] as const) {
      const reply = await ask(mock, path, {}, method);
      expect(reply.status).toBe(status);
      expect(reply.at('/error/code')).toEqual(expect.any(String));
    }
  });
});
