/** OPTIONS and hosts over HTTP: what a path answers, and who is asked. */

import { afterAll, describe, expect, it } from 'vitest';
import { ask } from '../../helpers/client.ts';
import { startJudgedMock } from '../../helpers/mock.ts';

const mock = await startJudgedMock();
afterAll(() => mock.close());

const orders = '/api/integrations/v1/orders/index.php';

async function send(method: string, path: string): Promise<{ status: number; allow: unknown }> {
  const reply = await ask(mock, path, {}, method);
  return { status: reply.status, allow: reply.headers['allow'] };
}

describe('OPTIONS', () => {
  it('names the methods of a path', async () => {
    expect(await send('OPTIONS', orders)).toEqual({ status: 204, allow: 'GET, HEAD, OPTIONS' });
  });

  it('is 404 where no path is, as every other method there', async () => {
    expect((await send('OPTIONS', '/nope')).status).toBe(404);
    expect((await send('GET', '/nope')).status).toBe(404);
  });
});

describe('a generated answer', () => {
  it('is the same each time, in each mock', async () => {
    const other = await startJudgedMock();
    const read = async (url: string): Promise<string> => (await fetch(`${url}${orders}`, { headers: { Prefer: 'dynamic=true' } })).text();
    const bodies = [await read(mock.url), await read(mock.url), await read(other.url)];
    await other.close();
    expect(new Set(bodies).size).toBe(1);
  });
});
