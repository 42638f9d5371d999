/** Sends generated requests to a mock: allowed, invalid and strange ones. Each answer must be the one that the contract states. */

import fc from 'fast-check';
import { expect } from 'vitest';
import type { Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { badRequestFor } from '../../generators/requests/bad-request-arbitrary.ts';
import { expectSuccess, isExpected } from '../../generators/requests/expected-answers.ts';
import type { GeneratedRequest } from '../../generators/requests/generated-request.ts';
import { requestFor } from '../../generators/requests/request-arbitrary.ts';
import type { RequestOptions } from '../../generators/requests/request-parts.ts';
import { type JudgedMock, startJudgedMock } from './judged-mock.ts';
import { ask, type Fields } from './plain-client.ts';
import { business, recordsOf, target, wiki, withKey } from './request-targets.ts';

/** Values of existing records, tags and cursors, read from the mock. */
async function knownValues(mock: JudgedMock, operation: Operation): Promise<Readonly<Record<string, readonly Json[]>>> {
  const read = async (path: string, query: Readonly<Record<string, number>>): ReturnType<typeof ask> =>
    ask(mock, target(path, query), withKey(mock.keys['full']));
  const valuesOf = async (list: string, items: string, field: string): Promise<readonly Json[]> =>
    recordsOf(await read(list, { limit: 20 }), items).map((record) => record[field] ?? null);
  const tagOf = async (path: string, query: Readonly<Record<string, number>>): Promise<string> =>
    (await read(path, query)).headers.etag ?? '';
  const cursorsOf = async (list: string): Promise<readonly Json[]> =>
    Promise.all([1, 3].map(async (limit) => (await read(list, { limit })).at('/data/page/next_cursor') ?? null));
  const { path } = operation;
  if (path === business.orders || path === business.reservations) return { cursor: await cursorsOf(path) };
  if (path === business.menu) return { 'If-None-Match': [await tagOf(path, {})] };
  if (path === `${wiki}/{slug}`) return { slug: await valuesOf(wiki, '/data', 'slug') };
  if (path !== business.order && path !== business.reservation) return {};
  const isOrder = path === business.order;
  const [list, items] = isOrder ? [business.orders, '/data/orders'] : [business.reservations, '/data/reservations'];
  const id = await valuesOf(list, items, 'id');
  const tags = await Promise.all(id.slice(0, 3).map((each) => tagOf(path, { id: Number(each) })));
  return { id, 'If-None-Match': tags, ...(isOrder ? { code: await valuesOf(list, items, 'code') } : {}) };
}

async function optionsFor(mock: JudgedMock, operation: Operation): Promise<RequestOptions> {
  return { known: await knownValues(mock, operation), keys: () => mock.keys['full'] };
}

async function statusOf(mock: JudgedMock, request: GeneratedRequest): Promise<number> {
  const reply = await ask(mock, request.target, request.headers, request.method, request.body);
  return reply.status;
}

/** Statuses that allowed requests must reach. Without them, a test with 404 alone would pass. */
function successesSeen(operation: Operation): readonly number[] {
  const isNamed = operation.parameters.some(({ name }) => ['id', 'slug'].includes(name));
  return [200, ...(operation.responses.has('304') ? [304] : []), ...(isNamed ? [404] : [])];
}

/** Number and kind of the requests. */
export interface Sample {
  readonly seed: number;
  readonly numRuns: number;
}

/** Sends requests that the contract allows. Each answer must be a documented success or 404, and every such status must occur. */
export async function sendAllowed(mock: JudgedMock, operation: Operation, sample: Sample): Promise<void> {
  const seen = new Set<number>();
  const requests = requestFor(operation, await optionsFor(mock, operation));
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const status = await statusOf(mock, request);
      seen.add(status);
      expect(isExpected(expectSuccess(operation, request), status), `status ${status}`).toBe(true);
    }),
    sample,
  );
  await mock.verify();
  expect([...seen].sort()).toEqual(successesSeen(operation));
}

/** Sends requests that break a rule of the contract. Returns the broken rules. */
export async function sendBad(mock: JudgedMock, operation: Operation, sample: Sample): Promise<ReadonlySet<string>> {
  const rules = new Set<string>();
  await fc.assert(
    fc.asyncProperty(badRequestFor(operation, await optionsFor(mock, operation)), async ({ request, rule, expect: expected }) => {
      const status = await statusOf(mock, request);
      rules.add(rule);
      expect(isExpected(expected, status), `status ${status}`).toBe(true);
    }),
    sample,
  );
  await mock.verify();
  return rules;
}

/** Sends invalid requests. Returns the number of answers that are not documented. */
export async function countUnexpected(server: JudgedMock, operation: Operation, sample: Sample): Promise<number> {
  const requests = fc.sample(badRequestFor(operation, { keys: () => server.keys['full'] }), sample);
  const statuses = await Promise.all(requests.map(({ request }) => statusOf(server, request)));
  return requests.filter((bad, index) => !isExpected(bad.expect, statuses[index] ?? 0)).length;
}

/** A valid, invalid or strange request. */
interface StrangeRequest {
  readonly target: string;
  readonly method: string;
  readonly role: string;
  readonly headers: Fields;
}

const roles = ['full', 'other', 'no-menu', 'expired', 'without:orders.read', 'without:menu', 'nobody'];

/** Encoded values of parameters. A few are valid for some parameters, most are invalid. */
const values = [
  ...'1 2 50 100 101 0 -1 007 %2B5 5.0 1e3 9007199254740993 abc pending ready,completed READY ready, , %2C takeaway table,takeaway'.split(
    ' ',
  ),
  ...'creature arma Arma null true 2026-03-01 2026-02-30 2026-03-01T10:00:00Z 2026-03-01T10:00:00+01:00 2026-03-01T10:00:00%2B01:00'.split(
    ' ',
  ),
  ..."2026-03-01%2010:00:00 % %ff %00 %F0%9F%8D%9D a%20b sale %3Cscript%3E ..%2F.. [] {} %22 ' * $KEY undefined".split(' '),
  ...['', '9'.repeat(400)],
];

const names = 'limit cursor updated_after status channel date_from date_to id code type q page unknown __proto__ %'.split(' ');

function strangeRequests(contract: Contract): fc.Arbitrary<StrangeRequest> {
  const paths = contract.operations.map(({ path }) => path);
  const value = fc.constantFrom(...values);
  const pair = fc.tuple(fc.constantFrom(...names), fc.option(value)).map(([name, given]) => (given === null ? name : `${name}=${given}`));
  const path = fc
    .tuple(fc.constantFrom(...paths), value)
    .map(([template, segment]) => template.replace(/\{[^}]+\}/, segment === '' ? '-' : segment));
  const header = fc.constantFrom<Fields>(
    {},
    { 'if-none-match': '*' },
    { 'if-none-match': '"x", W/"y"' },
    { 'if-none-match': 'x' },
    { 'accept-encoding': 'gzip' },
    { accept: 'text/html' },
  );
  return fc.record({
    target: fc
      .tuple(path, fc.array(pair, { maxLength: 3 }))
      .map(([where, pairs]) => (pairs.length === 0 ? where : `${where}?${pairs.join('&')}`)),
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
    role: fc.constantFrom('full', 'full', 'full', ...roles),
    headers: header,
  });
}

/** One choice for each open question with choices. */
function profileOf(contract: Contract): fc.Arbitrary<Readonly<Record<string, string>>> {
  const questions = [...contract.questions.values()].filter(({ choices }) => choices.size > 0);
  return fc.record(Object.fromEntries(questions.map(({ id, choices }) => [id, fc.constantFrom(...choices.keys())])));
}

async function put(mock: JudgedMock, { target, method, role, headers }: StrangeRequest): Promise<number> {
  const key = mock.keys[role];
  const reply = await ask(mock, target, { ...headers, ...(key === undefined ? {} : { 'x-service-api-key': key }) }, method);
  return reply.status;
}

/** Sends strange requests to a mock of a contract. Returns the number of answers by status. */
export async function sendStrange(contract: Contract, sample: Sample): Promise<ReadonlyMap<number, number>> {
  await using mock = await startJudgedMock({ contracts: [contract.document.file] });
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(strangeRequests(contract), async (asked) => {
      const status = await put(mock, asked);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      await mock.verify();
      expect(status).toBeLessThan(500);
    }),
    sample,
  );
  return seen;
}

/** Sends 25 strange requests to a mock with generated answers to the open questions, for each run. */
export async function sendUnderProfiles(contract: Contract, sample: Sample): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      profileOf(contract),
      fc.array(strangeRequests(contract), { minLength: 25, maxLength: 25 }),
      async (profile, requests) => {
        await using mock = await startJudgedMock({ contracts: [contract.document.file], profile });
        for (const { operation, query } of plainReads(contract))
          await put(mock, { target: operation.path + query, method: 'GET', role: 'full', headers: {} });
        for (const asked of requests) expect(await put(mock, asked)).toBeLessThan(500);
      },
    ),
    { ...sample, endOnFailure: true },
  );
}

/** The lists of a contract, each with its most frequent requests. */
function plainReads(contract: Contract): readonly { readonly operation: Operation; readonly query: string }[] {
  const lists = contract.operations.filter((operation) => operation.collection !== undefined);
  return lists.flatMap((operation) => ['', `?${operation.collection?.page.limit ?? 'limit'}=3`].map((query) => ({ operation, query })));
}
