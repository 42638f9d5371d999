/** The body of every documented status is compared with its schema, also of `default` and of a redirect. */

import { expect, it } from 'vitest';
import { verify } from '../../../../contracts/verify/verify.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';
import { type Answer, fakeTarget } from '../../../helpers/engine.ts';

const code = '{ type: object, required: [code], properties: { code: { type: integer } } }';
const withBody = `{ description: x, content: { application/json: { schema: ${code} } } }`;

async function violatedRules(responses: string, answer: Answer): Promise<readonly string[]> {
  const contract = await loadText(`openapi: 3.0.3
info: { title: t, version: '1' }
paths: { /api/a: { get: { operationId: read, responses: { ${responses} } } } }`);
  const { result } = verify({ contract, target: 'http://target.example', connect: () => fakeTarget(() => answer) });
  return (await result).checks.flatMap(({ rule, verdict }) => (verdict === 'violated' ? [rule] : []));
}

const success = "'200': { description: x }";
const redirect = { location: '/elsewhere' };

it.each<[string, string, Answer, readonly string[]]>([
  ['a failure under default', `${success}, default: ${withBody}`, { status: 409, body: { oops: 1 } }, ['response/error-envelope']],
  ['a right failure under default', `${success}, default: ${withBody}`, { status: 409, body: { code: 1 } }, []],
  ['a success under default alone', `default: ${withBody}`, { body: { oops: 1 } }, ['response/schema']],
  ['a failure where default describes the success', `default: ${withBody}`, { status: 409, body: { oops: 1 } }, []],
  ['a success without content under default', `default: ${withBody}`, { status: 204, text: '' }, []],
  ['a success without content under a range', `'2XX': ${withBody}`, { status: 204, text: '' }, []],
  ['a redirect', `'302': ${withBody}`, { status: 302, headers: redirect, body: {} }, ['response/schema']],
  ['a redirect of a range', `'3XX': ${withBody}`, { status: 303, headers: redirect, body: {} }, ['response/schema']],
])('%s', async (_, responses, answer, expected) => {
  expect(await violatedRules(responses, answer)).toEqual(expected);
});
