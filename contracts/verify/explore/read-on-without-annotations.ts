/**
 * After the rules have sent their own requests, reads on at operations without annotations: further pages of a list, further records, and each listed value of
 * its filters. Judges nothing.
 */

import { definedOf } from '../../../core/drop-undefined.ts';
import { isPlain, type Operation } from '../../../core/openapi/operation.ts';
import { isSuccess } from '../evidence/call.ts';
import { takeEvenly } from '../evidence/filter-values.ts';
import { furtherValues, recordsAbove } from '../evidence/find-values.ts';
import {
  cursorOf,
  identifyingParameter,
  limitOf,
  listIn,
  namingParameter,
  numberFor,
  pageAfter,
  positionParameter,
} from '../evidence/reads-without-annotations.ts';
import type { ParameterValues } from '../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { speaksOfChange } from '../sendable-operations.ts';
import { unlessBlocked } from './send-probes.ts';

/** Maximum number of further pages of a list, of further records, of values of filters, and of pairs of parameters, at one operation. */
const most = { pages: 8, records: 16, values: 12, pairs: 8 } as const;

/** Largest page that is asked for, where the contract allows it. */
const usualLimit = 100;

/** Sizes of small pages. The ends of pages of such a size fall between, and not only behind, records that share a sort value. */
const primes = [2, 3, 5, 7, 11, 13, 17] as const;

/** True for an operation that can be read on. */
export function isReadOn(operation: Operation): boolean {
  return operation.method === 'GET' && isPlain(operation) && operation.parameters.length > 0;
}

/** Reads pages first, since they show the records that are then read singly. `mayAsk` tells whether requests are left. */
export async function readOn(context: RoundContext, operations: readonly Operation[], mayAsk: () => boolean): Promise<void> {
  for (const operation of operations) await unlessBlocked(() => readPages(context, operation, mayAsk));
  for (const operation of operations)
    for (const values of [...recordsOf(context, operation), ...filtersOf(operation), ...(await pairsOf(context, operation))])
      if (mayAsk()) await unlessBlocked(async () => void (await context.ask({ operation, values, mayBeRefused: true })));
  await readListsAgain(context, operations, mayAsk);
}

/** Reads the lists of singly read records once more, so that what changed in between is known. */
async function readListsAgain(context: RoundContext, operations: readonly Operation[], mayAsk: () => boolean): Promise<void> {
  const lists = operations.flatMap((operation) => {
    const parameter = namingParameter(operation);
    return parameter === undefined ? [] : recordsAbove(context, operation, parameter).map(({ reply }) => reply);
  });
  const byTarget = new Map(lists.map((reply) => [reply.request.target, reply.call]));
  for (const call of byTarget.values()) if (mayAsk()) await unlessBlocked(async () => void (await context.askAgain(call)));
}

/** Reads a list by large pages, then by pages that are small enough for several, and then the first large one again. */
async function readPages(context: RoundContext, operation: Operation, mayAsk: () => boolean): Promise<void> {
  const limit = limitOf(operation);
  const [largest] = definedOf(...[usualLimit, 50, 20].map((each) => numberFor(limit, each)));
  if (limit === undefined || largest === undefined) return await readPagesOf(context, operation, {}, mayAsk);
  await readPagesOf(context, operation, { [limit.key]: largest }, mayAsk);
  const first = context.replies.find(({ call }) => call.operation === operation && call.values?.[limit.key] === largest);
  const count = listIn(first?.body)?.length ?? 0;
  const [several] = definedOf(...primes.filter((each) => each * (most.pages - 1) >= count).map((each) => numberFor(limit, each)));
  if (first === undefined || several === undefined || count < most.pages || !mayAsk()) return;
  await readPagesOf(context, operation, { [limit.key]: several }, mayAsk);
  if (mayAsk()) await context.askAgain(first.call);
}

async function readPagesOf(context: RoundContext, operation: Operation, size: ParameterValues, mayAsk: () => boolean): Promise<void> {
  let reply = await context.ask({ operation, values: size, mayBeRefused: true });
  for (let page = 1; page <= most.pages && isSuccess(reply) && mayAsk(); page += 1) {
    const next = pageAfter(reply);
    if (next === undefined) return;
    const { body } = reply.response;
    reply = await context.ask({ operation, values: { ...reply.call.values, ...next }, mayBeRefused: true });
    if (reply.response.body === body) return;
  }
}

/** Values of the path that lists have shown, spread over them. */
function recordsOf({ session, contract }: RoundContext, operation: Operation): readonly ParameterValues[] {
  const parameter = identifyingParameter(operation);
  const known = session.replies.find((reply) => reply.call.operation === operation && isSuccess(reply))?.call.values;
  if (parameter === undefined || known === undefined) return [];
  const sources = { replies: session.replies, operations: contract.operations };
  const further = furtherValues(sources, operation, parameter, known);
  return takeEvenly(further, most.records).map((value) => ({ ...known, [parameter.key]: value }));
}

/** Two optional parameters together, each with one of its values: a server may understand each alone. */
async function pairsOf(context: RoundContext, operation: Operation): Promise<readonly ParameterValues[]> {
  const single: ParameterValues[] = [];
  const ofPages = definedOf(limitOf(operation), positionParameter(operation), cursorOf(operation));
  for (const parameter of operation.parameters.filter((each) => each.in === 'query' && !each.required && !ofPages.includes(each))) {
    const value = parameter.allowed.at(-1) ?? (await context.valueFor(operation, parameter));
    if (value !== undefined && !speaksOfChange(parameter.name)) single.push({ [parameter.key]: value });
  }
  const pairs = single.flatMap((first, index) => single.slice(index + 1).map((second) => ({ ...first, ...second })));
  return takeEvenly(pairs, most.pairs);
}

function filtersOf({ parameters }: Operation): readonly ParameterValues[] {
  const values = parameters.flatMap(({ in: place, key, allowed, style }) =>
    place === 'query' && style.shape === 'one' ? allowed.map((value) => ({ [key]: value })) : [],
  );
  return takeEvenly(values, most.values);
}
