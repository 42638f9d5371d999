/**
 * Rules of the group `details` about single reads of annotated operations: they find each listed record with the content of its list, and report absent
 * records. Operations without annotations have their own rules.
 */

import { definedOf } from '../../../core/drop-undefined.ts';
import { type Json, printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { documentsCondition, isPlain, type Operation, responseFor, statusOf } from '../../../core/openapi/operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { createMask } from '../../../core/redaction/mask-personal-data.ts';
import { type Call, isReplyTo, isSuccess, type Reply } from '../evidence/call.ts';
import { type Caller, rolesOfOtherTenants } from '../evidence/callers.ts';
import { resourcePlace } from '../evidence/clause-places.ts';
import { findDisagreements, isDocumented } from '../evidence/find-record-disagreements.ts';
import { locateRecord } from '../evidence/locate-record-in-reply.ts';
import { identifyingParameter, namingParameter } from '../evidence/reads-without-annotations.ts';
import { recordKeyOf } from '../evidence/record-keys-and-filters.ts';
import { type RecordReading, RecordReadings } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { isBehind, readSampledRecords, type SampleRead, type ShownRecord, shownRecords } from '../evidence/single-reads.ts';
import { absentIdentity, isRecordRead, type RecordRead, recordListOf, unknownIdentity } from '../evidence/single-record-calls.ts';
import { describeHiddenDifference, describeRecords, printParameterValue } from './describe-values.ts';
import { examineRequests, type RequestExpectation } from './examinations/examine-requests.ts';
import { examinePlainAbsence, examinePlainAgreement, judgePlainAgreement } from './plain-operation-rules.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  dataMoved,
  examineInTurn,
  type Judgement,
  type Judgements,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

const contentDiffers: Candidate = candidate('detail-state-differs', 'a listed record that does not change while it is read', {
  field: 'content',
});
const versionOlder: Candidate = candidate('detail-version-older', 'a record that changes during the run', {
  field: 'state',
});

const agreeRule: Rule = {
  id: 'details/agree',
  title: 'A record has the same fields in its list and in its single read',
  why: 'Clients fill tables from the list and pages from the single read. Where the two differ, one is wrong.',
  strength: 'stated',
  clause: (operation, contract) =>
    isRecordRead(operation, contract) ? resourcePlace(operation, 'name') : namingParameter(operation)?.place,
  examine: async (context, operation) => {
    if (!isRecordRead(operation, context.contract)) return examinePlainAgreement(context, operation);
    await readSampledRecords(context, operation);
    const { version } = recordListOf(context, operation).collection;
    return { mutants: version === undefined ? [contentDiffers] : [contentDiffers, versionOlder], judge: () => undefined };
  },
  judgeReplies: (context, operation) => {
    if (!isRecordRead(operation, context.contract)) return judgePlainAgreement(context, operation);
    const list = recordListOf(context, operation);
    return [
      readsOfListed(context, operation).map((reading) => judgeReading(context, list, reading)),
      judgeLateReads(context, list, operation),
    ];
  },
};

/** Judges single reads after a change in the list. One outdated read may be a replica that lags behind; two, with the last among them, are a violation. */
function judgeLateReads(context: RoundContext, list: ListOperation, operation: Operation): Judgements {
  const listReadings = new RecordReadings(list, 'full', context.session.replies);
  const reads = shownRecords(context, operation, context.session.replies);
  return listReadings.keys.map((key) => {
    const readings = listReadings.of(key);
    const singleReads = reads.filter((each) => each.key === key);
    const outdated = singleReads.filter((each) => isBehind(list, each, readings));
    const lastRead = singleReads.at(-1);
    if (lastRead === undefined || new Set(readings.map(({ content }) => content)).size === 1) return undefined;
    const before = readings.filter((each) => each.reply.endedMs <= lastRead.reply.startedMs);
    const newest = before.at(-1);
    if (!outdated.includes(lastRead)) return new Set(before.map(({ content }) => content)).size > 1 ? agrees(versionOlder) : undefined;
    return outdated.length < 2 || newest === undefined ? undefined : contradictOlderVersion(list, operation, lastRead, newest);
  });
}

function contradictOlderVersion(list: ListOperation, operation: Operation, lastRead: ShownRecord, newest: RecordReading): Judgement {
  const { version = '' } = list.collection;
  const [singleValue, listedValue] = [lastRead, newest].map(({ record }) => printParameterValue(valueAt(record, version) ?? null));
  return contradicts({
    replies: [newest.reply, lastRead.reply],
    expected: `${showPointer(version)} of ${describeRecords(list, [lastRead.key])} in ${operation.id} must be at least ${listedValue}, as in ${list.id} before`,
    actual: `${showPointer(version)} is ${singleValue}`,
    records: [newest.record, lastRead.record],
    mutant: versionOlder,
    recordKeys: [lastRead.key],
  });
}

function judgeReading(context: RoundContext, list: ListOperation, { key, reply }: SampleRead): Judgement {
  const located = locateRecord(context.contract, reply);
  if (located === undefined) return reportedBy(isSuccess(reply) ? 'response/schema' : 'details/reachable');
  const isOther = recordKeyOf(list, located.record) !== key;
  if (isOther && reply.call.values?.[keyParameterOf(list, reply.call.operation) ?? ''] === undefined)
    return reportedBy('details/alternatives');
  const recordName = describeRecords(list, [key]);
  const unchanged = context.readings(list).unchangedDuring(key, reply.startedMs, reply.endedMs);
  if (unchanged === undefined) return dataMoved(`${recordName} did not stay unchanged in ${list.id}`);
  const { record, reply: before } = unchanged.before;
  const differences = findDisagreements(record, located.record).filter(({ at }) => isDocumented(context.contract, list, at));
  // Prefer a different value to a missing one.
  const difference = differences.find(({ actual }) => actual !== undefined) ?? differences[0];
  if (difference === undefined) return agrees(contentDiffers);
  const mask = createMask(context.contract);
  const listedValue = showMasked(valueAt(mask.maskRecord(list, record), difference.at), difference.expected);
  const singleValue = showMasked(valueAt(mask.maskRecord(reply.call.operation, located.record), difference.at), difference.actual);
  const isHidden = listedValue === singleValue;
  return contradicts({
    replies: [before, reply],
    expected: `${showPointer(difference.at)} of ${recordName} in ${reply.call.operation.id} must be ${listedValue}, as in ${list.id} before and after`,
    actual: `${showPointer(difference.at)} is ${isHidden ? describeHiddenDifference(difference.expected, difference.actual) : singleValue}`,
    records: [record, located.record],
    mutant: { id: contentDiffers.id, title: `the single read shows a different ${showPointer(difference.at)} from the list` },
    suspects: [
      { reply, part: `body ${located.at}${difference.at}` },
      { reply: before, part: `body ${list.collection.items}/*${difference.at}` },
    ],
    recordKeys: [key],
  });
}

/** A value with personal data masked, or `missing`. */
function showMasked(masked: Json | undefined, value: Json | undefined): string {
  return value === undefined || masked === undefined ? 'missing' : printParameterValue(masked);
}

const listedRecordAbsent = candidate('listed-record-absent', 'a listed record that is still there');

const reachableRule = ruleAbout(isRecordRead, {
  id: 'details/reachable',
  title: 'Every listed record has a single read',
  why: 'A client that follows a list gets an unexpected error.',
  strength: 'stated',
  place: (operation) => resourcePlace(operation, 'by'),
  examine: async (context, operation) => {
    await readSampledRecords(context, operation);
    return { mutants: [listedRecordAbsent], judge: () => undefined };
  },
  judgeReplies: (context, operation) => {
    const list = recordListOf(context, operation);
    return readsOfListed(context, operation).map(({ record, reply }) => judgeReachable(context, list, record, reply));
  },
});

/** The parameter that takes the key of the list. */
function keyParameterOf({ collection }: ListOperation, { resource }: Operation): string | undefined {
  return [...(resource?.by ?? [])].find(([, field]) => field === collection.key)?.[0];
}

/**
 * Every plain read of a record of the snapshot. A field other than the key may have the same value in two records, in any case of its letters, so only an
 * unambiguous value of a list that is known in full names a record.
 */
function readsOfListed(context: RoundContext, operation: RecordRead): readonly SampleRead[] {
  const list = recordListOf(context, operation);
  const snapshot = context.takenSnapshot(list, 'full');
  if (snapshot === undefined) return [];
  const isWhole = snapshot.isComplete && Object.keys(snapshot.base).length === 0;
  const identityIn = (record: DataRecord, field: string): string => String(valueAt(record, field)).toLowerCase();
  const recordsNamed = new Map<string, DataRecord[]>();
  for (const [parameter, field] of operation.resource.by)
    if (isWhole || field === list.collection.key)
      for (const record of snapshot.records) getOrCompute(recordsNamed, `${parameter}=${identityIn(record, field)}`, () => []).push(record);
  return context.replies.flatMap((reply) => {
    const [[parameter = '', value] = []] = isPlainRead(reply, operation) ? Object.entries(reply.call.values ?? {}) : [];
    const [record, ...others] = recordsNamed.get(`${parameter}=${String(value).toLowerCase()}`) ?? [];
    const isNamed = record !== undefined && valueAt(record, operation.resource.by.get(parameter) ?? '') === value;
    return isNamed && others.length === 0 ? [{ record, key: recordKeyOf(list, record), reply }] : [];
  });
}

/** True for a request that only identifies one record, with the full key. A request that got 429 or 503 was repeated. */
function isPlainRead(reply: Reply, operation: Operation): boolean {
  const { values = {}, raw, segments, headers, carrier } = reply.call;
  const hasFurtherParts = [raw, segments, headers, carrier].some((part) => part !== undefined);
  return isReplyTo(reply, operation) && !hasFurtherParts && Object.keys(values).length === 1 && ![429, 503].includes(reply.response.status);
}

function judgeReachable(context: RoundContext, list: ListOperation, record: DataRecord, reply: Reply): Judgement {
  const { status } = reply.response;
  if (isSuccess(reply)) return agrees(listedRecordAbsent);
  if (status >= 500) return reportedBy('response/no-server-error');
  const key = recordKeyOf(list, record);
  const recordName = describeRecords(list, [key]);
  const unchanged = context.readings(list).unchangedDuring(key, reply.startedMs, reply.endedMs);
  if (unchanged === undefined) return dataMoved(`${recordName} did not stay unchanged in ${list.id}`);
  return contradicts({
    replies: [unchanged.before.reply, reply],
    expected: `${reply.call.operation.id} must return ${recordName}, which ${list.id} contains before and after`,
    actual: `the status is ${status}`,
    records: [unchanged.before.record],
    mutant: listedRecordAbsent,
    // The list may be wrong instead: it may contain a record that is not for this caller.
    suspects: [
      { reply, part: 'answer' },
      { reply: unchanged.before.reply, part: 'records' },
    ],
    recordKeys: [key],
  });
}

const placeVaries = candidate('place-varies', 'two records that can be read');

const samePlaceRule = ruleAbout(isRecordRead, {
  id: 'details/same-place',
  title: 'Every record has the same place in the response body',
  why: 'A client reads each record from the place where it found the first.',
  strength: 'implied',
  place: (operation) => resourcePlace(operation, 'at'),
  examine: async (context, operation) => {
    await readSampledRecords(context, operation);
    return { mutants: [placeVaries], judge: () => judgePlaces(context, operation) };
  },
});

function judgePlaces(context: RoundContext, { id }: Operation): Judgement | undefined {
  const locatedRecords = context.replies.flatMap((reply) => {
    const located = reply.call.operation.id === id ? locateRecord(context.contract, reply) : undefined;
    return located === undefined ? [] : [{ ...located, reply }];
  });
  const [first] = locatedRecords;
  const other = locatedRecords.find(({ at }) => at !== first?.at);
  if (first === undefined || other === undefined)
    return new Set(locatedRecords.map(({ record }) => printJson(record))).size < 2 ? undefined : agrees(placeVaries);
  const showPlace = (at: string): string => (at === '' ? 'the top of the body' : showPointer(at));
  return contradicts({
    replies: [first.reply, other.reply],
    expected: `${id} must return each record at ${showPlace(first.at)}, as in an earlier response`,
    actual: `another record is at ${showPlace(other.at)}`,
    records: [first.record, other.record],
    mutant: placeVaries,
  });
}

const unusedIdentifier = 'an identifier without a record';
const absentAsFirst = candidate('absent-as-first', unusedIdentifier);
const absentAsEmpty = candidate('absent-as-empty', unusedIdentifier);
const absentAsOtherError = candidate('absent-as-other-failure', unusedIdentifier);

const absentRule: Rule = {
  id: 'details/absent',
  title: 'A request for a record that does not exist returns 404',
  why: 'A client takes any success for the record. It must learn that the record is gone.',
  strength: 'stated',
  clause: (operation, contract) =>
    isRecordRead(operation, contract)
      ? responseFor(operation, statusOf(operation, 'absent'))?.place
      : isPlain(operation)
        ? identifyingParameter(operation)?.place
        : undefined,
  examine: async (context, operation) => {
    const parameter = identifyingParameter(operation);
    if (!isRecordRead(operation, context.contract))
      return parameter === undefined ? { mutants: [], judge: () => [] } : examinePlainAbsence(context, operation, parameter);
    const calls = await absentCalls(context, operation);
    return examineRequests(
      context,
      calls.map((call) => mustBeAbsent(context, call)),
    );
  },
};

/** Distance from the largest observed number, and the largest 32-bit number. */
const unusedNumberStep = 1_000_003;
const largestInt32 = 2 ** 31 - 1;

async function absentCalls(context: RoundContext, operation: RecordRead): Promise<readonly Call[]> {
  const { records } = await context.snapshot(recordListOf(context, operation));
  const calls = [...operation.resource.by].flatMap(([parameter, field]): readonly Call[] => {
    const values = records.map((record) => valueAt(record, field));
    if (operation.parameters.find((each) => each.key === parameter)?.kinds.includes('string') !== true) {
      const maximum = Math.max(0, ...values.filter((each) => typeof each === 'number'));
      const value = maximum + unusedNumberStep <= largestInt32 ? maximum + unusedNumberStep : maximum + 7;
      return Number.isSafeInteger(value) ? [{ operation, values: { [parameter]: value } }] : [];
    }
    const identifier = absentIdentity(operation, parameter);
    return values.includes(identifier) ? [] : [{ operation, values: { [parameter]: identifier } }];
  });
  // Requests of other rules cost nothing, so they come first.
  return [{ operation, values: unknownIdentity(operation) }, ...calls].slice(0, context.quick ? 1 : 4);
}

function mustBeAbsent({ contract }: RoundContext, call: Call): RequestExpectation {
  const { operation, values = {} } = call;
  const [parameter = '', value = ''] = Object.entries(values)[0] ?? [];
  const identifier = `${parameter}=${printParameterValue(value)}`;
  const status = statusOf(operation, 'absent');
  const recordIn = (reply: Reply): DataRecord | undefined => locateRecord(contract, reply)?.record;
  const isNamed = (record: DataRecord | undefined): boolean =>
    record !== undefined && String(valueAt(record, operation.resource?.by.get(parameter) ?? '')) === String(value);
  return {
    call,
    what: `${identifier}, which names no record,`,
    must: `respond with ${status}`,
    isRight: ({ response }) => response.status === status,
    mutants: [absentAsFirst, absentAsEmpty, absentAsOtherError],
    explain: (reply) => (recordIn(reply) !== undefined ? absentAsFirst : isSuccess(reply) ? absentAsEmpty : absentAsOtherError),
    doubt: (reply) => (isNamed(recordIn(reply)) ? dataMoved(`a record with ${identifier} was added`) : undefined),
    wrongRecords: (reply) => definedOf(recordIn(reply)),
  };
}

const viewPresent = candidate('view-present', 'a key of a tenant without this resource (--key ROLE=VARIABLE)');
const viewAbsent = candidate('view-absent', 'a key of a tenant with this resource');

const viewsRule: Rule = {
  id: 'details/views',
  title: 'Two views of one resource are both present or both absent',
  why: 'A client reads the summary before it fetches the full resource. If only one of them exists, one response is wrong.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) => (otherView(operation, contract.operations) === undefined ? undefined : resourcePlace(operation, 'view')),
  examine: async (context, operation) => {
    const plainOperation = otherView(operation, context.contract.operations);
    const resourceReplies: Reply[] = [];
    // One caller with the resource and one without are enough.
    const needsOtherCaller = (): boolean => !resourceReplies.some(isSuccess) || resourceReplies.every(isSuccess);
    // The role `other` most likely has the resource too, so the other tenants come first.
    const tenants = rolesOfOtherTenants(context.keys).toSorted((left, right) => Number(left === 'other') - Number(right === 'other'));
    return examineInTurn(context, [viewPresent, viewAbsent], ['full', ...tenants], async (caller) => {
      if (plainOperation === undefined || !needsOtherCaller()) return undefined;
      const as = caller === 'full' ? {} : { as: caller };
      const view = await context.ask({ operation, ...as });
      const plain = await context.ask({ operation: plainOperation, ...as });
      resourceReplies.push(plain);
      const { status } = view.response;
      const repeated = status === plain.response.status ? view : await context.askAgain(view.call);
      return () =>
        repeated.response.status === status ? judgeViews(caller, view, plain) : dataMoved(`${operation.id} appeared or disappeared`);
    });
  },
};

/** The plain read of the resource whose view an operation returns. */
function otherView({ resource }: Operation, operations: readonly Operation[]): Operation | undefined {
  if (resource?.view === undefined || resource.by.size > 0) return undefined;
  return operations.find(
    (each) => each.resource?.name === resource.name && each.resource.view === undefined && documentsCondition(each, 'absent'),
  );
}

function judgeViews(caller: Caller, view: Reply, plain: Reply): Judgement {
  const [first, second] = [view.response.status, plain.response.status];
  const unexpected = [first, second].find((status) => status !== 404 && (status < 200 || status > 299));
  if (unexpected !== undefined) return reportedBy(unexpected === 403 || unexpected === 401 ? 'keys/scopes' : 'response/status');
  if (isSuccess(view) === isSuccess(plain)) return agrees(isSuccess(view) ? viewAbsent : viewPresent);
  return contradicts({
    replies: [view, plain],
    expected: `${view.call.operation.id} and ${plain.call.operation.id} must both exist or both be absent for the key ${caller}`,
    actual: `the statuses are ${first} and ${second}`,
    mutant: isSuccess(view) ? viewPresent : viewAbsent,
  });
}

/** The rules, in the order of a run. */
export const singleReadRules: readonly Rule[] = [agreeRule, reachableRule, samePlaceRule, absentRule, viewsRule];
