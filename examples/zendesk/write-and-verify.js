/** Serves the Zendesk example, writes a user and reads it again, verifies the mock against the contract, and prints what happened. */

import { fileURLToPath } from 'node:url';
import { startMock } from 'touchstone/mock';
import { verify } from 'touchstone/verify';

const contract = fileURLToPath(new URL('zendesk.overlay.yaml', import.meta.url));
// More records than the default page size of 100, so that every rule about pages can be checked.
const mock = await startMock({ contracts: [contract], fixedKeys: true, sizes: { tickets: 110, users: 110 } });
const { full = '', expired = '' } = mock.keys;

const authorization = `Basic ${Buffer.from(`ada@example.com/token:${full}`).toString('base64')}`;
/** @type {(method: string, path: string, body?: object) => Promise<any>} */
const send = async (method, path, body) => {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${mock.url}${path}`, { method, headers, body: JSON.stringify(body) });
  process.stdout.write(`${response.status} ${method} ${path}\n`);
  return await response.json().catch(() => undefined);
};
const { user } = await send('POST', '/api/v2/users', { user: { name: 'Ada Lovelace', role: 'agent' } });
await send('GET', `/api/v2/users/${user.id}`);
await send('PUT', `/api/v2/users/${user.id}`, { user: { role: 'admin' } });
await send('DELETE', `/api/v2/users/${user.id}`);
await send('GET', `/api/v2/users/${user.id}`);

const keys = { full: { variable: 'ZENDESK_TOKEN', value: full }, expired: { variable: 'ZENDESK_EXPIRED_TOKEN', value: expired } };
const { checks, verdict } = await verify({ contract, target: mock.url, keys }).result;
for (const check of checks) process.stdout.write(`${check.verdict.padEnd(14)} ${check.rule} at ${check.operation} ${check.message}\n`);
process.stdout.write(`The mock of Zendesk: ${verdict}\n`);
await mock.close();
process.exitCode = verdict === 'holds' ? 0 : 1;
