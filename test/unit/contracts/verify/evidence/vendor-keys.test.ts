import { expect, it } from 'vitest';
import { toRequest } from '../../../../../contracts/verify/evidence/call.ts';
import { keyringOf } from '../../../../../contracts/verify/evidence/callers.ts';
import { contractText, loadText } from '../../../../helpers/contracts/contract-text.ts';

const schemes = [
  'basic: { type: http, scheme: basic }',
  'token: { type: http, scheme: GenieKey }',
  'session: { type: apiKey, in: cookie, name: sid }',
  'app: { type: apiKey, in: header, name: X-App }',
  'sign: { type: apiKey, in: query, name: sign }',
  'whole: { type: apiKey, in: header, name: Authorization }',
];

/** The key in a request to an operation with these requirements, as headers and query. */
async function sentKey(security: string, keys: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const text = `paths: { /a: { get: { operationId: a, security: ${security}, responses: { '200': { description: a } } } } }\ncomponents: { securitySchemes: { ${schemes.join(', ')} } }`;
  const contract = await loadText(contractText(text));
  const given = Object.fromEntries(Object.entries(keys).map(([role, value]) => [role, { variable: role.toUpperCase(), value }]));
  const [operation] = contract.operations;
  if (operation === undefined) throw new TypeError('no operation');
  const { target, headers } = toRequest({ operation }, keyringOf(contract, given));
  const { accept: _, ...others } = headers;
  return [target, others];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

it.each<readonly [what: string, security: string, keys: Readonly<Record<string, string>>, target: string, headers: object]>([
  ['basic with a user', '[{ basic: [] }]', { full: 'ann:secret' }, '/a', { authorization: `Basic ${base64('ann:secret')}` }],
  ['basic with a password', '[{ basic: [] }]', { full: 'secret' }, '/a', { authorization: `Basic ${base64(':secret')}` }],
  ['a word of its own', '[{ token: [] }]', { token: 'k' }, '/a', { authorization: 'GenieKey k' }],
  ['a whole Authorization', '[{ whole: [] }]', { whole: 'Token token=k' }, '/a', { authorization: 'Token token=k' }],
  ['a cookie', '[{ session: [] }]', { full: 'k' }, '/a', { cookie: 'sid=k' }],
  [
    'several schemes together',
    '[{ app: [], sign: [], session: [] }]',
    { app: 'a', sign: 's', full: 'c' },
    '/a?sign=s',
    { 'x-app': 'a', cookie: 'sid=c' },
  ],
  [
    'the first alternative whose keys are there',
    '[{ basic: [] }, { app: [], sign: [] }, { token: [] }]',
    { app: 'a', sign: 's' },
    '/a?sign=s',
    { 'x-app': 'a' },
  ],
  ['none of an alternative that lacks a key', '[{ app: [], sign: [] }]', { app: 'a' }, '/a', {}],
])('sends %s', async (_, security, keys, target, headers) => {
  expect(await sentKey(security, keys)).toEqual([target, headers]);
});
