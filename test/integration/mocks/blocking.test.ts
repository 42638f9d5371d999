/** No request holds the event loop for more than 50 ms, so that no client keeps others waiting. */

import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { startMeasuredMock } from '../../helpers/hostile/measured-mock.ts';

const mock = await startMeasuredMock();
afterAll(() => mock.close());

const orders = '/api/integrations/v1/orders/index.php';
const wiki = '/api/v1/wiki';

/** Sends a request on a connection of its own. Resolves to the status of the response. */
function ask(target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(mock.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', reject).on('close', () => resolve(Number(text.slice(9, 12))));
    socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nx-service-api-key: ${mock.keys['full']}\r\nconnection: close\r\n\r\n`);
  });
}

describe('a request', () => {
  it.each([
    ['many broken escapes', `${orders}?${'%'.repeat(30_000)}`, 200],
    ['many names that are broken escapes', `${orders}?${'%&'.repeat(15_000)}`, 422],
    ['many names that are not UTF-8', `${orders}?${'%ff&'.repeat(15_000)}`, 422],
    ['many parameters', `${orders}?${'a&'.repeat(30_000)}`, 422],
    ['a parameter many times', `${orders}?${'status=pending&'.repeat(4000)}`, 422],
    ['a list of empty members', `${orders}?status=${','.repeat(64_000)}`, 422],
    ['a long list', `${orders}?status=${'pending,'.repeat(7000)}`, 422],
    ['a long number', `${orders}?limit=${'1'.repeat(60_000)}`, 422],
    ['a long date', `${orders}?updated_after=${'1'.repeat(60_000)}`, 422],
    ['a long cursor', `${orders}?cursor=${'a'.repeat(60_000)}`, 422],
    ['a long search of broken escapes', `${wiki}?q=${'%'.repeat(30_000)}`, 400],
    ['many parameters of the wiki', `${wiki}?${'type=arma&'.repeat(6000)}`, 400],
    ['a long key of a record', `${wiki}/${'%'.repeat(30_000)}`, 400],
    ['a path of many segments', `${wiki}/${'a/'.repeat(30_000)}`, 404],
  ])('with %s is answered in time', async (_title, target, status) => {
    // The first try loads and compiles what it needs.
    expect(await ask(target)).toBe(status);
    await mock.measure();
    expect(await ask(target)).toBe(status);
    expect((await mock.measure()).blockMs).toBeLessThan(50);
  });
});
