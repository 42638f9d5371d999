/** Expected answers are those that the contract documents. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { badRequestFor } from '../../../../generators/requests/bad-request-arbitrary.ts';
import { expectSuccess, isExpected } from '../../../../generators/requests/expected-answers.ts';
import { requestFor } from '../../../../generators/requests/request-arbitrary.ts';
import type { BrokenRule } from '../../../../generators/requests/request-fault.ts';
import { contractText, loadText } from '../../../helpers/contracts/contract-text.ts';

/** An operation with a parameter `p` from 1 to 9 and these documented statuses. */
async function documenting(statuses: string, more: { readonly invalid?: string; readonly path?: string } = {}): Promise<Operation> {
  const { invalid, path = '/x' } = more;
  const responses = statuses.split(' ').map((status) => `        '${status}': { description: '' }`);
  const named = path.includes('{') ? '        - { name: name, in: path, required: true, schema: { type: integer } }\n' : '';
  const contract = await loadText(
    contractText(`${invalid === undefined ? '' : `x-invalid: ${invalid}\n`}paths:
  ${path}:
    get:
      parameters:
        - { name: p, in: query, schema: { type: integer, minimum: 1, maximum: 9 } }
${named}      responses:
${responses.join('\n')}
`),
  );
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  return operation;
}

function expectedFor(operation: Operation, rule: BrokenRule, name = 'p'): readonly string[] {
  const bad = fc
    .sample(badRequestFor(operation), { seed: 1, numRuns: 100 })
    .find((each) => each.rule === rule && each.parameters[0] === name);
  if (bad === undefined) throw new Error(`no request breaks the rule ${rule}`);
  return bad.expect.statuses;
}

describe('a request that is allowed', () => {
  it.each([
    ['200 422', '/x', '200'],
    ['200 304 404 422', '/x', '200,404'],
    ['201 2XX 4XX', '/x', '201,2XX,404'],
    ['default', '/x', '2XX,404'],
    ['200 401', '/x', '200'],
  ])('is answered with one of %s', async (statuses, path, expected) => {
    const operation = await documenting(statuses, { path });
    const [request] = fc.sample(requestFor(operation), { seed: 1, numRuns: 1 });
    expect(request && expectSuccess(operation, request).statuses.join()).toBe(expected);
  });
});

describe('a request that breaks a rule', () => {
  it.each<readonly [statuses: string, invalid: string, rule: BrokenRule, expected: string]>([
    ['200 422', '', 'bound', '422'],
    ['200 400', '', 'bound', '400'],
    ['200 400 422', '', 'bound', '400,422'],
    ['200 4XX', '', 'bound', '4XX'],
    ['200 default', '', 'bound', '4XX'],
    ['200', '', 'bound', '200,4XX'],
    ['200 422', '{ out-of-range: clamped }', 'bound', '200'],
    ['200 422', '{ out-of-range: ignored }', 'bound', '200'],
    ['200 422', '{ out-of-range: ignored }', 'type', '422'],
    ['200 422', '{ sloppy: accepted }', 'spelling', '200'],
    ['200 422', '{ sloppy: refused }', 'repeated', '422'],
  ])('where %s and %s are documented, %s, is answered with %s', async (statuses, invalid, rule, expected) => {
    expect(expectedFor(await documenting(statuses, invalid === '' ? {} : { invalid }), rule).join()).toBe(expected);
  });

  it.each([
    ['', '200'],
    ['{ undeclared: refused }', '422'],
  ])('with %s, by a parameter that the operation does not have, is answered with %s', async (invalid, expected) => {
    expect(expectedFor(await documenting('200 422', invalid === '' ? {} : { invalid }), 'undeclared', 'unknown').join()).toBe(expected);
  });

  it('may be answered with 404 first where it names something, unless the name is what is wrong', async () => {
    const operation = await documenting('200 404 422', { path: '/x/{name}' });
    expect(expectedFor(operation, 'bound', 'p')).toEqual(['422', '404']);
    expect(expectedFor(operation, 'type', 'name')).toEqual(['422']);
  });

  it('is refused by the parameter’s own rule before the one of the API', async () => {
    const contract = await loadText(
      contractText(`x-invalid: { out-of-range: refused }
paths:
  /x:
    get:
      parameters: [{ name: p, in: query, x-invalid: { out-of-range: clamped }, schema: { type: integer, minimum: 1 } }]
      responses: { '200': { description: '' }, '400': { description: '' } }
`),
    );
    const [operation] = contract.operations;
    expect(operation && expectedFor(operation, 'bound')).toEqual(['200']);
  });
});

describe('a request without the key that it needs', () => {
  it('may be answered with 401 before anything else', async () => {
    const contract = await loadText(
      contractText(`paths:
  /x:
    get:
      security: [{ key: [] }]
      parameters: [{ name: p, in: query, schema: { type: integer, minimum: 1 } }]
      responses: { '200': { description: '' }, '400': { description: '' } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`),
    );
    const [operation] = contract.operations;
    expect(operation && expectedFor(operation, 'bound')).toEqual(['400', '401']);
    expect(operation && expectedFor(operation, 'undeclared', 'unknown')).toEqual(['401']);
  });
});

describe('a status', () => {
  it.each<readonly [string, number, boolean]>([
    ['404', 404, true],
    ['404', 405, false],
    ['4XX', 422, true],
    ['4XX', 500, false],
  ])('%s expected, %i given: %s', (expected, given, isMet) => {
    expect(isExpected({ condition: undefined, statuses: [expected] }, given)).toBe(isMet);
  });
});
