/** A writeOnly member is not missed in a response, and is reported where a response shows it. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verify } from '../../../../contracts/verify/verify.ts';
import type { Json } from '../../../../core/json.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';
import { fakeTarget } from '../../../helpers/engine.ts';
import { createDirectMock, serveText } from '../../../helpers/served.ts';

const text = readFileSync(new URL('../../../helpers/contracts/users.openapi.yaml', import.meta.url), 'utf8');

async function violations(body: Json): Promise<readonly string[]> {
  const { result } = verify({
    contract: await loadText(text),
    target: 'http://target.example',
    connect: () => fakeTarget(() => ({ body })),
  });
  return (await result).checks.flatMap(({ rule, verdict, message }) => (verdict === 'violated' ? [`${rule}: ${message}`] : []));
}

describe('a server whose responses', () => {
  it('lack the writeOnly member is right', async () => {
    expect(await violations([{ id: 7, name: 'Ann' }])).toEqual([]);
  });

  it('show it breaks one rule of its own, and the value is not printed', async () => {
    expect(await violations([{ id: 7, name: 'Ann', password: 'x' }])).toEqual([
      'response/write-only: the body shows [0].password, which is writeOnly',
    ]);
  });
});

describe('the mock', () => {
  it('accepts a request without the readOnly member, and answers without the writeOnly one', async () => {
    const mock = createDirectMock([await serveText(text)]);
    const headers = { 'content-type': 'application/json' };
    const response = await mock.respond({ method: 'POST', target: '/api/users', headers, body: '{"name":"Bo","password":"x"}' });
    expect([response.status, JSON.parse(response.body)]).toEqual([201, { id: 7, name: 'Ann' }]);
  });
});
