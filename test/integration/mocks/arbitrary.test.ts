/** Whatever is asked, under whatever answers to the open questions: the mock keeps its contract, and never fails inside. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Contract } from '../../../core/contract.ts';
import type { Operation } from '../../../core/operation.ts';
import { contractFile } from '../../../core/shipped.ts';
import { ask, type Fields } from '../../helpers/client.ts';
import { openContract } from '../../helpers/judge.ts';
import { fixture, type JudgedMock, startJudgedMock } from '../../helpers/mock.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A request that somebody may send: right, wrong, or strange. */
interface Asked {
  readonly target: string;
  readonly method: string;
  readonly role: string;
  readonly headers: Fields;
}

const roles = ['full', 'other', 'no-menu', 'expired', 'without:orders.read', 'without:menu', 'nobody'];

/** Values that parameters are given, right ones for some of them among many wrong ones, already encoded. */
const values = [
  ...['1', '2', '50', '100', '101', '0', '-1', '007', '%2B5', '5.0', '1e3', '9007199254740993', '9'.repeat(400), 'abc', ''],
  ...[
    'pending',
    'ready,completed',
    'READY',
    'ready,',
    ',',
    '%2C',
    'takeaway',
    'table,takeaway',
    'creature',
    'arma',
    'Arma',
    'null',
    'true',
  ],
  ...[
    '2026-03-01',
    '2026-02-30',
    '2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00+01:00',
    '2026-03-01T10:00:00%2B01:00',
    '2026-03-01%2010:00:00',
  ],
  ...['%', '%ff', '%00', '%F0%9F%8D%9D', 'a%20b', 'sale', '%3Cscript%3E', '..%2F..', '[]', '{}', '%22', "'", '*', '$KEY', 'undefined'],
];

const names = [
  'limit',
  'cursor',
  'updated_after',
  'status',
  'channel',
  'date_from',
  'date_to',
  'id',
  'code',
  'type',
  'q',
  'page',
  'unknown',
  '__proto__',
  '%',
];

function askedOf(contract: Contract): fc.Arbitrary<Asked> {
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

/** One choice for each question that has some. */
function profileOf(contract: Contract): fc.Arbitrary<Readonly<Record<string, string>>> {
  const questions = [...contract.questions.values()].filter(({ choices }) => choices.size > 0);
  return fc.record(Object.fromEntries(questions.map(({ id, choices }) => [id, fc.constantFrom(...choices.keys())])));
}

async function put(mock: JudgedMock, { target, method, role, headers }: Asked): Promise<number> {
  const key = mock.keys[role];
  const reply = await ask(mock, target, { ...headers, ...(key === undefined ? {} : { 'x-service-api-key': key }) }, method);
  return reply.status;
}

describe.each(['business', 'wiki', 'library'])('any requests at the %s API', async (name) => {
  const file = name === 'library' ? fixture('library') : contractFile(name);
  const contract = await openContract(file);
  const served = name === 'library' ? file : name;

  it('are answered as the contract allows', async () => {
    await using mock = await startJudgedMock({ contracts: [served] });
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(askedOf(contract), async (asked) => {
        const status = await put(mock, asked);
        seen.set(status, (seen.get(status) ?? 0) + 1);
        await mock.verify();
        expect(status).toBeLessThan(500);
      }),
      { seed: 1, numRuns: 700 },
    );
    // The control: successes and several kinds of failures were among them, so that more than one kind of answer was judged.
    expect(seen.get(200)).toBeGreaterThan(20);
    expect(seen.size).toBeGreaterThanOrEqual(name === 'business' ? 6 : 4);
  });

  it('are answered as the contract allows whatever the open questions are answered with', async () => {
    await fc.assert(
      fc.asyncProperty(profileOf(contract), fc.array(askedOf(contract), { minLength: 25, maxLength: 25 }), async (profile, requests) => {
        await using mock = await startJudgedMock({ contracts: [served], profile });
        for (const { operation, query } of plainReads(contract))
          await put(mock, { target: operation.path + query, method: 'GET', role: 'full', headers: {} });
        for (const asked of requests) expect(await put(mock, asked)).toBeLessThan(500);
      }),
      { seed: 2, numRuns: 15, endOnFailure: true },
    );
  });
});

/** The lists of a contract, as they are asked for most often. */
function plainReads(contract: Contract): readonly { readonly operation: Operation; readonly query: string }[] {
  const lists = contract.operations.filter((operation) => operation.collection !== undefined);
  return lists.flatMap((operation) => ['', `?${operation.collection?.page.limit ?? 'limit'}=3`].map((query) => ({ operation, query })));
}
