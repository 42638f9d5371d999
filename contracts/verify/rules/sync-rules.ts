/** Rules about incremental reading: the filter by the moment of the last change, with which clients go on from a checkpoint. */

import { headerOf } from '../../../core/http/exchange.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isCursorList, isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';
import { isSuccess, type Reply, recordsIn } from '../engine/call.ts';
import { filterPlace } from '../engine/clauses.ts';
import { disagreements, isDocumented } from '../engine/compare-records.ts';
import { checkpointValues } from '../engine/filter-values.ts';
import { examineLaterPages } from '../engine/page-sizes.ts';
import { keyOf, type Pagination, type ParameterValues, requireList } from '../engine/paginate.ts';
import { type RecordReading, RecordReadings } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import { checkpointOf, largestPage, type Snapshot, selectedBy } from '../engine/snapshot.ts';
import { leftOut, reportedElsewhere } from './explain-selection.ts';
import { refusalRule, refusedTexts } from './refusal.ts';
import {
  agrees,
  candidate,
  contradicts,
  dataMoved,
  describeRecords,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
  showField,
} from './rule.ts';
import { contradictSelection, select, selectionRule, withinBase } from './selection.ts';

/** The checkpoint of a list, as the filters of a rule. */
function checkpointsOf(_: Contract, list: ListOperation): readonly string[] {
  return [checkpointOf(list) ?? []].flat();
}

/** The place of the checkpoint of a list. */
function checkpointPlace(operation: Operation): ReturnType<Rule['clause']> {
  const parameter = isList(operation) ? checkpointOf(operation) : undefined;
  return parameter === undefined ? undefined : filterPlace(requireList(operation), parameter);
}

/** The place of the checkpoint of a list whose version is a moment. */
function momentPlace(operation: Operation): ReturnType<Rule['clause']> {
  const isMoment = isList(operation) && operation.collection.kindOf(operation.collection.version ?? '') === 'instant';
  return isMoment ? checkpointPlace(operation) : undefined;
}

const inclusive = selectionRule({
  id: 'sync/inclusive',
  title: 'A checkpoint includes changes at exactly its time',
  why: 'Clients store the time of the last change as their checkpoint. Other changes of the same time are lost when it is exclusive.',
  strength: 'stated',
  kinds: ['checkpoint-exclusive', 'checkpoint-ties-first', 'checkpoint-ties-last'],
  filters: checkpointsOf,
  candidates: (_, snapshot) => checkpointValues(snapshot, 'tie'),
  alsoJudge: (context, snapshot) => context.paginations.flatMap((pagination) => judgeTie(context, snapshot, pagination)),
});

/** A pagination that leaves out nothing but records of the very moment of its checkpoint, whichever of them. */
function judgeTie(context: RunContext, snapshot: Snapshot, pagination: Pagination): readonly Judgement[] {
  const { operation } = snapshot;
  const parameter = checkpointOf(operation) ?? '';
  const bound = momentOf(pagination.values[parameter]);
  if (
    pagination.operation !== operation ||
    (pagination.as ?? 'full') !== snapshot.as ||
    pagination.end !== 'complete' ||
    bound === undefined
  )
    return [];
  const { missing } = leftOut(context, snapshot, pagination);
  const isTied = missing.every(({ record }) => momentOf(valueAt(record, operation.collection.version ?? '')) === bound);
  if (missing.length === 0 || !isTied) return [];
  return [contradictSelection(pagination, missing)];
}

function momentOf(text: unknown): bigint | undefined {
  return typeof text === 'string' ? parseInstant(text) : undefined;
}

const sound = selectionRule({
  id: 'sync/sound',
  title: 'A checkpoint leaves out earlier changes',
  why: 'A client that gets everything each time reads the whole business every minute. Its operator soon blocks it.',
  strength: 'stated',
  slow: true,
  kinds: ['checkpoint-ignored'],
  filters: checkpointsOf,
  candidates: (_, snapshot) => checkpointValues(snapshot, 'any'),
  fallbackRule: 'filters/sound',
  times: 1,
  alsoJudge: (context, { operation }) => context.replies.flatMap((reply) => judgeReply(context, operation, reply)),
});

/** A record and the checkpoint that it came through stand in one answer, so nothing can have moved between them. */
function judgeReply(context: RunContext, list: ListOperation, reply: Reply): readonly Judgement[] {
  const { call } = reply;
  const parameter = checkpointOf(list) ?? '';
  const checkpoint = call.values?.[parameter];
  const isOther = call.operation.id !== list.id || (call.raw ?? []).length > 0 || !isSuccess(reply);
  if (isOther || typeof checkpoint !== 'string') return [];
  const older = (recordsIn(reply) ?? []).filter((record) => !list.collection.query.matches(record, new Map([[parameter, checkpoint]])));
  if (older.length === 0) return [];
  const keys = older.map((record) => keyOf(list, record));
  return [
    contradicts({
      replies: [reply],
      expected: `${list.id} with ${parameter}=${checkpoint} must not return records that changed before it`,
      actual: `the response contains ${describeRecords(list, keys)}; ${showField(context.contract, list, older[0] ?? {}, list.collection.version ?? '')}`,
      records: older.slice(0, 3),
      witnesses: keys,
    }),
  ];
}

const offsets = selectionRule({
  id: 'sync/offsets',
  title: 'The same time in another UTC offset gives the same records',
  why: 'Clients store the time in their own offset. A comparison as text loses hours of changes.',
  strength: 'stated',
  slow: true,
  kinds: ['checkpoint-as-text', 'checkpoint-by-wall-clock'],
  filters: checkpointsOf,
  candidates: (_, snapshot) => checkpointValues(snapshot, 'offset'),
  times: 1,
});

const withinDay = selectionRule({
  id: 'sync/within-day',
  title: 'A checkpoint is more precise than a day',
  why: 'A client that polls every minute must not receive the whole day each time.',
  strength: 'stated',
  kinds: ['checkpoint-by-day'],
  filters: checkpointsOf,
  candidates: (_, snapshot) => checkpointValues(snapshot, 'any'),
  times: 1,
});

const fractions = selectionRule({
  id: 'sync/fractions',
  title: 'A checkpoint with fractions of a second loses nothing',
  why: "A client's clock may be more precise than the server's. Records of the same second or minute must not be lost.",
  strength: 'implied',
  slow: true,
  kinds: ['checkpoint-rounded-to-minute', 'checkpoint-rounded-to-second', 'checkpoint-digits-as-milliseconds'],
  filters: checkpointsOf,
  candidates: (_, snapshot) => checkpointValues(snapshot, 'before'),
  times: 1,
  // Support for fractions is open: a refusal is no evidence.
  concerns: (finding) => finding.kind !== 'obscured' || finding.by !== 'response/status',
});

const laterPages = ruleAbout(isCursorList, {
  id: 'sync/later-pages',
  title: 'The checkpoint holds on later pages',
  why: 'A second page without the checkpoint sends the whole history again, in every run of every client.',
  strength: 'stated',
  slow: true,
  place: checkpointPlace,
  examine: async (context, list) => examineLaterPages(context, await context.snapshot(list), (name) => name === checkpointOf(list)),
});

const losing = candidate('sync/closure', 'changes-lost', 'records that changed before and after a moment');

const unmarked = candidate('sync/closure', 'change-unmarked', 'a record that changes during the run');

const closure = ruleAbout(isList, {
  id: 'sync/closure',
  title: 'Records changed before and since a checkpoint make the whole list',
  why: 'An incremental copy rests on this: the old copy and the changes since its checkpoint are complete.',
  strength: 'implied',
  place: checkpointPlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const made: Pagination[] = [];
    for (const values of checkpoints(context, snapshot)) made.push(await select(context, snapshot, values));
    return {
      mutants: [losing, unmarked],
      judge: () => [...made.map((pagination) => judgeClosure(context, snapshot, pagination)), ...judgeMoments(context, list)],
    };
  },
});

/** The latest moment, at which clients go on, and the earliest, at which one goes on that was away for long. */
function checkpoints(context: RunContext, snapshot: Snapshot): readonly ParameterValues[] {
  if (!snapshot.isComplete || snapshot.records.length < 2) return [];
  const { operation, records } = snapshot;
  const sized = checkpointValues(snapshot, 'any').flatMap((values) => {
    const given = withinBase(snapshot, values);
    const size = selectedBy(snapshot, values).length;
    return given === undefined || size === records.length ? [] : [{ given, size }];
  });
  const sorted = sized.toSorted((left, right) => left.size - right.size);
  const early = context.quick ? undefined : sorted.findLast(({ size }) => size <= largestPage(operation));
  return [...new Set([sorted[0], early])].flatMap((each) => (each === undefined ? [] : [each.given]));
}

function judgeClosure(context: RunContext, snapshot: Snapshot, pagination: Pagination): Judgement {
  if (pagination.end !== 'complete') return reportedBy('paging/complete');
  const { due, missing } = leftOut(context, snapshot, pagination);
  if (due.length === 0) return dataMoved(`nothing that changed since ${JSON.stringify(pagination.values)} stayed as it was`);
  if (missing.length === 0) return agrees(losing);
  return reportedElsewhere(context, snapshot, pagination) ?? contradictSelection(pagination, missing, losing);
}

/**
 * Records whose content changed between two readings of the list, anywhere in the run: a change that leaves the moment as it was, behind the latest
 * moment that was seen before, reaches no client that goes on from its checkpoint.
 */
function judgeMoments(context: RunContext, list: ListOperation): readonly Judgement[] {
  const readings = new RecordReadings(list, 'full', context.session.replies);
  const latest = latestMoments(list, context.session.replies);
  return readings.keys.flatMap((key) => {
    const all = readings.of(key);
    return all.flatMap((later, index): readonly Judgement[] => {
      const earlier = all[index - 1];
      if (earlier === undefined || earlier.content === later.content) return [];
      // A server that is behind another one shows what was there before; only a form that lasts, and was never seen before, is a change.
      const isNew = all.slice(0, index).every(({ content }) => content !== later.content);
      const lasts = all.slice(index + 1).some(({ content }) => content === later.content);
      return judgeChange(context, list, { earlier, later, isChange: isNew && lasts, latest: latest.get(earlier.reply.number) });
    });
  });
}

interface RecordChange {
  readonly earlier: RecordReading;
  readonly later: RecordReading;
  readonly isChange: boolean;
  /** The latest moment that was known when the earlier form was seen. */
  readonly latest: bigint | undefined;
}

function judgeChange(
  context: RunContext,
  list: ListOperation,
  { earlier, later, isChange, latest = 0n }: RecordChange,
): readonly Judgement[] {
  const [from, to] = [earlier, later].map(({ record }) => valueAt(record, list.collection.version ?? ''));
  const [before, after] = [momentOf(from), momentOf(to)];
  if (before === undefined || after === undefined) return [];
  if (after > before) return [agrees(unmarked)];
  // A moment that goes back may correct one that was in the future.
  if (after < before) return [];
  const change = disagreements(earlier.record, later.record).find(({ at }) => isDocumented(context.contract, list, at));
  // Several changes may share a moment; a client that has not passed it is given the record again.
  if (change === undefined || !isChange || after >= latest || isFresh(earlier.reply, after)) return [];
  const named = describeRecords(list, [keyOf(list, later.record)]);
  return [
    contradicts({
      replies: [earlier.reply, later.reply],
      expected: `${showPointer(list.collection.version ?? '')} of ${named} must advance when the record changes`,
      actual: `${showPointer(change.at)} changed, and ${showPointer(list.collection.version ?? '')} is still ${String(to)}`,
      records: [earlier.record, later.record],
      mutant: unmarked,
    }),
  ];
}

/** True when an instant had hardly passed at the time of an answer, by the server's clock: more changes may still carry it. */
function isFresh({ response }: Reply, moment: bigint): boolean {
  const given = Date.parse(headerOf(response.headers, 'date') ?? '');
  return given - Number(moment / 1_000_000n) < 2000;
}

/** By the number of each reply of a list, the latest moment that it or one before it showed: a client may have that as its checkpoint. */
function latestMoments(list: ListOperation, replies: readonly Reply[]): ReadonlyMap<number, bigint> {
  const found = new Map<number, bigint>();
  let latest: bigint | undefined;
  for (const reply of replies.filter(({ call }) => call.operation.id === list.id && (call.as ?? 'full') === 'full')) {
    for (const record of recordsIn(reply) ?? []) {
      const moment = momentOf(valueAt(record, list.collection.version ?? ''));
      if (moment !== undefined && (latest === undefined || moment > latest)) latest = moment;
    }
    if (latest !== undefined) found.set(reply.number, latest);
  }
  return found;
}

const malformed = refusalRule({
  id: 'sync/malformed',
  title: 'A malformed checkpoint is refused',
  why: 'An ignored checkpoint gives everything, and a misread one loses changes. The client must learn of its mistake.',
  strength: 'stated',
  attempts: (contract, list) => checkpointsOf(contract, list).flatMap((name) => refusedTexts(contract, list, name, ['malformed'])),
});

const ignoredFuture = candidate('sync/future', 'checkpoint-future-ignored', 'a list with at least one record', {
  parameter: 'the checkpoint',
});

/** Later than any record of today can have changed. */
const distant = '2999-01-01T00:00:00Z';

const future = ruleAbout(isList, {
  id: 'sync/future',
  title: 'A checkpoint in the future gives nothing, or is refused',
  why: 'A client whose clock is fast must not receive everything again.',
  strength: 'stated',
  slow: true,
  place: momentPlace,
  examine: async (context, list) => {
    const parameter = checkpointOf(list) ?? '';
    const snapshot = await context.snapshot(list);
    const reply = await context.ask({ operation: list, values: { [parameter]: distant } });
    const records = recordsIn(reply) ?? [];
    return {
      mutants: [ignoredFuture],
      judge: () => {
        if (!isSuccess(reply)) return reply.response.status < 500 ? [agrees(ignoredFuture)] : [reportedBy('response/no-server-error')];
        if (records.length === 0) return snapshot.records.length === 0 ? [] : [agrees(ignoredFuture)];
        const keys = records.map((record) => keyOf(list, record));
        return [
          contradicts({
            replies: [reply],
            expected: `${list.id} with ${parameter}=${distant} must return no record`,
            actual: `the response contains ${describeRecords(list, keys)}`,
            records: records.slice(0, 3),
            mutant: ignoredFuture,
            witnesses: keys,
          }),
        ];
      },
    };
  },
});

/** The rules, in the order in which a run looks at them. */
export const sync: readonly Rule[] = [inclusive, sound, offsets, withinDay, fractions, laterPages, closure, malformed, future];
