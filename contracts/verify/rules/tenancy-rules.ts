/**
 * Rules of the group `tenancy`: a key shows no record of another tenant. The rule catalogue lists them; a round, and `explain`, examine each at the
 * operations with tenants. They need a key of a second tenant; refused keys belong to `key-rules.ts`.
 */

import type { CursorPage } from '../../../core/annotations/annotations.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Operation, responseFor } from '../../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import {
  type Call,
  type Caller,
  encodeAnyText,
  isSuccess,
  otherTenants,
  type Reply,
  recordsIn,
  usableTag,
  withTag,
} from '../engine/call-and-reply.ts';
import { collectionPlace, isConditional, requestIdOf, resourcePlace } from '../engine/clauses.ts';
import { differencesBetween, lastingDifferences, type ReplyComparison } from '../engine/compare-replies.ts';
import { keyOf, type ParameterValues } from '../engine/paginate.ts';
import type { RunContext } from '../engine/run-context.ts';
import { absentIdentity } from '../engine/single-read.ts';
import { largestPage } from '../engine/snapshot.ts';
import { foreignBy, identityOf, isSingleton, otherKeyMissing, readTenants, showsRecord, type Tenants } from '../engine/tenants.ts';
import {
  agrees,
  type Candidate,
  describeRecords,
  type Judgement,
  printParameterValue,
  type Rule,
  reportedBy,
  roomInQuickRun,
} from './rule.ts';

const foreignRecord: Rule = {
  id: 'tenancy/single',
  title: "Another tenant's record looks exactly like one that does not exist",
  why: 'Any difference shows which records other tenants have. In the worst case it shows their content.',
  strength: 'stated',
  clause: (operation, contract) => {
    const { resource } = operation;
    const isConcerned = contract.tenancy && resource !== undefined && resource.by.size > 0;
    return isConcerned && contract.collections.some(({ name }) => name === resource.name) ? responseFor(operation, 404)?.place : undefined;
  },
  examine: async (context, operation) => {
    const list = context.listOf(operation);
    const tenants = list === undefined ? undefined : await readTenants(context, list);
    if (tenants === undefined) return { untestable: otherKeyMissing };
    const names = [...(operation.resource?.by.keys() ?? [])];
    const looked = context.quick ? names.slice(0, 1) : names;
    const reads: RecordReads[] = [];
    for (const name of looked) reads.push(...(await readForeign(context, operation, tenants, name)));
    return {
      mutants: recordMutants(context, operation, names),
      judge: () => reads.flatMap((each) => judgeReads(context, each)),
    };
  },
};

function recordMutants(context: RunContext, operation: Operation, names: readonly string[]): readonly Candidate[] {
  const missing = (name: string): string => `a record of another tenant whose ${name} none of the caller's own has`;
  return [
    ...names.map((name, index) => ({ ...foreignShown(name), missing: context.quick && index > 0 ? roomInQuickRun : missing(name) })),
    { ...distinguishable, missing: missing(names[0] ?? 'key') },
    ...(isConditional(operation)
      ? [{ ...foreignUnchanged, missing: context.quick ? roomInQuickRun : 'a tag of a record of another tenant' }]
      : []),
  ];
}

function foreignShown(name: string): MutantIdentity {
  return mutantOf('tenancy/single', 'foreign-record-shown', { parameter: name }, name);
}

const distinguishable = mutantOf('tenancy/single', 'foreign-record-told');
const foreignUnchanged = mutantOf('tenancy/single', 'foreign-record-unchanged');

/** Requests for another tenant's record and for a record that does not exist. */
interface RecordReads {
  readonly name: string;
  readonly tenants: Tenants;
  readonly record: Tenants['pagination']['records'][number];
  /** Replies to each request: one, or two if the first replies differ. */
  readonly foreign: readonly Reply[];
  readonly absent: readonly Reply[];
  /** The replies to the requests for the other tenant's record, and for the record that does not exist, with the tag of the former. */
  readonly tagged: readonly Reply[];
}

async function readForeign(context: RunContext, operation: Operation, tenants: Tenants, name: string): Promise<readonly RecordReads[]> {
  const [record] = foreignBy(tenants, operation.resource?.by.get(name) ?? '');
  const value = record === undefined ? undefined : identityOf(operation, name, record);
  if (record === undefined || value === undefined) return [];
  const call: Call = { operation, values: { [name]: value } };
  const absentCall: Call = { operation, values: { [name]: absentIdentity(operation, name) } };
  const [foreign, absent] = [await context.ask(call), await context.ask(absentCall)];
  const isSame = differencesBetween(absent, foreign, comparisonFor(context)).length === 0;
  const again = isSame ? [] : [await context.askAgain(absentCall), await context.askAgain(call)];
  const isFirst = [...(operation.resource?.by.keys() ?? [])][0] === name;
  const tagged = isFirst && isConditional(operation) && !context.quick ? await askTagged(context, [call, absentCall], tenants.role) : [];
  return [{ name, tenants, record, foreign: [foreign, ...again.slice(1)], absent: [absent, ...again.slice(0, 1)], tagged }];
}

async function askTagged(context: RunContext, [call, absentCall]: readonly [Call, Call], role: string): Promise<readonly Reply[]> {
  const tag = usableTag(await context.ask({ ...call, as: role }));
  if (tag === undefined) return [];
  const tagged = await context.ask(withTag(call, tag));
  // A refusal is right, and needs no comparison.
  return tagged.response.status >= 400 ? [tagged] : [tagged, await context.ask(withTag(absentCall, tag))];
}

/** A comparison that ignores echoed values: the requested identifier, and the request id. */
function comparisonFor(context: RunContext): ReplyComparison {
  return {
    neutral: (text, reply) => {
      const requested = Object.values(reply.call.values ?? {}).map((value) => printParameterValue(value));
      const own = [requestIdOf(context.contract, reply), ...requested, ...requested.map(encodeAnyText)].filter(
        (each) => each !== undefined,
      );
      return own.reduce((rest, each) => rest.replaceAll(new RegExp(`(?<!\\w)${escapePattern(each)}(?!\\w)`, 'g'), '‹own›'), text);
    },
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function judgeReads(context: RunContext, reads: RecordReads): readonly Judgement[] {
  return [...judgePlain(context, reads), ...judgeTagged(reads)];
}

function judgePlain(context: RunContext, reads: RecordReads): readonly Judgement[] {
  const { name, record, foreign, absent } = reads;
  const [first, second] = foreign;
  const [none, noneAgain] = absent;
  if (first === undefined || none === undefined) return [];
  if (first.response.status >= 500) return [reportedBy('response/no-server-error')];
  if (isSuccess(none)) return [reportedBy('details/absent')];
  if (isSuccess(first)) {
    // The caller may have a record with the same identity, so the content is compared.
    return showsRecord(first, record) ? [contradictReads(reads, [none, first], 'the response shows the record', foreignShown(name))] : [];
  }
  const lasting =
    second === undefined || noneAgain === undefined ? [] : lastingDifferences([none, noneAgain], [first, second], comparisonFor(context));
  if (lasting.length === 0) return [agrees(foreignShown(name), distinguishable)];
  const isStatus = lasting.includes('status');
  const what = isStatus
    ? `the status is ${first.response.status}; for a record that does not exist, it is ${none.response.status}`
    : `the responses differ in ${lasting.slice(0, 3).join(', ')}`;
  return [contradictReads(reads, [none, first], what, distinguishable)];
}

function judgeTagged(reads: RecordReads): readonly Judgement[] {
  const {
    tagged: [tagged, absent],
    foreign,
  } = reads;
  const [plain] = foreign;
  if (tagged === undefined || plain === undefined || isSuccess(plain) || tagged.response.status >= 500) return [];
  if (tagged.response.status >= 400) return [agrees(foreignUnchanged)];
  // The same status for a record that does not exist: the tag does not reveal other tenants.
  if (absent?.response.status === tagged.response.status) return [reportedBy('conditional/failures')];
  return [contradictReads(reads, [plain, tagged], `with the tag of the record, the status is ${tagged.response.status}`, foreignUnchanged)];
}

function contradictReads(
  { name, record, tenants }: RecordReads,
  replies: readonly Reply[],
  actual: string,
  mutant: Omit<Candidate, 'missing'>,
): Judgement {
  const [reply] = replies;
  const operation = reply?.call.operation;
  const value = operation === undefined ? undefined : identityOf(operation, name, record);
  return {
    kind: 'contradicts',
    replies,
    expected: `${operation?.id ?? ''} with ${name}=${printParameterValue(value ?? null)}, another tenant's record, must respond as for a record that does not exist`,
    actual,
    records: [record],
    mutant,
    witnesses: [keyOf(tenants.own.operation, record)],
  };
}

const foreignListed = mutantOf('tenancy/lists', 'foreign-records-listed');
const foreignFiltered = mutantOf('tenancy/lists', 'foreign-records-filtered', { parameter: 'a filter' });

const foreignInList: Rule = {
  id: 'tenancy/lists',
  title: 'A list has no record of another tenant',
  why: "One foreign record in a list gives a business's data to its competitor.",
  strength: 'stated',
  clause: (operation, contract) => (contract.tenancy && isList(operation) ? collectionPlace(operation) : undefined),
  examine: async (context, operation) => {
    if (!isList(operation)) throw new TypeError(`${operation.id} is no list`);
    const tenants = await readTenants(context, operation);
    if (tenants === undefined) return { untestable: otherKeyMissing };
    const asked: Reply[] = [];
    for (const values of context.quick ? [] : selectionsOf(tenants, operation).slice(0, 1)) {
      asked.push(await context.ask({ operation, values: { ...values, [operation.collection.page.limit]: largestPage(operation) } }));
    }
    return { mutants: listMutants(context, operation), judge: () => judgeLists(context, operation, tenants, asked) };
  },
};

function listMutants(context: RunContext, operation: ListOperation): readonly Candidate[] {
  const missing = 'a record of another tenant';
  const hasFilters = selectionFor(operation, undefined) !== undefined;
  return [
    { ...foreignListed, missing },
    ...(hasFilters ? [{ ...foreignFiltered, missing: context.quick ? roomInQuickRun : missing }] : []),
  ];
}

/** Filter values that match a foreign record: all filters in one request, and one filter for equal values alone. */
function selectionsOf(tenants: Tenants, operation: ListOperation): readonly ParameterValues[] {
  const [record] = [...foreignBy(tenants, operation.collection.key), ...tenants.pagination.records];
  if (record === undefined) return [];
  const all = selectionFor(operation, record);
  const [simple] = Object.entries(all ?? {}).filter(([name]) => isByValue(operation, name));
  return [...(all === undefined ? [] : [all]), ...(simple === undefined ? [] : [Object.fromEntries([simple])])];
}

function isByValue(operation: ListOperation, name: string): boolean {
  return ['equals', 'any-of'].includes(operation.collection.filters.get(name)?.operator ?? '');
}

/** Filter values from the fields of a record, which it therefore matches; `undefined` if there are none. */
function selectionFor({ collection }: ListOperation, record: DataRecord | undefined): ParameterValues | undefined {
  const values = [...collection.filters].flatMap(([name, filter]): readonly (readonly [string, Json])[] => {
    if (!['equals', 'any-of', 'from', 'to'].includes(filter.operator) || filter.operator === 'matches') return [];
    const value = record === undefined ? '' : valueAt(record, filter.field);
    if (value === undefined || value === null) return [];
    return [[name, filter.operator === 'any-of' ? [value] : value]];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function judgeLists(
  context: RunContext,
  operation: ListOperation,
  tenants: Tenants,
  filteredReplies: readonly Reply[],
): readonly Judgement[] {
  const { role, pagination, own } = tenants;
  if (pagination.records.length === 0) return [];
  const theirs = context.readings(operation, role);
  const findings = context.replies.flatMap((reply) => {
    const foreign = isReplyToOwnRequest(operation, reply, pagination.replies) ? foreignIn(operation, reply, theirs) : [];
    return foreign.length === 0 ? [] : [contradictList(operation, reply, foreign, theirs)];
  });
  if (findings.length > 0) return findings;
  const isWhole = own.isComplete ? [foreignListed.id] : [];
  const isNarrowed = filteredReplies.some((reply) => recordsIn(reply) !== undefined) ? [foreignFiltered.id] : [];
  const refutes = [...isWhole, ...isNarrowed];
  return refutes.length === 0 ? [] : [agrees(...refutes)];
}

/** True for a reply to the key `full`, except one to a cursor of another tenant, which `tenancy/cursor` judges. */
function isReplyToOwnRequest(operation: ListOperation, reply: Reply, others: readonly Reply[]): boolean {
  const { page } = operation.collection;
  if (reply.call.operation.id !== operation.id || (reply.call.as ?? 'full') !== 'full') return false;
  const cursor = page.style === 'cursor' ? reply.call.values?.[page.cursor] : undefined;
  return cursor === undefined || page.style !== 'cursor' || !others.some((each) => valueAt(each.body, page.next) === cursor);
}

type TheirReadings = ReturnType<RunContext['readings']>;

/** Records of a reply that the other tenant has with the same key and content. Two tenants may have records with the same key, but rarely with the same content. */
function foreignIn(operation: ListOperation, reply: Reply, theirs: TheirReadings): readonly DataRecord[] {
  return (recordsIn(reply) ?? []).filter((record) => {
    const content = JSON.stringify(record);
    return theirs.of(keyOf(operation, record)).some((reading) => reading.content === content);
  });
}

function contradictList(operation: ListOperation, reply: Reply, foreign: readonly DataRecord[], theirs: TheirReadings): Judgement {
  const keys = foreign.map((record) => keyOf(operation, record));
  const [seen] = theirs.of(keys[0] ?? '');
  const isFiltered = Object.keys(reply.call.values ?? {}).some((name) => operation.collection.filters.has(name));
  return {
    kind: 'contradicts',
    replies: [...(seen === undefined ? [] : [seen.reply]), reply],
    expected: `${operation.id} must contain no record of another tenant`,
    actual: `the response contains ${describeRecords(operation, keys)}, which the key of another tenant shows with the same content`,
    records: foreign.slice(0, 3),
    mutant: isFiltered ? foreignFiltered : foreignListed,
    witnesses: keys,
  };
}

const firstTenantForAll = mutantOf('tenancy/named', 'first-tenant-for-all');

const unnamedRecord: Rule = {
  id: 'tenancy/named',
  title: 'A record without an identifier belongs to the tenant of the key',
  why: 'Such a record is chosen by the key alone. Nobody notices when it belongs to another tenant.',
  strength: 'implied',
  clause: (operation, { tenancy }) => (tenancy && isSingleton(operation) ? resourcePlace(operation, 'name') : undefined),
  examine: async (context, operation) => {
    const [other] = otherTenants(context.keys);
    if (other === undefined) return { untestable: otherKeyMissing };
    const missing = `an identifier in ${operation.id} that other operations name too, with another value for each tenant`;
    const mutants = [{ ...firstTenantForAll, missing: context.quick ? roomInQuickRun : missing }];
    if (context.quick) return { mutants, judge: () => [] };
    // Replies that name the tenants are needed even if no other rule of this run requests them.
    for (const each of context.contract.operations.filter(isSingleton))
      for (const caller of ['full', other]) await context.ask({ operation: each, ...(caller === 'full' ? {} : { as: caller }) });
    for (const list of context.contract.operations.filter(isList)) if (list.collection.head !== undefined) await readTenants(context, list);
    const replies = [await context.ask({ operation }), await context.ask({ operation, as: other })];
    const judge = (): readonly Judgement[] => {
      const [own, others] = ['full', other].map((caller) => identifiersElsewhere(context, operation, caller));
      const findings = [...judgeIdentifiers(operation, replies[0], own, others), ...judgeIdentifiers(operation, replies[1], others, own)];
      const wrong = findings.filter(({ kind }) => kind === 'contradicts');
      return wrong.length > 0 ? wrong : findings;
    };
    return { mutants, judge };
  },
};

/** Values by the name of their identifier, such as `business/id`, each with the reply that has it. */
type IdentifierValues = ReadonlyMap<string, ReadonlyMap<Json, Reply>>;

/** The identifiers in the replies of all other operations to a caller, outside of listed records. */
function identifiersElsewhere(context: RunContext, { id }: Operation, caller: Caller): IdentifierValues {
  const named = new Map<string, Map<Json, Reply>>();
  for (const reply of context.replies.filter(({ call }) => call.operation.id !== id && (call.as ?? 'full') === caller))
    for (const [name, value] of identifiersIn(reply)) named.set(name, (named.get(name) ?? new Map<Json, Reply>()).set(value, reply));
  return named;
}

/** Tenants share some identifiers, such as that of a currency. So a reply belongs to another tenant only if all identifiers that differ between tenants do. */
function judgeIdentifiers(
  operation: Operation,
  reply: Reply | undefined,
  own: IdentifierValues = new Map(),
  others: IdentifierValues = new Map(),
): readonly Judgement[] {
  const distinguishing =
    reply === undefined ? [] : identifiersIn(reply).filter(([name, value]) => own.get(name)?.has(value) !== others.get(name)?.has(value));
  const known = distinguishing.filter(([name]) => own.has(name) && others.has(name));
  if (known.some(([name, value]) => own.get(name)?.has(value))) return [agrees(firstTenantForAll)];
  return known.slice(0, 1).flatMap(([name, value]): readonly Judgement[] => {
    const [ours] = own.get(name) ?? [];
    const theirs = others.get(name)?.get(value);
    if (reply === undefined || ours === undefined || theirs === undefined) return [];
    const [expected, source] = ours;
    return [
      {
        kind: 'contradicts',
        replies: [source, theirs, reply],
        expected: `${name} in ${operation.id} must be ${printParameterValue(expected)}, as in ${source.call.operation.id} with the same key`,
        actual: `${name} is ${printParameterValue(value)}, as in ${theirs.call.operation.id} with the key of another tenant`,
        mutant: firstTenantForAll,
        witnesses: [],
      },
    ];
  });
}

/** The identifiers in a successful reply outside of listed records, which depend on the request and not on the tenant. */
function identifiersIn(reply: Reply): readonly (readonly [name: string, value: Json])[] {
  const { collection, resource } = reply.call.operation;
  if (!isSuccess(reply) || reply.body === undefined || (collection === undefined && resource?.by.size !== 0)) return [];
  const body = collection === undefined ? valueAt(reply.body, resource?.at ?? '') : withValueAt(reply.body, collection.items, null);
  return identifiersOf(body, resource?.name ?? collection?.name ?? '');
}

function identifiersOf(value: Json | undefined, owner: string): readonly (readonly [name: string, value: Json])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    if (isObject(member)) return identifiersOf(member, ['data', 'result'].includes(name) ? owner : name);
    if (typeof member !== 'string' && typeof member !== 'number') return [];
    if (/^(?:id|uuid)$/.test(name)) return [[`${owner}/${name}`, member]];
    return /[_-](?:id|uuid)$|[a-z](?:Id|ID|Uuid|UUID)$/.test(name) ? [[name, member]] : [];
  });
}

const foreignCursorAccepted = mutantOf('tenancy/cursor', 'foreign-cursor-accepted');

const foreignCursor: Rule = {
  id: 'tenancy/cursor',
  title: "Another tenant's cursor gives none of its records",
  why: 'Cursors travel through logs and URLs. A cursor that gives access by itself is a key.',
  strength: 'stated',
  clause: (operation, contract) =>
    contract.tenancy && isList(operation) && operation.collection.page.style === 'cursor' ? collectionPlace(operation, 'page') : undefined,
  examine: async (context, operation) => {
    if (!isList(operation) || operation.collection.page.style !== 'cursor') throw new TypeError(`${operation.id} has no cursors`);
    const tenants = await readTenants(context, operation);
    if (tenants === undefined) return { untestable: otherKeyMissing };
    const reply = context.quick ? undefined : await requestForeignPage(context, operation, operation.collection.page, tenants);
    const missing = context.quick ? roomInQuickRun : 'another tenant with more records than fit on a page';
    const mutants: readonly Candidate[] = [{ ...foreignCursorAccepted, missing }];
    return { mutants, judge: () => (reply === undefined ? [] : judgeCursor(context, operation, tenants, reply)) };
  },
};

/** Requests the other tenant's second page with the key `full`; `undefined` if there is none. */
async function requestForeignPage(
  context: RunContext,
  operation: ListOperation,
  page: CursorPage,
  { pagination }: Tenants,
): Promise<Reply | undefined> {
  const [first] = pagination.replies;
  const next = first === undefined || valueAt(first.body, page.more) !== true ? undefined : valueAt(first.body, page.next);
  if (typeof next !== 'string' || pagination.replies.length < 2) return undefined;
  const size = pagination.limit === undefined ? {} : { [page.limit]: pagination.limit };
  // The server never issued this cursor to this tenant, so a refusal is no violation.
  return context.ask({ operation, values: { ...size, [page.cursor]: next }, isDamaged: true });
}

function judgeCursor(context: RunContext, operation: ListOperation, { role, own }: Tenants, reply: Reply): readonly Judgement[] {
  const theirs = context.readings(operation, role);
  const foreign = foreignIn(operation, reply, theirs);
  // If the lists of both tenants have the record, `tenancy/lists` reports it.
  const isListed = foreign.some((record) => JSON.stringify(own.byKey.get(keyOf(operation, record))) === JSON.stringify(record));
  if (isListed) return [reportedBy('tenancy/lists')];
  if (foreign.length === 0) return reply.response.status >= 500 ? [] : [agrees(foreignCursorAccepted)];
  const keys = foreign.map((record) => keyOf(operation, record));
  const [seen] = theirs.of(keys[0] ?? '');
  return [
    {
      kind: 'contradicts',
      replies: [...(seen === undefined ? [] : [seen.reply]), reply],
      expected: `${operation.id} with a cursor of another tenant must return none of that tenant's records`,
      actual: `the response contains ${describeRecords(operation, keys)}, which the key of the other tenant shows with the same content`,
      records: foreign.slice(0, 3),
      mutant: foreignCursorAccepted,
      witnesses: keys,
    },
  ];
}

/** The rules, in the order of a run. */
export const tenancyRules: readonly Rule[] = [foreignRecord, foreignInList, unnamedRecord, foreignCursor];
