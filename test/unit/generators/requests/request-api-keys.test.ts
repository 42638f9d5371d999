/** Keys of requests: in the documented place, and in no message. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Credential, Operation } from '../../../../core/openapi/operation.ts';
import { badRequestFor } from '../../../../generators/requests/bad-request-arbitrary.ts';
import { expectSuccess } from '../../../../generators/requests/expected-answers.ts';
import type { GeneratedRequest } from '../../../../generators/requests/generated-request.ts';
import { requestFor } from '../../../../generators/requests/request-arbitrary.ts';
import type { RequestOptions } from '../../../../generators/requests/request-parts.ts';
import { operationOf } from '../../../helpers/contracts/contract-text.ts';
import { shrunk } from '../../../helpers/generated.ts';

const schemes = `components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: session }
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
`;

function keyed(security: string): Promise<Operation> {
  return operationOf(`security: ${security}`, '/x', schemes);
}

function some(operation: Operation, options: RequestOptions = {}): readonly GeneratedRequest[] {
  return fc.sample(requestFor(operation, options), { seed: 7, numRuns: 150 });
}

/** Every way in which some requests carry a key. */
function ways(requests: readonly GeneratedRequest[]): readonly string[] {
  return [...new Set(requests.map(({ target, headers }) => `${target} ${JSON.stringify(headers)}`))].sort();
}

describe('a key', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['header', 's3', ['/x {"X-KEY":"s3"}', '/x {"X-Key":"s3"}', '/x {"x-key":"s3"}']],
    ['query', 's 3', ['/x?key=s%203 {}']],
    ['cookie', 's3=', ['/x {"Cookie":"session=s3="}']],
    ['cookie', 's+3%&', ['/x {"Cookie":"session=s+3%&"}']],
    ['cookie', 's;3', ['/x {"Cookie":"session=s%3B3"}']],
    ['basic', 'me:pass', ['/x {"Authorization":"Basic bWU6cGFzcw=="}']],
    ['basic', 'me', ['/x {"Authorization":"Basic bWU6"}']],
    ['bearer', 's3', ['/x {"Authorization":"Bearer s3"}', '/x {"authorization":"BEARER s3"}']],
  ])('of the scheme %s is carried where it belongs', async (scheme, secret, expected) => {
    const found = ways(some(await keyed(`[{ ${scheme}: [] }]`), { keys: () => secret }));
    for (const way of expected) expect(found).toContain(way);
  });

  it('is asked for by its scheme and its scopes, and alternatives without one are left out', async () => {
    const asked: Credential[] = [];
    const keys = (credential: Credential): string | undefined => {
      asked.push(credential);
      return credential.scheme === 'query' ? undefined : `key-of-${credential.scheme}`;
    };
    const requests = some(await keyed('[{ header: [read] }, { query: [] }, { cookie: [], bearer: [write] }]'), { keys });
    expect(asked.map(({ scheme, scopes }) => `${scheme} ${scopes.join()}`)).toEqual(['header read', 'query ', 'cookie ', 'bearer write']);
    const carried = new Set(requests.map(({ credentials }) => credentials.map(({ scheme }) => scheme).join('+')));
    expect(carried).toEqual(new Set(['header', 'cookie+bearer']));
  });

  it('that cannot stand in a header is refused without being shown', async () => {
    const operation = await keyed('[{ header: [] }]');
    expect(() => requestFor(operation, { keys: () => 'se\ncret' })).toThrow(/^the key for header is empty or has characters/);
  });

  it('may be declared as a parameter as well', async () => {
    const operation = await operationOf(
      'security: [{ header: [] }]\nparameters: [{ name: x-key, in: header, required: true, schema: { type: string } }]',
      '/x',
      schemes,
    );
    const requests = some(operation, { keys: () => 's3' });
    expect(requests.every(({ headers }) => Object.values(headers).join() === 's3')).toBe(true);
  });
});

describe('without a key', () => {
  it('requests use the anonymous alternative', async () => {
    const [request] = some(await keyed('[{ header: [] }, {}]'));
    expect(request).toMatchObject({ target: '/x', headers: {}, lacksKey: false });
  });

  it('requests say that they lack one, and 401 is expected', async () => {
    const operation = await keyed('[{ header: [] }]');
    const [request] = some(operation);
    expect(request).toMatchObject({ target: '/x', headers: {}, lacksKey: true });
    expect(request && expectSuccess(operation, request)).toEqual({ condition: 'unauthenticated', statuses: ['401'] });
  });
});

describe('a counterexample', () => {
  it.each(['header', 'query', 'cookie', 'bearer', 'basic'])('never shows the key of the scheme %s', async (scheme) => {
    const operation = await keyed(`[{ ${scheme}: [] }]`);
    const options = { keys: (): string => 'S3CRET/value' };
    for (const { report } of [
      shrunk(requestFor(operation, options), () => true),
      shrunk(badRequestFor(operation, options), (bad) => bad.rule === 'wrong-carrier'),
    ]) {
      expect(report).toContain(`$${scheme}`);
      expect(report).not.toMatch(/S3CRET|UzNDUkVU/);
    }
  });
});

describe('a bad key', () => {
  it('is missing, empty, unknown, or in a place where none is read', async () => {
    const operation = await keyed('[{ header: [] }, { bearer: [] }]');
    const requests = fc.sample(badRequestFor(operation, { keys: () => 's3' }), { seed: 3, numRuns: 120 });
    const places = requests
      .filter(({ rule }) => rule !== 'undeclared')
      .map(({ rule, request }) => `${rule} ${request.target} ${JSON.stringify(request.headers)}`);
    for (const place of [
      'missing-key /x {}',
      'empty-key /x {"X-Key":""}',
      'empty-key /x {"Authorization":"Bearer"}',
      'unknown-key /x {"X-Key":"not-a-key"}',
      'wrong-carrier /x {"Authorization":"Token s3"}',
      'wrong-carrier /x {"X-Api-Key":"s3"}',
    ])
      expect(places).toContain(place);
    expect(places.some((place) => /^wrong-carrier.*Bearer/i.test(place))).toBe(false);
  });

  it('is none where nobody needs one', async () => {
    const rules = fc.sample(badRequestFor(await keyed('[{ header: [] }, {}]'), { keys: () => 's3' }), { seed: 3, numRuns: 50 });
    expect(new Set(rules.map(({ rule }) => rule))).toEqual(new Set(['undeclared']));
  });
});
