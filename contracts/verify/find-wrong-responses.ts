/**
 * At the end of a round, notes the wrong responses behind each contradiction and the mutants that predict them, so that violations can be grouped into causes.
 * Sends nothing.
 */

import { createHash } from 'node:crypto';
import { definedOf, withoutUndefined } from '../../core/drop-undefined.ts';
import { printJson } from '../../core/json.ts';
import { type MutantIdentity, mutantOf } from '../../core/mutants/mutant-catalogue.ts';
import { isList, type ListOperation } from '../../core/openapi/list-operation.ts';
import { valueAt } from '../../core/pointer.ts';
import type { DataRecord } from '../../core/query/query.ts';
import type { WrongResponse } from '../../core/results/run-result.ts';
import { type Call, isSuccess, type Reply, recordsIn } from './evidence/call.ts';
import { locateRecord } from './evidence/locate-record-in-reply.ts';
import { findMissing } from './evidence/pagination/compare-with-snapshot.ts';
import { explanationsOf } from './evidence/pagination/find-explaining-mutant.ts';
import { repeatedIn, tieMutant, tieOfMissing, tieOfRepeated } from './evidence/pagination/page-boundaries.ts';
import { callFor, largestLimit, type Pagination, type PaginationPlan } from './evidence/pagination/pagination.ts';
import { type PredictableMutant, predictableMutants } from './evidence/pagination/predict-filter-mutants.ts';
import { recordKeyOf, toFilterArguments } from './evidence/record-keys-and-filters.ts';
import type { StableRecord } from './evidence/record-readings.ts';
import type { RoundContext } from './evidence/round-context.ts';
import { isRecordRead } from './evidence/single-record-calls.ts';
import type { Snapshot } from './evidence/snapshot.ts';
import { findForgottenFilter } from './rules/examinations/examine-filters-on-later-pages.ts';
import type { Contradiction, ResponsePart } from './rules/rule.ts';
import { subjectInAnyOperation } from './violation-fingerprint.ts';

/** Maximum number of wrong responses of one violation. Further ones show nothing new. */
const maxResponses = 100;

/** The wrong responses of a contradiction, and of all contradictions with the same subject. */
export function wrongResponsesOf(context: RoundContext, contradiction: Contradiction): readonly WrongResponse[] {
  const responses: WrongResponse[] = [];
  const seenTexts = new Set<string>();
  for (const each of contradiction.sameSubject ?? [contradiction]) {
    const response = toWrongResponse(context, each);
    const text = printJson(response);
    if (response === undefined || seenTexts.has(text)) continue;
    seenTexts.add(text);
    responses.push(response);
    if (responses.length === maxResponses) break;
  }
  return responses;
}

function toWrongResponse(context: RoundContext, contradiction: Contradiction): WrongResponse | undefined {
  const { replies, paginationPlan, suspects = [] } = contradiction;
  const [suspect, ...otherSuspects] = suspects;
  const reply = suspect?.reply ?? replies.at(-1);
  if (reply === undefined) return undefined;
  const part = suspect?.part ?? wrongPartOf(contradiction);
  const call = paginationPlan === undefined || suspect !== undefined ? reply.call : callFor(paginationPlan, {});
  const predictingMutants = [...predictedBy(context, contradiction, reply, part), ...mutantsOfStatus(context, { ...reply, call })];
  const statedParts = contradiction.dependsOnParts ?? [];
  // A total depends on what chooses the records, too.
  const follows = [...statedParts, ...(part === 'records' || statedParts.includes('records') ? choosingFields(call) : [])];
  const [otherSuspect] = otherSuspects;
  return {
    operation: call.operation.id,
    ...describeCall(call, part === 'records'),
    status: reply.response.status,
    part,
    ...(follows.length === 0 ? {} : { follows }),
    ...withoutUndefined({ or: otherSuspect && suspectedPlace(otherSuspect) }),
    mutants: [...new Set(predictingMutants.map((mutant) => subjectInAnyOperation(call.operation.id, { mutant })))].filter(isPrediction),
  };
}

/** The mutants that a rule knows, those that predict the records, and that of another default page. */
function predictedBy(context: RoundContext, contradiction: Contradiction, reply: Reply, part: ResponsePart): readonly MutantIdentity[] {
  const { mutant, mutants = definedOf(mutant), replies, paginationPlan } = contradiction;
  return [
    ...mutants,
    ...(part === 'records' ? mutantsOfRecords(context, reply, paginationPlan) : []),
    ...(replies.some(isOtherDefaultPage) ? [mutantOf('default-page-other', { parameter: 'a number' })] : []),
  ];
}

/** The wrong part of a response: the one that the rule names, or the default. */
function wrongPartOf({ part, paginationPlan, records = [], replies }: Contradiction): ResponsePart {
  const last = replies.at(-1)?.call.operation;
  return part ?? (paginationPlan !== undefined || (records.length > 0 && last?.collection !== undefined) ? 'records' : 'answer');
}

function describeCall(call: Call, isReading: boolean): Pick<WrongResponse, 'request' | 'parameters'> {
  const { operation, raw = [], segments = {}, as = 'full', headers = {}, carrier = 0 } = call;
  const page = operation.collection?.page;
  const sizeParameter = page?.limit;
  const pagingParameters =
    page === undefined ? [] : [sizeParameter, page.style === 'cursor' ? page.cursor : page.style === 'page' ? page.page : page.offset];
  const values = Object.entries(call.values ?? {})
    .map(([name, value]) => [name, [value].flat().join(',')] as const)
    .toSorted();
  const filters = values.filter(([name]) => !pagingParameters.includes(name));
  const otherParts = [operation.id, as, raw.toSorted(), Object.entries(segments).toSorted(), Object.keys(headers).toSorted(), carrier];
  const sentValues = isReading ? values.filter(([name]) => !pagingParameters.includes(name) || name === sizeParameter) : values;
  const rawNames = raw.map((piece) => piece.split('=', 1)[0] ?? piece);
  return {
    request: digestOfParts([otherParts, sentValues]),
    parameters: [...new Set([...(isReading ? filters : values).map(([name]) => name), ...Object.keys(segments), ...rawNames])].toSorted(),
  };
}

function suspectedPlace({ reply, part }: NonNullable<Contradiction['suspects']>[number]): NonNullable<WrongResponse['or']> {
  const { request } = describeCall(reply.call, false);
  return { operation: reply.call.operation.id, request, part };
}

/** False for a mutant that accepts or refuses one request, since it predicts nothing of others. */
function isPrediction(subject: string): boolean {
  return subject !== 'accepted' && subject !== 'refused';
}

function choosingFields({ operation, values = {} }: Call): readonly ResponsePart[] {
  if (!isList(operation)) return [];
  const { collection } = operation;
  return Object.keys(values).flatMap((name) => {
    const filter = collection.filters.get(name);
    const fields = filter === undefined ? [] : 'fields' in filter ? filter.fields : [filter.field];
    return fields.map((field) => `body ${collection.items}/*${field}` as const);
  });
}

function digestOfParts(parts: readonly unknown[]): string {
  return createHash('sha256').update(printJson(parts)).digest('hex').slice(0, 8);
}

/** Mutants that predict a status: a success without a record, a refusal of each page of the largest size, and one of equal bounds. */
function mutantsOfStatus(context: RoundContext, reply: Reply): readonly MutantIdentity[] {
  const { operation } = reply.call;
  if (isRecordRead(operation, context.contract))
    return isSuccess(reply) && locateRecord(context.contract, reply) === undefined ? [mutantOf('absent-as-empty')] : [];
  if (!isList(operation) || isSuccess(reply)) return [];
  const [parameter, value] = [operation.collection.page.limit, largestLimit(operation)];
  const isLargest = ({ call }: Reply): boolean => call.operation === operation && call.values?.[parameter] === value;
  const isRefused = isLargest(reply) && !context.replies.some((each) => isLargest(each) && isSuccess(each));
  const [lower, upper] = equalBoundsOf(operation, reply.call);
  return [
    ...(isRefused ? [mutantOf('limit-maximum-lower', { parameter, value })] : []),
    ...(lower !== undefined && upper !== undefined ? [mutantOf('single-day-refused', { parameter: lower, other: upper })] : []),
  ];
}

/** The parameters of a call that bound one field from both sides by the same value. */
function equalBoundsOf({ collection: { filters } }: ListOperation, { values = {} }: Call): readonly string[] {
  const bounds = Object.keys(values).flatMap((name) => {
    const filter = filters.get(name);
    return filter?.operator === 'from' || filter?.operator === 'to' ? [{ name, field: filter.field }] : [];
  });
  return bounds
    .filter(({ name, field }) =>
      bounds.some((other) => other.name !== name && other.field === field && values[other.name] === values[name]),
    )
    .map(({ name }) => name);
}

/** True for a response that claims to be another page than the first, although its request names no page. */
function isOtherDefaultPage({ call: { operation, values = {} }, body }: Reply): boolean {
  if (!isList(operation) || operation.collection.page.style !== 'page') return false;
  const { page, echo } = operation.collection.page;
  const echoed = echo?.page === undefined ? undefined : valueAt(body, echo.page);
  return values[page] === undefined && typeof echoed === 'number' && echoed !== 1;
}

/** Every mutant that predicts the records of a list. */
function mutantsOfRecords(context: RoundContext, reply: Reply, paginationPlan: PaginationPlan | undefined): readonly MutantIdentity[] {
  const { operation, as = 'full' } = reply.call;
  const snapshot = isList(operation) ? context.takenSnapshot(operation, as) : undefined;
  if (!isList(operation) || snapshot === undefined) return [];
  const paginations = context.paginations.filter((each) =>
    paginationPlan === undefined ? each.replies.includes(reply) : isReadByPlan(paginationPlan, each),
  );
  const wholePagination = paginations.find(({ end }) => end === 'complete');
  const pagination = wholePagination ?? paginations[0];
  return [
    ...(wholePagination === undefined ? pageMutantsOf(context, operation, reply) : filterMutantsOf(context, snapshot, wholePagination)),
    ...(pagination === undefined ? [] : pagingMutantsOf(context, snapshot, pagination)),
  ];
}

function isReadByPlan({ operation, values, limit, as }: PaginationPlan, pagination: Pagination): boolean {
  return (
    pagination.operation === operation &&
    pagination.limit === limit &&
    (pagination.as ?? 'full') === (as ?? 'full') &&
    printJson(pagination.values) === printJson(values)
  );
}

/** Mutants of filters that predict the records of a whole pagination. */
function filterMutantsOf(context: RoundContext, snapshot: Snapshot, pagination: Pagination): readonly PredictableMutant[] {
  return explanationsOf(context, snapshot, pagination, predictableMutants(context.contract, snapshot.operation));
}

/** Mutants of filters that accept every record of a page that does not match, and the mutant that forgets a filter on later pages. */
function pageMutantsOf({ contract }: RoundContext, list: ListOperation, reply: Reply): readonly MutantIdentity[] {
  const filterArguments = toFilterArguments(reply.call.values ?? {});
  const matches = list.collection.query.matching(filterArguments);
  const wrongRecords = (recordsIn(reply) ?? []).filter((record) => !matches(record));
  if (wrongRecords.length === 0) return [];
  const acceptingMutants = predictableMutants(contract, list).filter((mutant) => wrongRecords.every(mutant.accepting(filterArguments)));
  const { page } = list.collection;
  const isLater = page.style === 'cursor' && reply.call.values?.[page.cursor] !== undefined;
  const forgotten = isLater ? findForgottenFilter(list, { values: reply.call.values ?? {}, pages: [[], wrongRecords] }) : undefined;
  return [...acceptingMutants, ...definedOf(forgotten)];
}

/** Mutants of paging that lose or repeat records at page boundaries, or forget a filter on later pages. */
function pagingMutantsOf(context: RoundContext, snapshot: Snapshot, pagination: Pagination): readonly MutantIdentity[] {
  const { missing } = pagination.end === 'complete' ? findMissing(context, snapshot, pagination) : { missing: [] };
  const repeated = repeatedIn(context, snapshot, pagination);
  const [missingTie, repeatedTie] = [tieOfMissing(pagination, missing), tieOfRepeated(pagination, repeated)];
  const forgotten = findForgottenFilter(snapshot.operation, pagination);
  return [
    ...(missing.length > 0 && isSkippedAtBoundaries(snapshot, pagination, missing) ? [mutantOf('edge-skipped')] : []),
    ...(repeated.length > 0 && isRepeatedAtBoundaries(pagination, repeated) ? [mutantOf('edge-repeated')] : []),
    ...(missing.length > 0 && missingTie !== undefined ? [tieMutant('tie-skipped', missingTie)] : []),
    ...(repeated.length > 0 && repeatedTie !== undefined ? [tieMutant('tie-repeated', repeatedTie)] : []),
    ...definedOf(forgotten),
  ];
}

/** True when the snapshot has every missing record between the last record of a page and the first of the next. */
function isSkippedAtBoundaries({ operation, records }: Snapshot, { pages }: Pagination, missing: readonly StableRecord[]): boolean {
  const positions = new Map(records.map((record, index) => [recordKeyOf(operation, record), index]));
  const positionOf = (record: DataRecord | undefined): number =>
    record === undefined ? Number.NaN : (positions.get(recordKeyOf(operation, record)) ?? Number.NaN);
  const edges = pages.slice(1).map((page, index) => [positionOf(pages[index]?.at(-1)), positionOf(page[0])] as const);
  return missing.every(({ record }) =>
    edges.some(([last, first]) => last < positionOf(record) && (positionOf(record) < first || Number.isNaN(first))),
  );
}

/** True when every repeated record ends a page and begins the next. */
function isRepeatedAtBoundaries({ operation, pages }: Pagination, repeated: readonly StableRecord[]): boolean {
  const edges = pages.slice(1).flatMap((page, index) => {
    const [last, first] = [pages[index]?.at(-1), page[0]];
    return last !== undefined && first !== undefined && recordKeyOf(operation, last) === recordKeyOf(operation, first)
      ? [recordKeyOf(operation, first)]
      : [];
  });
  return repeated.every(({ key }) => edges.includes(key));
}
