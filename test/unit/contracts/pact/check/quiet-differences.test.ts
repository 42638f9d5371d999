/** Differences that a contract allows and Pact refuses, although a usual response does not show them: each is found, or noted as not compared. */

import { expect, it } from 'vitest';
import { checkPacts } from '../../../../../contracts/pact/check/check-pacts.ts';
import { printJson } from '../../../../../core/json.ts';
import { loadContract } from '../../../../../core/openapi/contract.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';

/** The findings and remarks about a response of `GET /p`. */
async function check(
  responses: object,
  response: object,
  request: object = {},
  { operation = {}, ...more }: { readonly operation?: object; readonly [member: string]: unknown } = {},
): Promise<readonly string[]> {
  const get = { operationId: 'getP', responses, ...operation };
  const file = { openapi: '3.1.0', info: { title: 'P', version: '1.0.0' }, paths: { '/p': { get } } };
  const interaction = { type: 'Synchronous/HTTP', description: 'p', request: { method: 'GET', path: '/p', ...request }, response, ...more };
  const parties = { consumer: { name: 'c' }, provider: { name: 'p' }, metadata: { pactSpecification: { version: '4.0' } } };
  const contract = await loadContract('p.json', async () => printJson(file));
  const pact = parsePact('pact.json', printJson({ ...parties, interactions: [interaction] }));
  const { pacts } = await checkPacts({ pairs: [{ pact, contract }] });
  return pacts.flatMap(({ interactions }) =>
    interactions.flatMap(({ findings, remarks }) => [...findings, ...remarks].map(({ message }) => message.replace(/;.*/, ''))),
  );
}

const rules = (...matchers: readonly object[]): object => ({ combine: 'AND', matchers });
const json = (schema: object): object => ({ description: '', content: { 'application/json': { schema } } });
const text = (schema: object): object => ({ description: '', content: { 'text/plain': { schema } } });
const body = (content: unknown, contentType: string, match: string): object => ({
  body: { content, contentType, encoded: false },
  matchingRules: { body: { $: rules({ match }) } },
});

it('finds integers of more than 64 bits where the contract lists them, and nowhere else', async () => {
  const listed = { enum: [{ n: 1 }, { n: 2n ** 64n }] };
  const response = { body: { content: { n: 1 } }, matchingRules: { body: { '$.n': rules({ match: 'integer' }) } } };
  expect(await check({ 200: json(listed) }, response)).toEqual(['$.n may be 18446744073709551616, but the pact expects an integer']);
  const anyInteger = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  expect(await check({ 200: json(anyInteger) }, response)).toEqual([]);
});

it('finds an empty text where the contract lists it', async () => {
  const response = body('full', 'text/plain', 'type');
  expect(await check({ 200: text({ enum: ['full', ''] }) }, response)).toEqual(['$ may be "", but the pact expects a string']);
  expect(await check({ 200: text({ type: 'string' }) }, response)).toEqual([]);
});

it('accepts an empty text where the pact expects one, and nothing else', async () => {
  const response = { body: { content: '', contentType: 'text/plain', encoded: false } };
  expect(await check({ 200: text({ const: '' }) }, response)).toEqual([]);
  expect(await check({ 200: text({ enum: ['', 'full'] }) }, response)).toEqual(['$ may be "full", but the pact expects ""']);
});

it('takes no value for an example that a generator replaces', async () => {
  const dates = { type: 'object', required: ['on'], properties: { on: { type: 'string', format: 'date' } } };
  const response = { body: { content: { on: '' } }, matchingRules: { body: { '$.on': rules({ match: 'date', format: 'yyyy-MM-dd' }) } } };
  expect(await check({ 200: json(dates) }, response)).toEqual([expect.stringMatching(/^\$\.on is never ""/)]);
  expect(await check({ 200: json(dates) }, { ...response, generators: { body: { '$.on': { type: 'Date' } } } })).toEqual([]);
});

it('leaves a body to its plugin', async () => {
  const response = body('a,b', 'text/csv', 'type');
  const csv = { 200: { description: '', content: { 'text/csv': { schema: { type: 'string' } } } } };
  expect(await check(csv, response, {}, { pluginConfiguration: { csv: { header: false } } })).toEqual([
    'the body is not compared: the plugin csv compares it',
  ]);
  expect(await check(csv, response, {}, { pluginConfiguration: {} })).toEqual([]);
});

it('compares every documented status that the pact accepts', async () => {
  const success = { status: 200, ...body(1, 'application/json', 'integer') };
  const response = {
    ...success,
    matchingRules: { body: { $: rules({ match: 'integer' }) }, status: rules({ match: 'statusCode', status: 'success' }) },
  };
  const of = (type: string): object => json({ type });
  expect(await check({ 200: of('integer'), 201: of('integer') }, response)).toEqual([]);
  expect(await check({ 200: of('integer'), 201: of('string') }, response)).toEqual([expect.stringMatching(/expects an integer/)]);
  expect(await check({ 200: of('integer'), '2XX': of('string') }, response)).toEqual([expect.stringMatching(/expects an integer/)]);
});

it.each([
  ['of a success', { status: 200 }, ['200', '202', '500'], 'the contract also documents 202, and does not say when'],
  ['of a request that sends nothing', { status: 200 }, ['200', '404'], 'the contract also documents 404, and does not say when'],
  ['of a failure', { status: 500 }, ['200', '500', '503'], 'the contract also documents 200, and does not say when'],
  [
    'of a class',
    { status: 200, matchingRules: { status: rules({ match: 'statusCode', status: 'success' }) } },
    ['200', '202', '404'],
    'the contract also documents 404, and does not say when',
  ],
])('notes other documented statuses: %s', async (_, response, statuses, reason) => {
  const responses = Object.fromEntries(statuses.map((status) => [status, { description: '' }]));
  expect(await check(responses, response)).toEqual([`the status ${response.status} is not compared: ${reason}`]);
});

it('takes a valid request for the reason why a documented failure does not occur', async () => {
  const operation = { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] };
  expect(await check({ 200: { description: '' }, 400: { description: '' } }, { status: 200 }, {}, { operation })).toEqual([]);
});

it('needs no cause for a failure that is the only documented response', async () => {
  expect(await check({ 404: { description: '' } }, { status: 404 })).toEqual([]);
});

const ofType = (type: string): object => ({ headers: { 'Content-Type': [type] } });
const contentOf = (...types: readonly string[]): object => ({
  200: { description: '', content: Object.fromEntries(types.map((type) => [type, {}])) },
});
const noted = (reason: string): readonly string[] => [`the header Content-Type is not compared: ${reason}`];

it.each([
  [
    'a charset that the contract does not say',
    ['application/json'],
    'application/json; charset=utf-8',
    {},
    noted('the contract does not say charset=utf-8'),
  ],
  ['a charset as documented', ['application/json; charset=utf-8'], 'application/json;charset=UTF-8', {}, []],
  [
    'another charset',
    ['application/json; charset=utf-16'],
    'application/json; charset=utf-8',
    {},
    ['the pact expects the content type application/json'],
  ],
  ['a type without a body', [], 'application/json', {}, noted('the contract documents no body, and no content type for an empty one')],
  [
    'one of several types',
    ['application/json', 'application/xml'],
    'application/json',
    {},
    noted('the contract also documents application/xml, and the request accepts it'),
  ],
  [
    'the accepted one of several types',
    ['application/json', 'application/xml'],
    'application/json',
    { headers: { Accept: ['application/json'] } },
    [],
  ],
])('compares the content type: %s', async (_, types, expected, request, messages) => {
  const empty = types.length === 0 ? { body: { content: '' } } : {};
  expect(await check(contentOf(...types), { ...ofType(expected), ...empty }, request)).toEqual(messages);
});
