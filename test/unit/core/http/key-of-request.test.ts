/** A key at each place that a contract can name: written there, it is read back, and a mutant can replace it by that of another role. */

import { describe, expect, it } from 'vitest';
import { keyIn, writeKey } from '../../../../core/http/key-of-request.ts';
import type { Credential } from '../../../../core/openapi/operation.ts';
import { withKeyOf } from '../../../../mocks/mutants/change-exchange.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { serveApi } from '../../../helpers/served.ts';

const carriers: readonly Credential['carrier'][] = [
  { in: 'header', name: 'X-Key' },
  { in: 'query', name: 'api key' },
  { in: 'cookie', name: 'session' },
  { in: 'authorization', word: 'Bearer' },
  { in: 'authorization', word: 'Basic' },
];

describe.each(carriers)('a key in $in $name$word', async (carrier) => {
  const credential: Credential = { scheme: 'key', isToken: false, scopes: [], carrier };
  const api = await serveApi(fixture('parcels'));

  it.each(['a-key', 'a+b%41&c==/'])('is read as it was written: %s', (key) => {
    const { headers, query } = writeKey(credential, key);
    const cookie = headers['cookie'] === undefined ? {} : { cookie: `theme=dark; ${headers['cookie']} ; a=b` };
    expect(keyIn({ method: 'GET', target: `/a?b=1&${query.join('&')}`, headers: { ...headers, ...cookie } }, credential)).toBe(key);
  });

  it('is replaced by that of a role', () => {
    const operations = api.contract.operations.map((operation) => ({ ...operation, security: [[credential]] }));
    const { headers, query } = writeKey(credential, 'a-key');
    const request = { method: 'GET', target: `/v2/parcels?b=1&${query.join('&')}`, headers };
    const replaced = withKeyOf({ ...api, contract: { ...api.contract, operations } }, request, 'other');
    expect(keyIn(replaced, credential)).toBe(api.keys.byRole.get('other'));
    expect(JSON.stringify(replaced)).not.toContain('a-key');
  });
});
