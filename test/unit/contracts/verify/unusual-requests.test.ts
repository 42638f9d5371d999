/** What a URL or a header cannot contain is encoded, or not sent; it ends no run. */

import { expect, it } from 'vitest';
import { verify } from '../../../../contracts/verify/verify.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';
import { fakeTarget } from '../../../helpers/engine.ts';

it('encodes the path, and leaves out an operation whose header cannot be sent', async () => {
  const contract = await loadText(`openapi: 3.0.3
info: { title: t, version: '1' }
paths:
  /spa ce/café: { get: { operationId: encoded, responses: { '200': { description: x } } } }
  /snow:
    get:
      operationId: unsendable
      parameters: [{ name: X-Sign, in: header, required: true, schema: { type: string }, example: 'é☃' }]
      responses: { '200': { description: x } }`);
  const target = fakeTarget(() => ({ body: {} }));
  const { checks, exitCode } = await verify({ contract, target: 'http://target.example', connect: () => target }).result;
  const targets = target.requests.filter(({ headers }) => headers['x-sign'] === undefined).map((request) => request.target);
  expect(targets).toContain('/spa%20ce/caf%C3%A9');
  expect(target.requests.map(({ headers }) => headers['x-sign'])).not.toContain('é☃');
  expect(checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(exitCode).not.toBe(3);
});
