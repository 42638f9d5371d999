/** Rules about reading one record: it is there, the same as in its list, at one place of the answer, and in each of its views. */

import type { Json } from '../../../core/json.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Operation, responseFor, statusOf } from '../../../core/openapi/operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { createMask } from '../../../core/redaction/personal-data.ts';
import { type Call, type Caller, isSuccess, otherTenants, type Reply } from '../engine/call.ts';
import { resourcePlace } from '../engine/clauses.ts';
import { disagreements, isDocumented } from '../engine/compare-records.ts';
import { keyOf } from '../engine/paginate.ts';
import { type RecordReading, RecordReadings } from '../engine/readings.ts';
import { isBehind, isRecordRead, listOf, readSample, type SampleRead, type ShownRecord, shownRecords } from '../engine/record-reads.ts';
import type { RunContext } from '../engine/run-context.ts';
import { absentIdentity, locate, type RecordRead, unknownIdentity } from '../engine/single-read.ts';
import { documents } from './refusal.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  dataMoved,
  describeRecords,
  examineInTurn,
  type Judgement,
  type Judgements,
  type Rule,
  reportedBy,
  ruleAbout,
  showValue,
} from './rule.ts';

const otherContent: Candidate = candidate('details/agree', 'detail-state-differs', 'a listed record that stays as it is while it is read', {
  field: 'content',
});
const behind: Candidate = candidate('details/agree', 'detail-version-older', 'a record that changes during the run', { field: 'state' });

const agree = ruleAbout(isRecordRead, {
  id: 'details/agree',
  title: 'A record has the same fields in its list and in its single read',
  why: 'Clients fill tables from the list and pages from the single read. One of the two is wrong where they differ.',
  strength: 'stated',
  place: (operation) => resourcePlace(operation, 'name'),
  examine: async (context, operation) => {
    const list = listOf(context, operation);
    const readings = await readSample(context, operation);
    return {
      mutants: list.collection.version === undefined ? [otherContent] : [otherContent, behind],
      judge: () => [readings.map((reading) => judgeReading(context, list, reading)), judgeLateReads(context, list, operation)],
    };
  },
});

/** Records that changed in their list, read by themselves after that: one read may be a moment behind; two, of which one is the last, are not. */
function judgeLateReads(context: RunContext, list: ListOperation, operation: Operation): Judgements {
  const listed = new RecordReadings(list, 'full', context.session.replies);
  const reads = shownRecords(context, operation, context.session.replies);
  return listed.keys.map((key) => {
    const readings = listed.of(key);
    const own = reads.filter((each) => each.key === key);
    const late = own.filter((each) => isBehind(list, each, readings));
    const last = own.at(-1);
    if (last === undefined || new Set(readings.map(({ content }) => content)).size === 1) return undefined;
    const before = readings.filter((each) => each.reply.endedMs <= last.reply.startedMs);
    const newest = before.at(-1);
    if (!late.includes(last)) return new Set(before.map(({ content }) => content)).size > 1 ? agrees(behind) : undefined;
    return late.length < 2 || newest === undefined ? undefined : staysBehind(list, operation, last, newest);
  });
}

function staysBehind(list: ListOperation, operation: Operation, last: ShownRecord, newest: RecordReading): Judgement {
  const { version = '' } = list.collection;
  const [shown, listed] = [last, newest].map(({ record }) => showValue(valueAt(record, version) ?? null));
  return contradicts({
    replies: [newest.reply, last.reply],
    expected: `${showPointer(version)} of ${describeRecords(list, [last.key])} in ${operation.id} must be at least ${listed}, as in ${list.id} before`,
    actual: `${showPointer(version)} is ${shown}`,
    records: [newest.record, last.record],
    mutant: behind,
    witnesses: [last.key],
  });
}

function judgeReading(context: RunContext, list: ListOperation, { key, reply }: SampleRead): Judgement {
  const located = locate(context.contract, reply);
  if (located === undefined) return reportedBy(isSuccess(reply) ? 'response/schema' : 'details/reachable');
  const named = describeRecords(list, [key]);
  const still = context.readings(list).unchangedDuring(key, reply.startedMs, reply.endedMs);
  if (still === undefined) return dataMoved(`${named} did not stay as it was in ${list.id}`);
  const { record, reply: before } = still.before;
  const all = disagreements(record, located.record).filter(({ at }) => isDocumented(context.contract, list, at));
  // A different value says more than a missing one.
  const first = all.find(({ right }) => right !== undefined) ?? all[0];
  if (first === undefined) return agrees(otherContent);
  const mask = createMask(context.contract);
  const listed = show(valueAt(mask.maskRecord(list, record), first.at), first.left);
  const shown = show(valueAt(mask.maskRecord(reply.call.operation, located.record), first.at), first.right);
  return contradicts({
    replies: [before, reply],
    expected: `${showPointer(first.at)} of ${named} in ${reply.call.operation.id} must be ${listed}, as in ${list.id} before and after`,
    actual: `${showPointer(first.at)} is ${shown}`,
    records: [record, located.record],
    mutant: { id: otherContent.id, title: `the single read shows another ${showPointer(first.at)} than the list` },
    suspects: [
      { reply, part: `body ${located.at}${first.at}` },
      { reply: before, part: `body ${list.collection.items}/*${first.at}` },
    ],
    witnesses: [key],
  });
}

/** A value with personal data masked, or `missing`. */
function show(masked: Json | undefined, value: Json | undefined): string {
  return value === undefined || masked === undefined ? 'missing' : showValue(masked);
}

const unread = candidate('details/reachable', 'listed-record-absent', 'a listed record that is still there');

const reachable = ruleAbout(isRecordRead, {
  id: 'details/reachable',
  title: 'Every listed record can be read by itself',
  why: 'A client that follows its own list gets an error that it has no reason to expect.',
  strength: 'stated',
  place: (operation) => resourcePlace(operation, 'by'),
  examine: async (context, operation) => {
    const list = listOf(context, operation);
    await readSample(context, operation);
    const { records } = await context.snapshot(list);
    const [parameter = '', field = ''] = [...operation.resource.by][0] ?? [];
    const byName = new Map(records.map((record) => [JSON.stringify(valueAt(record, field) ?? null), record]));
    return {
      mutants: [unread],
      // Other rules read records too, and what they could not read counts as well.
      judge: () =>
        context.replies.map((reply) => {
          const record = isPlain(reply, operation.id) ? byName.get(JSON.stringify(reply.call.values?.[parameter])) : undefined;
          return record && judgeReachable(context, list, record, reply);
        }),
    };
  },
});

/** True for a request that only identifies one record, with the caller's own key. A request answered with 429 or 503 was repeated. */
function isPlain({ call, response: { status } }: Reply, operation: string): boolean {
  const isOther = call.raw !== undefined || call.segments !== undefined || call.headers !== undefined || call.carrier !== undefined;
  const isOwn = call.as === undefined || call.as === 'full';
  return (
    call.operation.id === operation && !isOther && isOwn && Object.keys(call.values ?? {}).length === 1 && ![429, 503].includes(status)
  );
}

function judgeReachable(context: RunContext, list: ListOperation, record: DataRecord, reply: Reply): Judgement {
  const { status } = reply.response;
  if (isSuccess(reply)) return agrees(unread);
  if (status >= 500) return reportedBy('response/no-server-error');
  const key = keyOf(list, record);
  const named = describeRecords(list, [key]);
  const still = context.readings(list).unchangedDuring(key, reply.startedMs, reply.endedMs);
  if (still === undefined) return dataMoved(`${named} did not stay as it was in ${list.id}`);
  return contradicts({
    replies: [still.before.reply, reply],
    expected: `${reply.call.operation.id} must return ${named}, which ${list.id} contains before and after`,
    actual: `the status is ${status}`,
    records: [still.before.record],
    mutant: unread,
    witnesses: [key],
  });
}

const placeVaries = candidate('details/same-place', 'place-varies', 'two records that can be read');

const samePlace = ruleAbout(isRecordRead, {
  id: 'details/same-place',
  title: 'Every record has the same place in the response body',
  why: 'A client reads each record from the place where it found the first.',
  strength: 'implied',
  place: (operation) => resourcePlace(operation, 'at'),
  examine: async (context, operation) => {
    await readSample(context, operation);
    return { mutants: [placeVaries], judge: () => judgePlaces(context, operation) };
  },
});

function judgePlaces(context: RunContext, { id }: Operation): Judgement | undefined {
  const all = context.replies.flatMap((reply) => {
    const located = reply.call.operation.id === id ? locate(context.contract, reply) : undefined;
    return located === undefined ? [] : [{ ...located, reply }];
  });
  const [first] = all;
  const other = all.find(({ at }) => at !== first?.at);
  if (first === undefined || other === undefined)
    return new Set(all.map(({ record }) => JSON.stringify(record))).size < 2 ? undefined : agrees(placeVaries);
  const showPlace = (at: string): string => (at === '' ? 'the top of the body' : showPointer(at));
  return contradicts({
    replies: [first.reply, other.reply],
    expected: `${id} must return each record at ${showPlace(first.at)}, as in an earlier response`,
    actual: `another record is at ${showPlace(other.at)}`,
    records: [first.record, other.record],
    mutant: placeVaries,
  });
}

const unnamed = 'a name that no record has';
const anotherRecord = candidate('details/absent', 'absent-as-first', unnamed);
const emptySuccess = candidate('details/absent', 'absent-as-empty', unnamed);
const otherFailure = candidate('details/absent', 'absent-as-other-failure', unnamed);

const absent = ruleAbout(isRecordRead, {
  id: 'details/absent',
  title: 'A record that does not exist is answered with 404',
  why: 'A client takes any success for the record. It must learn that the record is gone.',
  strength: 'stated',
  place: (operation) => responseFor(operation, statusOf(operation, 'absent'))?.place,
  examine: async (context, operation) => {
    return examineInTurn([anotherRecord, emptySuccess, otherFailure], await absentCalls(context, operation), async (call) => {
      const reply = await context.ask(call);
      return () => judgeAbsent(context, reply);
    });
  },
});

/** Distance beyond the largest number seen, and the largest number within 32 bits. */
const step = 1_000_003;
const largest = 2 ** 31 - 1;

async function absentCalls(context: RunContext, operation: RecordRead): Promise<readonly Call[]> {
  const { records } = await context.snapshot(listOf(context, operation));
  const calls = [...operation.resource.by].flatMap(([parameter, field]): readonly Call[] => {
    const values = records.map((record) => valueAt(record, field));
    if (operation.parameters.find((each) => each.key === parameter)?.kinds.includes('string') !== true) {
      const most = Math.max(0, ...values.filter((value) => typeof value === 'number'));
      const value = most + step <= largest ? most + step : most + 7;
      return Number.isSafeInteger(value) ? [{ operation, values: { [parameter]: value } }] : [];
    }
    const name = absentIdentity(operation, parameter);
    return values.includes(name) ? [] : [{ operation, values: { [parameter]: name } }];
  });
  // Requests of other rules cost nothing, so they come first.
  return [{ operation, values: unknownIdentity(operation) }, ...calls].slice(0, context.quick ? 1 : 4);
}

function judgeAbsent(context: RunContext, reply: Reply): Judgement {
  const { operation, values = {} } = reply.call;
  const [parameter = '', value = ''] = Object.entries(values)[0] ?? [];
  const record = locate(context.contract, reply)?.record;
  const named = `${parameter}=${showValue(value)}`;
  if (record !== undefined && String(valueAt(record, operation.resource?.by.get(parameter) ?? '')) === String(value))
    return dataMoved(`there is a record with ${named} after all`);
  const wanted = statusOf(operation, 'absent');
  const { status } = reply.response;
  if (status === wanted) return agrees(anotherRecord, emptySuccess, otherFailure);
  if (status >= 500) return reportedBy('response/no-server-error');
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${named}, which names no record, must respond with ${wanted}`,
    actual: `the status is ${status}${record === undefined ? '' : `, with a record of another ${parameter}`}`,
    ...(record === undefined ? {} : { records: [record] }),
    mutant: record !== undefined ? anotherRecord : isSuccess(reply) ? emptySuccess : otherFailure,
  });
}

const onlyThis = candidate('details/views', 'view-present', 'a key of a tenant that has no such thing (--key ROLE=VARIABLE)');
const onlyOther = candidate('details/views', 'view-absent', 'a key of a tenant that has such a thing');

const views: Rule = {
  id: 'details/views',
  title: 'Two views of one thing exist together or are absent together',
  why: 'A client asks the small view before it fetches the large one. It must be able to trust the answer.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) => (otherView(operation, contract.operations) === undefined ? undefined : resourcePlace(operation, 'view')),
  examine: async (context, operation) => {
    const other = otherView(operation, context.contract.operations);
    const things: Reply[] = [];
    // One caller that has the thing and one that has not are enough.
    const isOpen = (): boolean => !things.some(isSuccess) || things.every(isSuccess);
    // A second tenant with records most likely has the thing as well, so the others are asked first.
    const tenants = otherTenants(context.keys).toSorted((left, right) => Number(left === 'other') - Number(right === 'other'));
    return examineInTurn([onlyThis, onlyOther], ['full', ...tenants], async (caller) => {
      if (other === undefined || !isOpen()) return undefined;
      const as = caller === 'full' ? {} : { as: caller };
      const view = await context.ask({ operation, ...as });
      const thing = await context.ask({ operation: other, ...as });
      things.push(thing);
      const { status } = view.response;
      const again = status === thing.response.status ? view : await context.askAgain(view.call);
      return () => (again.response.status === status ? judgeViews(caller, view, thing) : dataMoved(`${operation.id} came or went`));
    });
  },
};

/** The plain read of the thing that an operation gives another view of. */
function otherView({ resource }: Operation, operations: readonly Operation[]): Operation | undefined {
  if (resource?.view === undefined || resource.by.size > 0) return undefined;
  return operations.find((each) => each.resource?.name === resource.name && each.resource.view === undefined && documents(each, 'absent'));
}

function judgeViews(caller: Caller, view: Reply, thing: Reply): Judgement {
  const [first, second] = [view.response.status, thing.response.status];
  const stray = [first, second].find((status) => status !== 404 && (status < 200 || status > 299));
  if (stray !== undefined) return reportedBy(stray === 403 || stray === 401 ? 'keys/scopes' : 'response/status');
  if (isSuccess(view) === isSuccess(thing)) return agrees(isSuccess(view) ? onlyOther : onlyThis);
  return contradicts({
    replies: [view, thing],
    expected: `${view.call.operation.id} and ${thing.call.operation.id} must both exist or both be absent for the key ${caller}`,
    actual: `the statuses are ${first} and ${second}`,
    mutant: isSuccess(view) ? onlyThis : onlyOther,
  });
}

/** The rules. */
export const details: readonly Rule[] = [agree, reachable, samePlace, absent, views];
