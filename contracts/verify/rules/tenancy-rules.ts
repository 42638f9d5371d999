/** Rules of the group `tenancy`: a key shows no record of another tenant. They need a key of a second tenant. */

import { canonicalText, isSameValue } from '../../../core/json-equality.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { type CursorList, isCursorList, isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { isConditional, type Operation, responseFor } from '../../../core/openapi/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, encodeAnyText, isReplyTo, isSuccess, type Reply, recordsIn, requestIdOf } from '../evidence/call.ts';
import { type Caller, rolesOfOtherTenants } from '../evidence/callers.ts';
import { collectionPlace } from '../evidence/clause-places.ts';
import { describePlace, differencesBetween, isStatus, lastingDifferences, type ReplyComparison } from '../evidence/compare-replies.ts';
import { usableTag, withTag } from '../evidence/entity-tag.ts';
import { takeEvenly } from '../evidence/filter-values.ts';
import { locateRecord, showsRecord } from '../evidence/locate-record-in-reply.ts';
import { callFor, firstPageCall } from '../evidence/pagination/pagination.ts';
import { foreignBy, readTenants, type Tenants } from '../evidence/read-tenants.ts';
import { filterBy, keysOf, type ParameterValues, recordKeyOf } from '../evidence/record-keys-and-filters.ts';
import { type RecordReading, RecordReadings } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { absentIdentity, identityOf, isRecordRead, recordListOf } from '../evidence/single-record-calls.ts';
import { describeRecords, printParameterValue } from './describe-values.ts';
import {
  agrees,
  type Candidate,
  contradicts,
  type Judgement,
  type Judgements,
  type Rule,
  reportedBy,
  roomInQuickRun,
  ruleAbout,
  withoutKey,
} from './rule.ts';

const foreignRecord = ruleAbout(isRecordRead, {
  id: 'tenancy/single',
  title: "Another tenant's record looks exactly like one that does not exist",
  why: 'Any difference shows which records other tenants have. In the worst case it shows their content.',
  strength: 'stated',
  place: (operation, contract) => (contract.tenancy ? responseFor(operation, 404)?.place : undefined),
  examine: async (context, operation) => {
    const tenants = await readTenants(context, recordListOf(context, operation));
    if (tenants === undefined) return withoutKey('other', 'a key of another tenant');
    const names = [...operation.resource.by.keys()];
    const reads: ForeignRecordReads[] = [];
    for (const name of context.quick ? names.slice(0, 1) : names) reads.push(...(await readForeign(context, operation, tenants, name)));
    return {
      mutants: recordMutants(context, operation, names),
      judge: () => reads.map((each) => [judgePlain(context, each), judgeTagged(each)]),
    };
  },
  // A record that another tenant's list has shown is foreign, whatever it was asked for.
  judgeReplies: (context, operation) => {
    const list = recordListOf(context, operation);
    const own = new RecordReadings(list, 'full', context.session.replies);
    return rolesOfOtherTenants(context.keys).flatMap((role) => {
      const foreign = foreignReadings(context, list, role, own);
      return context.replies.flatMap((reply) => {
        const record = isReplyTo(reply, operation) ? locateRecord(context.contract, reply)?.record : undefined;
        const reading = record && foreign.get(recordKeyOf(list, record))?.find((each) => showsRecord(reply, each.record));
        return reading === undefined ? [] : contradictShown(operation, list, role, reading, reply);
      });
    });
  },
});

/** The readings of records that only another tenant's list has shown, by key; empty for a key of the same tenant. */
function foreignReadings(
  { session }: RoundContext,
  list: ListOperation,
  role: Caller,
  own: RecordReadings,
): ReadonlyMap<string, readonly RecordReading[]> {
  const readings = new RecordReadings(list, role, session.replies);
  const isOwn = ({ record, content }: RecordReading): boolean => own.of(recordKeyOf(list, record)).some((each) => each.content === content);
  return new Map(readings.keys.map((key) => [key, readings.of(key).filter((reading) => !isOwn(reading))]));
}

function contradictShown(
  operation: Operation,
  list: ListOperation,
  role: Caller,
  { reply: source, record }: RecordReading,
  reply: Reply,
): Judgement {
  const name = describeRecords(list, [recordKeyOf(list, record)]);
  const [parameter = ''] = Object.keys(reply.call.values ?? {});
  return contradicts({
    replies: [source, reply],
    expected: `${operation.id} must not return ${name}, which only the list of the key ${role} contains`,
    actual: 'the response shows the record',
    records: [record],
    mutant: foreignShown(parameter),
    recordKeys: [recordKeyOf(list, record)],
  });
}

function recordMutants(context: RoundContext, operation: Operation, names: readonly string[]): readonly Candidate[] {
  const missing = (name: string): string => `a record of another tenant whose ${name} none of the caller's own has`;
  return [
    ...names.map((name, index) => ({ ...foreignShown(name), missing: context.quick && index > 0 ? roomInQuickRun : missing(name) })),
    { ...foreignRecordRevealed, missing: missing(names[0] ?? 'key') },
    ...(isConditional(operation)
      ? [{ ...foreignUnchanged, missing: context.quick ? roomInQuickRun : 'a tag of a record of another tenant' }]
      : []),
  ];
}

function foreignShown(name: string): MutantIdentity {
  return mutantOf('foreign-record-shown', { parameter: name }, name);
}

const foreignRecordRevealed = mutantOf('foreign-record-told');
const foreignUnchanged = mutantOf('foreign-record-unchanged');

/** Requests for another tenant's record and for a record that does not exist. */
interface ForeignRecordReads {
  readonly name: string;
  readonly tenants: Tenants;
  readonly record: Tenants['pagination']['records'][number];
  /** Replies to each request: one, or two if the first replies differ. */
  readonly foreignReplies: readonly Reply[];
  readonly absentReplies: readonly Reply[];
  /** The replies to the requests for the other tenant's record, and for the record that does not exist, with the tag of the former. */
  readonly taggedReplies: readonly Reply[];
}

async function readForeign(
  context: RoundContext,
  operation: Operation,
  tenants: Tenants,
  name: string,
): Promise<readonly ForeignRecordReads[]> {
  const records = foreignBy(tenants, operation.resource?.by.get(name) ?? '');
  // Whether a record may be seen may depend on the record.
  const reads: ForeignRecordReads[] = [];
  for (const record of takeEvenly(records, context.quick ? 1 : 3))
    reads.push(...(await readForeignRecord(context, operation, tenants, name, record)));
  return reads;
}

async function readForeignRecord(
  context: RoundContext,
  operation: Operation,
  tenants: Tenants,
  name: string,
  record: DataRecord,
): Promise<readonly ForeignRecordReads[]> {
  const value = identityOf(operation, name, record);
  if (value === undefined) return [];
  const call: Call = { operation, values: { [name]: value } };
  const absentCall: Call = { operation, values: { [name]: absentIdentity(operation, name) } };
  const [foreignReply, absentReply] = [await context.ask(call), await context.ask(absentCall)];
  const isSame = differencesBetween(absentReply, foreignReply, comparisonFor(context)).length === 0;
  const repeated = isSame ? [] : [await context.askAgain(absentCall), await context.askAgain(call)];
  const isFirst =
    [...(operation.resource?.by.keys() ?? [])][0] === name && record === foreignBy(tenants, operation.resource?.by.get(name) ?? '')[0];
  const taggedReplies =
    isFirst && isConditional(operation) && !context.quick ? await askTagged(context, [call, absentCall], tenants.role) : [];
  return [
    {
      name,
      tenants,
      record,
      foreignReplies: [foreignReply, ...repeated.slice(1)],
      absentReplies: [absentReply, ...repeated.slice(0, 1)],
      taggedReplies,
    },
  ];
}

async function askTagged(context: RoundContext, [call, absentCall]: readonly [Call, Call], role: string): Promise<readonly Reply[]> {
  const tag = usableTag(await context.ask({ ...call, as: role }));
  if (tag === undefined) return [];
  const taggedReply = await context.ask(withTag(call, tag));
  // A refusal is right, and needs no comparison.
  return taggedReply.response.status >= 400 ? [taggedReply] : [taggedReply, await context.ask(withTag(absentCall, tag))];
}

/** A comparison that ignores echoed values: the requested identifier, and the request id. */
function comparisonFor(context: RoundContext): ReplyComparison {
  return {
    maskEchoes: (text, reply) => {
      const requested = Object.values(reply.call.values ?? {}).map((value) => printParameterValue(value));
      const echoedTexts = [requestIdOf(context.contract, reply), ...requested, ...requested.map(encodeAnyText)].filter(
        (each) => each !== undefined,
      );
      return echoedTexts.reduce(
        (maskedText, each) => maskedText.replaceAll(new RegExp(`(?<!\\w)${escapePattern(each)}(?!\\w)`, 'g'), '‹own›'),
        text,
      );
    },
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function judgePlain(context: RoundContext, reads: ForeignRecordReads): Judgement | undefined {
  const { name, record, foreignReplies, absentReplies } = reads;
  const [first, second] = foreignReplies;
  const [absentReply, absentAgain] = absentReplies;
  if (first === undefined || absentReply === undefined) return undefined;
  if (first.response.status >= 500) return reportedBy('response/no-server-error');
  if (isSuccess(absentReply)) return reportedBy('details/absent');
  if (isSuccess(first))
    // The caller may have a record with the same identity, so the content is compared.
    return showsRecord(first, record)
      ? contradictReads(reads, [absentReply, first], 'the response shows the record', foreignShown(name))
      : undefined;
  const lastingPlaces =
    second === undefined || absentAgain === undefined
      ? []
      : lastingDifferences([absentReply, absentAgain], [first, second], comparisonFor(context));
  if (lastingPlaces.length === 0) return agrees(foreignShown(name), foreignRecordRevealed);
  const actual = lastingPlaces.some(isStatus)
    ? `the status is ${first.response.status}; for a record that does not exist, it is ${absentReply.response.status}`
    : `the responses differ in ${lastingPlaces.slice(0, 3).map(describePlace).join(', ')}`;
  return contradictReads(reads, [absentReply, first], actual, foreignRecordRevealed);
}

function judgeTagged(reads: ForeignRecordReads): Judgement | undefined {
  const [taggedReply, absentReply] = reads.taggedReplies;
  const [plainReply] = reads.foreignReplies;
  if (taggedReply === undefined || plainReply === undefined || isSuccess(plainReply) || taggedReply.response.status >= 500)
    return undefined;
  if (taggedReply.response.status >= 400) return agrees(foreignUnchanged);
  // The same status for a record that does not exist: the tag does not reveal other tenants.
  if (absentReply?.response.status === taggedReply.response.status) return reportedBy('conditional/failures');
  return contradictReads(
    reads,
    [plainReply, taggedReply],
    `with the tag of the record, the status is ${taggedReply.response.status}`,
    foreignUnchanged,
  );
}

function contradictReads(
  { name, record, tenants }: ForeignRecordReads,
  replies: readonly Reply[],
  actual: string,
  mutant: MutantIdentity,
): Judgement {
  const [reply] = replies;
  const operation = reply?.call.operation;
  const value = operation === undefined ? undefined : identityOf(operation, name, record);
  return contradicts({
    replies,
    expected: `${operation?.id ?? ''} with ${name}=${printParameterValue(value ?? null)}, another tenant's record, must respond as for a record that does not exist`,
    actual,
    records: [record],
    mutant,
    recordKeys: [recordKeyOf(tenants.ownSnapshot.operation, record)],
  });
}

const foreignListed = mutantOf('foreign-records-listed');
const foreignFiltered = mutantOf('foreign-records-filtered', { parameter: 'a filter' });

const foreignInList = ruleAbout(isList, {
  id: 'tenancy/lists',
  title: 'A list contains no records of other tenants',
  why: "One foreign record in a list gives a business's data to its competitor.",
  strength: 'stated',
  place: (list, contract) => (contract.tenancy ? collectionPlace(list) : undefined),
  examine: async (context, list) => {
    const tenants = await readTenants(context, list);
    if (tenants === undefined) return withoutKey('other', 'a key of another tenant');
    const values = context.quick ? undefined : filtersForForeignRecord(tenants, list);
    const filtered = values && (await context.ask(firstPageCall(list, values)));
    return { mutants: listMutants(context, list), judge: () => judgeLists(context, list, tenants, filtered) };
  },
  judgeReplies: (context, list) => {
    const own = context.takenSnapshot(list, 'full');
    if (own === undefined) return undefined;
    // What the list shows by itself is judged with the reading of the other tenant's list.
    const ownReadings = new RecordReadings(list, 'full', [...own.pagination.replies, ...(own.finalPagination?.replies ?? [])]);
    return rolesOfOtherTenants(context.keys).flatMap((role) => {
      const foreign = foreignReadings(context, list, role, ownReadings);
      const others = context.session.replies.filter((reply) => isReplyTo(reply, list, role));
      return context.replies.flatMap((reply) => {
        if (!isReplyToOwnRequest(list, reply, others)) return [];
        const shown = (recordsIn(reply) ?? []).filter((record) =>
          foreign.get(recordKeyOf(list, record))?.some(({ content }) => content === canonicalText(record)),
        );
        if (shown.length === 0) return [];
        const expected = `${list.id} must contain no record of another tenant`;
        return contradictForeign(list, reply, shown, new RecordReadings(list, role, others), expected, foreignFiltered);
      });
    });
  },
});

function listMutants(context: RoundContext, operation: ListOperation): readonly Candidate[] {
  const missing = 'a record of another tenant';
  return [
    { ...foreignListed, missing },
    ...(comparedFields(operation).length > 0 ? [{ ...foreignFiltered, missing: context.quick ? roomInQuickRun : missing }] : []),
  ];
}

/** The filters that compare the value of one field, with that field. */
function comparedFields(list: ListOperation): readonly (readonly [parameter: string, field: string])[] {
  return [...list.collection.filters].flatMap(([name, filter]) =>
    filter.operator !== 'matches' && ['equals', 'any-of', 'from', 'to'].includes(filter.operator) ? [[name, filter.field] as const] : [],
  );
}

/** All filters at once, with values that a foreign record matches. */
function filtersForForeignRecord(tenants: Tenants, list: ListOperation): ParameterValues | undefined {
  const [record] = [...foreignBy(tenants, list.collection.key), ...tenants.pagination.records];
  const filters = comparedFields(list).flatMap(([name, field]) => {
    const value = valueAt(record, field) ?? null;
    return value === null ? [] : [filterBy(list, name, value)];
  });
  return filters.length === 0 ? undefined : Object.assign({}, ...filters);
}

function judgeLists(context: RoundContext, list: ListOperation, tenants: Tenants, filtered: Reply | undefined): Judgements {
  const { role, pagination, ownSnapshot } = tenants;
  if (pagination.records.length === 0) return [];
  const otherReadings = context.readings(list, role);
  const findings = context.replies.flatMap((reply) => {
    const foreign = isReplyToOwnRequest(list, reply, pagination.replies) ? foreignIn(list, reply, otherReadings) : [];
    const isFiltered = Object.keys(reply.call.values ?? {}).some((name) => list.collection.filters.has(name));
    const expected = `${list.id} must contain no record of another tenant`;
    return foreign.length === 0
      ? []
      : [contradictForeign(list, reply, foreign, otherReadings, expected, isFiltered ? foreignFiltered : foreignListed)];
  });
  if (findings.length > 0) return findings;
  const isNarrowed = filtered !== undefined && recordsIn(filtered) !== undefined;
  const killed = [...(ownSnapshot.isComplete ? [foreignListed] : []), ...(isNarrowed ? [foreignFiltered] : [])];
  return killed.length === 0 ? [] : agrees(...killed);
}

/** True for a reply to the key `full`, except one to a cursor of another tenant, which `tenancy/cursor` judges. */
function isReplyToOwnRequest(operation: ListOperation, reply: Reply, others: readonly Reply[]): boolean {
  const { page } = operation.collection;
  if (!isReplyTo(reply, operation)) return false;
  const cursor = page.style === 'cursor' ? reply.call.values?.[page.cursor] : undefined;
  return cursor === undefined || page.style !== 'cursor' || !others.some((each) => valueAt(each.body, page.next) === cursor);
}

/**
 * Records of a reply that the other tenant has with the same key and content. Two tenants may have records with the same key, but rarely with the same content.
 */
function foreignIn(operation: ListOperation, reply: Reply, otherReadings: RecordReadings): readonly DataRecord[] {
  return (recordsIn(reply) ?? []).filter((record) => {
    const content = canonicalText(record);
    return otherReadings.of(recordKeyOf(operation, record)).some((reading) => reading.content === content);
  });
}

function contradictForeign(
  list: ListOperation,
  reply: Reply,
  foreign: readonly DataRecord[],
  otherReadings: RecordReadings,
  expected: string,
  mutant: MutantIdentity,
): Judgement {
  const keys = keysOf(list, foreign);
  const foreignReading = otherReadings.of(keys[0] ?? '').slice(0, 1);
  return contradicts({
    replies: [...foreignReading.map((reading) => reading.reply), reply],
    expected,
    actual: `the response contains ${describeRecords(list, keys)}, which requests with another tenant's key return with the same content`,
    records: foreign.slice(0, 3),
    mutant,
    recordKeys: keys,
  });
}

const foreignCursorAccepted = mutantOf('foreign-cursor-accepted');

const foreignCursor = ruleAbout(isCursorList, {
  id: 'tenancy/cursor',
  title: "Another tenant's cursor returns none of that tenant's records",
  why: 'Cursors travel through logs and URLs. A cursor that gives access by itself is a key.',
  strength: 'stated',
  place: (list, contract) => (contract.tenancy ? collectionPlace(list, 'page') : undefined),
  examine: async (context, list) => {
    const tenants = await readTenants(context, list);
    if (tenants === undefined) return withoutKey('other', 'a key of another tenant');
    const reply = context.quick ? undefined : await requestForeignPage(context, list, tenants);
    // A cache that ignores the key answers this one with the other tenant's page, too.
    const own = reply && (await context.ask(callFor({ ...tenants.pagination, values: {}, as: 'full' }, {})));
    const missing = context.quick ? roomInQuickRun : 'another tenant with more records than fit on a page';
    return { mutants: [{ ...foreignCursorAccepted, missing }], judge: () => reply && judgeCursor(context, list, tenants, reply, own) };
  },
});

/** Requests the other tenant's second page with the key `full`; `undefined` if there is none. */
async function requestForeignPage(context: RoundContext, list: CursorList, { pagination }: Tenants): Promise<Reply | undefined> {
  const { page } = list.collection;
  const [first] = pagination.replies;
  const nextCursor = valueAt(first?.body, page.more) === true ? valueAt(first?.body, page.next) : undefined;
  if (typeof nextCursor !== 'string' || pagination.replies.length < 2) return undefined;
  // The server never issued this cursor to this tenant, so a refusal is no violation.
  return context.ask({ ...callFor({ ...pagination, values: {}, as: 'full' }, { [page.cursor]: nextCursor }), mayBeRefused: true });
}

function judgeCursor(
  context: RoundContext,
  list: CursorList,
  { role, ownSnapshot }: Tenants,
  reply: Reply,
  own: Reply | undefined,
): Judgement | undefined {
  const otherReadings = context.readings(list, role);
  const foreignRecords = foreignIn(list, reply, otherReadings);
  if (own !== undefined && foreignIn(list, own, otherReadings).length > 0) return reportedBy('tenancy/lists');
  // If the lists of both tenants have the record, `tenancy/lists` reports it.
  const isAlsoListed = foreignRecords.some((record) => isSameValue(ownSnapshot.byKey.get(recordKeyOf(list, record)), record));
  if (isAlsoListed) return reportedBy('tenancy/lists');
  if (foreignRecords.length === 0) return reply.response.status >= 500 ? undefined : agrees(foreignCursorAccepted);
  const expected = `${list.id} with a cursor of another tenant must return none of that tenant's records`;
  return contradictForeign(list, reply, foreignRecords, otherReadings, expected, foreignCursorAccepted);
}

/** The rules, in the order of a run. */
export const tenancyRules: readonly Rule[] = [foreignRecord, foreignInList, foreignCursor];
