/**
 * After the rules have sent their own requests, draws further ones in the language of the contract, with values that the target has shown. Sends none of them;
 * whether a reply is right is left to the rules.
 */

import fc from 'fast-check';
import { splitTarget } from '../../../core/http/exchange.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { documentsCondition, type Operation } from '../../../core/openapi/operation.ts';
import { Unsatisfiable, Unsupported, undefinedOn } from '../../../generators/generation-errors.ts';
import { badRequestFor } from '../../../generators/requests/bad-request-arbitrary.ts';
import { Blocked } from '../evidence/blocked-operations.ts';
import { type Call, encodeAnyText, Unwritable } from '../evidence/call.ts';
import { rolesOfOtherTenants } from '../evidence/callers.ts';
import { allWithinBase, checkpointValues, takeEvenly, withinBase } from '../evidence/filter-values.ts';
import { isNumbered, pageCall } from '../evidence/pagination/numbered-pages.ts';
import { firstPageCall, largestLimit, limitRange, type PaginationPlan } from '../evidence/pagination/pagination.ts';
import { filterArbitrary, isInOrder } from '../evidence/random-request-values.ts';
import { matchingRecords, type ParameterValues } from '../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { recordsOfEachKind } from '../evidence/single-reads.ts';
import { callForRecord, findRecordList, isRecordRead } from '../evidence/single-record-calls.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { invalidTextsOf, isRefused } from '../rules/examinations/invalid-parameter-texts.ts';

/** Requests to send together. */
export type Probe =
  | { readonly kind: 'walk'; readonly plan: PaginationPlan }
  | { readonly kind: 'calls'; readonly calls: readonly Call[] }
  /** A read, and then the same read with the tag of its reply, and with another one. */
  | { readonly kind: 'conditional'; readonly call: Call }
  /** Requests of several callers at the same time. */
  | { readonly kind: 'together'; readonly calls: readonly Call[] };

/** Number of probes of one kind, at one operation, that a batch draws. Not all of them may be sent. */
const drawn = 40;

/** The probes of a batch: in turn one of each kind at each operation, so that a small budget reaches all of them. */
export async function drawProbes(
  context: RoundContext,
  snapshots: readonly Snapshot[],
  operations: ReadonlySet<Operation>,
): Promise<readonly Probe[]> {
  const { contract } = context;
  const series: (readonly Probe[])[] = [];
  for (const snapshot of snapshots) series.push(longWalks(snapshot), drawWalks(context, snapshot));
  for (const operation of operations) {
    const snapshot = snapshots.find((each) => each.operation === findRecordList(operation, contract));
    if (snapshot !== undefined && isRecordRead(operation, contract)) {
      series.push(drawReads(context, snapshot, operation), await foreignReads(context, snapshot.operation, operation));
    }
    const own = snapshots.find((each) => each.operation === operation);
    series.push(malformedRequests(context, own, operation));
  }
  series.push(await concurrentRequests(context, snapshots));
  return Array.from({ length: drawn }).flatMap((_, index) => series.flatMap((probes) => probes.slice(index, index + 1)));
}

/** Number of pages of a long walk: mistakes that begin at the tenth page show on it. */
const pagesOfLongWalk = 12;

/** Reads a list in a dozen pages, and a part of it in pages of one record. */
function longWalks({ operation, base, records, isComplete }: Snapshot): readonly Probe[] {
  if (!isComplete || records.length < pagesOfLongWalk) return [];
  const limit = Math.floor(records.length / pagesOfLongWalk);
  if (isNumbered(operation)) {
    const indexes = [pagesOfLongWalk - 1, 9, 4];
    return [{ kind: 'calls', calls: indexes.map((index) => pageCall(operation, base, limit, index)) }];
  }
  return limit > largestLimit(operation) ? [] : [{ kind: 'walk', plan: { operation, values: base, limit, maxPages: 3 * pagesOfLongWalk } }];
}

/** Maximum number of requests of a drawn walk. */
const mostPages = 8;

/** A selection and a page size, as they are drawn and made smaller. */
export interface DrawnWalk {
  readonly values: ParameterValues;
  readonly limit: number;
  /** Number of a page from the end, for lists whose pages have numbers. */
  readonly page: number;
}

/** Selections with observed values, and page sizes of all magnitudes. */
export function walkArbitrary(context: RoundContext, snapshot: Snapshot): fc.Arbitrary<DrawnWalk> {
  const { operation, records } = snapshot;
  const { least = 1 } = limitRange(operation);
  const most = largestLimit(operation);
  const sizes = [1, 2, 3, 5, 7, 10, 20, 25, 30, 50, 75, 99, 100, records.length - 1, records.length, records.length + 1, most - 1, most];
  return fc.record({
    values: filterArbitrary(context, snapshot).filter((values) => isInOrder(operation, values)),
    limit: fc.constantFrom(...new Set([...sizes.filter((size) => size >= Math.max(1, least) && size <= most), most])),
    page: fc.nat({ max: 20 }),
  });
}

function drawWalks(context: RoundContext, snapshot: Snapshot): readonly Probe[] {
  if (!snapshot.isComplete) return [];
  const walks = fc.sample(walkArbitrary(context, snapshot), { numRuns: 6 * drawn, seed: context.seed });
  const moments = [...checkpointValues(snapshot, 'offset'), ...checkpointValues(snapshot, 'before')];
  const spelled = walks.map((walk, index): DrawnWalk => {
    const moment = moments[(index * 7) % Math.max(1, moments.length)];
    const [name = ''] = Object.keys(moment ?? {});
    return index % 4 === 0 && moment !== undefined && walk.values[name] !== undefined
      ? { ...walk, values: { ...walk.values, ...moment } }
      : walk;
  });
  const probes = spelled.flatMap((walk) => probeOf(snapshot, walk) ?? []);
  return probes.slice(0, drawn);
}

/** The requests of a drawn walk; `undefined` if it selects nothing, takes too many requests, or leaves the snapshot. */
export function probeOf(snapshot: Snapshot, { values: drawnValues, limit, page }: DrawnWalk): Probe | undefined {
  const { operation } = snapshot;
  const values = withinBase(snapshot, drawnValues);
  if (values === undefined) return undefined;
  const pages = Math.ceil(matchingRecords(operation, snapshot.records, values).length / limit);
  if (isNumbered(operation)) {
    // The whole selection, by which its pages are judged, and one of the last pages.
    const index = Math.max(0, pages - 1 - page);
    const isSmall = pages * limit <= mostPages * largestLimit(operation);
    return pages === 0 || !isSmall
      ? undefined
      : { kind: 'calls', calls: [firstPageCall(operation, values), pageCall(operation, values, limit, index)] };
  }
  return pages === 0 || pages > mostPages ? undefined : { kind: 'walk', plan: { operation, values, limit, maxPages: pages + 2 } };
}

/** Reads of records of each kind and all over the list, by each parameter that names them; every third with its tag. */
function drawReads(context: RoundContext, snapshot: Snapshot, operation: Operation): readonly Probe[] {
  const { records } = snapshot;
  const parameters = [...(operation.resource?.by.keys() ?? [])];
  const shift = context.seed % Math.max(1, records.length);
  const turned = [...records.slice(shift), ...records.slice(0, shift)];
  const spread = takeEvenly(turned, drawn / 2);
  // The ends of the list first, those of each kind, and then its middle, for a budget that does not reach all.
  const ends = spread.filter((_, index) => index % 4 === 0);
  const order = [...new Set([...ends, ...recordsOfEachKind(snapshot, turned), ...spread])].slice(0, drawn / 2);
  return order.flatMap((record, index): readonly Probe[] => {
    const calls = parameters.flatMap((parameter) => callForRecord(operation, record, parameter) ?? []);
    const call = calls[index % Math.max(1, calls.length)];
    if (call === undefined) return [];
    return [index % 3 === 1 ? { kind: 'conditional', call } : { kind: 'calls', calls: index % 4 === 0 ? calls : [call] }];
  });
}

const badRequests = new WeakMap<Operation, ReturnType<typeof badRequestFor> | undefined>();

/** Requests that the contract refuses, every second one beside a valid selection. */
function malformedRequests(context: RoundContext, snapshot: Snapshot | undefined, operation: Operation): readonly Probe[] {
  const { contract, seed } = context;
  if (!documentsCondition(operation, 'invalid') || operation.path.includes('{')) return [];
  const usual = operation.parameters.flatMap((parameter) =>
    invalidTextsOf(parameter).map((text) => ({
      parameters: [parameter.name],
      raw: [`${encodeAnyText(parameter.name)}=${encodeAnyText(text)}`],
    })),
  );
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(usual, { minLength: usual.length }), { numRuns: 1, seed });
  const requests = getOrCompute(badRequests, operation, (each) => undefinedOn(() => badRequestFor(each), Unsatisfiable, Unsupported));
  const random = (requests === undefined ? [] : fc.sample(requests, { numRuns: drawn / 2, seed })).map(({ parameters, request }) => ({
    parameters,
    raw: splitTarget(request.target).query.split('&'),
  }));
  const selections = snapshot === undefined ? [] : drawSelections(context, snapshot);
  return shuffled
    .flatMap((each, index) => [each, ...random.slice(index, index + 1)])
    .flatMap(({ parameters, raw }, index): readonly Probe[] => {
      const beside = Object.entries(index % 2 === 0 ? (selections[index] ?? {}) : {}).filter(
        ([name]) => !raw.some((piece) => piece.startsWith(`${encodeAnyText(name)}=`)),
      );
      const call: Call = { operation, raw, ...(beside.length === 0 ? {} : { values: Object.fromEntries(beside) }) };
      return parameters.length > 0 && isRefused(contract, call) ? [{ kind: 'calls', calls: [call] }] : [];
    });
}

function drawSelections(context: RoundContext, snapshot: Snapshot): readonly ParameterValues[] {
  return fc.sample(walkArbitrary(context, snapshot), { numRuns: drawn, seed: context.seed + 2 }).map(({ values }) => values);
}

/** Reads of another tenant's records with the own key. */
async function foreignReads(context: RoundContext, list: ListOperation, operation: Operation): Promise<readonly Probe[]> {
  const [role] = context.contract.tenancy ? rolesOfOtherTenants(context.keys) : [];
  if (role === undefined) return [];
  const { records } = await context.pagination({
    operation: list,
    values: {},
    limit: Math.min(50, largestLimit(list)),
    as: role,
    maxPages: 1,
  });
  return takeEvenly(records, 6).flatMap((record): readonly Probe[] =>
    [...(operation.resource?.by.keys() ?? [])].map((parameter) => {
      const call = callForRecord(operation, record, parameter);
      return { kind: 'calls', calls: call === undefined ? [] : [call] };
    }),
  );
}

/** First pages of two callers, or of one, side by side. */
async function concurrentRequests(context: RoundContext, snapshots: readonly Snapshot[]): Promise<readonly Probe[]> {
  const [role] = rolesOfOtherTenants(context.keys);
  const calls = snapshots.flatMap((snapshot): readonly Call[] => {
    const { operation, base } = snapshot;
    const selections = allWithinBase(snapshot, drawSelections(context, snapshot));
    const own = [base, ...selections.slice(0, 3)].map((values) => firstPageCall(operation, values));
    return role === undefined ? own : own.flatMap((call) => [call, { ...call, as: role }]);
  });
  return calls.length === 0 ? [] : [{ kind: 'together', calls: calls.slice(0, 12) }];
}

/** Reads the lists among some operations, and those whose records others of them read; all that can be read. */
export async function readExplored(context: RoundContext, operations: Iterable<Operation>): Promise<readonly Snapshot[]> {
  const lists = new Set(
    [...operations].flatMap((operation) => (isList(operation) ? operation : (findRecordList(operation, context.contract) ?? []))),
  );
  const snapshots: Snapshot[] = [];
  for (const list of lists) {
    try {
      if (list.method === 'GET') snapshots.push(await context.snapshot(list));
    } catch (error) {
      if (!(error instanceof Blocked || error instanceof Unwritable)) throw error;
    }
  }
  return snapshots;
}
