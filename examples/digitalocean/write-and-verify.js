/** Serves the DigitalOcean example, writes a volume and reads it again, verifies the mock against the contract, and prints what happened. */

import { fileURLToPath } from 'node:url';
import { startMock } from 'touchstone/mock';
import { verify } from 'touchstone/verify';

const contract = fileURLToPath(new URL('digitalocean.overlay.yaml', import.meta.url));
// More records than the default page size of 20, so that every rule about pages can be checked.
const mock = await startMock({ contracts: [contract], fixedKeys: true, sizes: { droplets: 25, volumes: 25, keys: 25 } });
const { full = '', expired = '' } = mock.keys;

/** @type {(method: string, path: string, body?: object) => Promise<any>} */
const send = async (method, path, body) => {
  const headers = { authorization: `Bearer ${full}`, 'content-type': 'application/json' };
  const response = await fetch(`${mock.url}${path}`, { method, headers, body: JSON.stringify(body) });
  process.stdout.write(`${response.status} ${method} ${path}\n`);
  return await response.json().catch(() => undefined);
};
const { volume } = await send('POST', '/v2/volumes', { name: 'backups', size_gigabytes: 10, region: 'fra1' });
await send('GET', `/v2/volumes/${volume.id}`);
await send('GET', '/v2/volumes?name=backups');
await send('DELETE', `/v2/volumes/${volume.id}`);
await send('GET', `/v2/volumes/${volume.id}`);

const keys = { full: { variable: 'DIGITALOCEAN_TOKEN', value: full }, expired: { variable: 'EXPIRED_TOKEN', value: expired } };
const { checks, verdict } = await verify({ contract, target: mock.url, keys }).result;
for (const check of checks) process.stdout.write(`${check.verdict.padEnd(14)} ${check.rule} at ${check.operation} ${check.message}\n`);
process.stdout.write(`The mock of DigitalOcean: ${verdict}\n`);
await mock.close();
process.exitCode = verdict === 'holds' ? 0 : 1;
