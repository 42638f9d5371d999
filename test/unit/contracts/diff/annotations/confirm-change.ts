/** Confirmation of witnesses: both contracts evaluate them again, with the evaluators of the mock and of verify. */

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Collection } from '../../../../../core/annotations/annotations.ts';
import type { Json } from '../../../../../core/json.ts';
import { type Contract, resolveContract } from '../../../../../core/openapi/contract.ts';
import { routeTo } from '../../../../../core/openapi/route-request.ts';
import { type RequestReading, readRequest } from '../../../../../core/parameters/read-request.ts';
import { valueAt } from '../../../../../core/pointer.ts';
import type { DataRecord } from '../../../../../core/query/query.ts';
import { type Changed, type Expected, expectChange, type ListedChange } from './edited-contracts.ts';

/** Answer of a contract: keys of the records, or a refusal. */
export type Answer = Json | 'refused';

/** Evaluates the list of a witness under both contracts, and expects the stated answers. */
export function confirmList({ old, next, witness }: ListedChange & Pick<Changed, 'old' | 'next'>): void {
  const { request } = witness?.exchange ?? {};
  const { given, before, after } = witness?.records ?? { given: [], before: null, after: null };
  if (request === undefined) throw new Error('there is no request to repeat');
  const records = given as readonly DataRecord[];
  expect(listBy(old, request.target, records)).toEqual(before);
  // One answer is enough where the new contract leaves the point open.
  const expected = witness?.refusedBy === 'new' ? 'refused' : after;
  const answers: Answer[] = [];
  for (const contract of everyAnswer(next)) {
    answers.push(listBy(contract, request.target, records));
    if (isDeepStrictEqual(answers.at(-1), expected)) break;
  }
  expect(answers).toContainEqual(expected);
  expect(after).not.toEqual(before);
}

/** Reading of the request of a witness under a contract. */
export function readBy(contract: Contract, target: string): RequestReading {
  const route = routeTo(contract.operations, 'GET', target);
  if (route.kind !== 'operation') throw new Error(`${target} leads nowhere`);
  return readRequest(route.operation, { method: 'GET', target, headers: {} }, route.segments);
}

/** True if a contract refuses a request. */
export function refuses(contract: Contract, target: string): boolean {
  return readBy(contract, target).problems.some(({ answer }) => answer === 'refused');
}

function listBy(contract: Contract, target: string, records: readonly DataRecord[]): Answer {
  const route = routeTo(contract.operations, 'GET', target);
  const collection = route.kind === 'operation' ? route.operation.collection : undefined;
  if (collection === undefined) throw new Error(`${target} lists nothing`);
  if (refuses(contract, target)) return 'refused';
  const { query, key } = collection;
  const page = query.page(query.sort(records), readBy(contract, target).values, { skip: 0 }, records.length);
  return page.records.map((record) => valueAt(record, key) ?? null);
}

/** Total that a contract returns for some records. */
export function totalBy(
  contract: Contract,
  counts: Extract<Collection['page'], { style: 'page' }>['counts'],
  target: string,
  records: readonly DataRecord[],
): number {
  const route = routeTo(contract.operations, 'GET', target);
  const collection = route.kind === 'operation' ? route.operation.collection : undefined;
  if (collection === undefined) throw new Error(`${target} lists nothing`);
  return collection.query.count(records, counts === 'overall' ? new Map() : readBy(contract, target).values);
}

/** A contract, then each of its unspecified points with each answer. They take long to build, so one at a time. */
function* everyAnswer(contract: Contract): Iterable<Contract> {
  yield contract;
  for (const { id, choices } of contract.questions.values())
    for (const choice of choices.keys()) yield resolveContract(contract, { [id]: choice });
}

/** Confirms a witness by its kind: records of a list, a single record, or the request itself. */
export function confirm(found: ListedChange & Pick<Changed, 'old' | 'next'>): void {
  const { id, witness, old, next } = found;
  const { target = '' } = witness?.exchange.request ?? {};
  if (id.startsWith('filter/') || id.startsWith('visible/') || id.startsWith('list/')) confirmList(found);
  else if (witness?.records !== undefined) expect(witness.records.before).not.toEqual(witness.records.after);
  else if (witness?.refusedBy === 'new') expect([refuses(old, target), refuses(next, target)]).toEqual([false, true]);
  else if (witness?.refusedBy === 'old') expect([refuses(old, target), refuses(next, target)]).toEqual([true, false]);
  else expect(witness?.message).toMatch(/\S/);
}

/** Expects exactly one change, with a sentence and a confirmed witness. */
export async function expectReportedOnce(expected: Expected): Promise<void> {
  const found = await expectChange(expected);
  expect(found.operations.length > 0 || found.id.startsWith('question/')).toBe(true);
  expect(found.text).not.toMatch(/undefined|\[object/);
  if (found.verdict === 'witnessed') confirm(found);
}
