/**
 * Rules of the group `sync`: an incremental read, which filters by the time of the last checkpoint, returns all that changed since then. Other filters belong
 * to the group `filters`.
 */

import { definedOf } from '../../../core/drop-undefined.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isCursorList, isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { showPointer } from '../../../core/pointer.ts';
import { instantOf } from '../../../core/query/instants.ts';
import { isReplyTo, isSuccess, type Reply, recordsIn } from '../evidence/call.ts';
import { checkpointPlace } from '../evidence/clause-places.ts';
import { checkpointValues, withinBase } from '../evidence/filter-values.ts';
import { findDisagreements, isDocumented } from '../evidence/find-record-disagreements.ts';
import { findMissing } from '../evidence/pagination/compare-with-snapshot.ts';
import { unlessExplained, wholePaginationsOf } from '../evidence/pagination/find-explaining-mutant.ts';
import type { Pagination } from '../evidence/pagination/pagination.ts';
import { largestLimit } from '../evidence/pagination/pagination.ts';
import { readSelection } from '../evidence/read-filtered-lists.ts';
import {
  checkpointOf,
  keysOf,
  matchingRecords,
  type ParameterValues,
  recordKeyOf,
  versionOf,
} from '../evidence/record-keys-and-filters.ts';
import { type RecordReading, RecordReadings } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeRecords, describeValues } from './describe-values.ts';
import { contradictSelection, judgeUnmatched, selectionRule } from './examinations/examine-filters.ts';
import { examineLaterPages } from './examinations/examine-filters-on-later-pages.ts';
import { refusalRule } from './examinations/examine-requests.ts';
import { refusedTexts } from './examinations/invalid-parameter-texts.ts';
import { agrees, candidate, contradicts, dataMoved, type Judgement, type Judgements, type Rule, reportedBy, ruleAbout } from './rule.ts';

/** The checkpoint of a list, as the filters of a rule. */
function checkpointsOf(_: Contract, list: ListOperation): readonly string[] {
  return definedOf(checkpointOf(list));
}

/** The place of the checkpoint of a list whose version is a time. */
function instantPlace(list: ListOperation): ReturnType<Rule['clause']> {
  return list.collection.kindOf(list.collection.version ?? '') === 'instant' ? checkpointPlace(list) : undefined;
}

const inclusiveRule = selectionRule({
  id: 'sync/inclusive',
  title: 'A checkpoint includes changes at exactly its time',
  why: 'Clients store the time of the last change as their checkpoint. If it is exclusive, other changes at the same time are lost.',
  strength: 'stated',
  kinds: ['checkpoint-exclusive', 'checkpoint-ties-first', 'checkpoint-ties-last'],
  filters: checkpointsOf,
  filterValues: (_, snapshot) => checkpointValues(snapshot, 'tie'),
  alsoJudge: (context, snapshot) => wholePaginationsOf(context, snapshot).map((pagination) => judgeTie(context, snapshot, pagination)),
});

/** Finds that a pagination lacks only records with exactly the time of the checkpoint. */
function judgeTie(context: RoundContext, snapshot: Snapshot, pagination: Pagination): Judgement | undefined {
  const { operation } = snapshot;
  const parameter = checkpointOf(operation) ?? '';
  const bound = instantOf(pagination.values[parameter]);
  if (bound === undefined) return undefined;
  const { missing } = findMissing(context, snapshot, pagination);
  const isTied = missing.every(({ record }) => instantOf(versionOf(operation, record)) === bound);
  return missing.length > 0 && isTied ? contradictSelection(pagination, missing) : undefined;
}

const soundRule = selectionRule({
  id: 'sync/sound',
  title: 'A checkpoint leaves out earlier changes',
  why: 'A client that polls every minute would read the whole list each time, and would soon be blocked.',
  strength: 'stated',
  slow: true,
  kinds: ['checkpoint-ignored'],
  filters: checkpointsOf,
  filterValues: (_, snapshot) => checkpointValues(snapshot, 'any'),
  fallbackRule: 'filters/sound',
  times: 1,
  alsoJudge: (context, { operation }) =>
    context.replies.map((reply) => judgeUnmatched(context, operation, reply, checkpointsOf(context.contract, operation))),
});

const otherOffsetRule = selectionRule({
  id: 'sync/offsets',
  title: 'The same time in another UTC offset returns the same records',
  why: 'Clients store the time in their own offset. A comparison as text loses hours of changes.',
  strength: 'stated',
  slow: true,
  kinds: ['checkpoint-as-text', 'checkpoint-by-wall-clock'],
  filters: checkpointsOf,
  filterValues: (_, snapshot) => checkpointValues(snapshot, 'offset'),
  times: 1,
});

const withinDayRule = selectionRule({
  id: 'sync/within-day',
  title: 'A checkpoint is more precise than a day',
  why: 'A client that polls every minute must not receive the whole day each time.',
  strength: 'stated',
  kinds: ['checkpoint-by-day'],
  filters: checkpointsOf,
  filterValues: (_, snapshot) => checkpointValues(snapshot, 'any'),
  times: 1,
});

const fractionsRule = selectionRule({
  id: 'sync/fractions',
  title: 'A checkpoint with fractions of a second loses nothing',
  why: "A client's clock may be more precise than the server's. Records of the same second or minute must not be lost.",
  strength: 'implied',
  slow: true,
  kinds: ['checkpoint-rounded-to-minute', 'checkpoint-rounded-to-second', 'checkpoint-digits-as-milliseconds'],
  filters: checkpointsOf,
  filterValues: (_, snapshot) => checkpointValues(snapshot, 'before'),
  times: 1,
  // Support for fractions is open: a refusal is no evidence.
  isEvidence: (finding) => finding.kind !== 'reported-elsewhere' || finding.by !== 'response/status',
});

const laterPagesRule = ruleAbout(isCursorList, {
  id: 'sync/later-pages',
  title: 'The checkpoint holds on later pages',
  why: 'A second page without the checkpoint returns the whole history again, in every run of every client.',
  strength: 'stated',
  slow: true,
  place: checkpointPlace,
  examine: async (context, list) => examineLaterPages(context, await context.snapshot(list), (name) => name === checkpointOf(list)),
});

const changesLost = candidate('changes-lost', 'records that changed before and after a checkpoint');

const changeUnmarked = candidate('change-unmarked', 'a record that changes during the run');

const closureRule = ruleAbout(isList, {
  id: 'sync/closure',
  title: 'Records changed before and since a checkpoint make up the whole list',
  why: 'An incremental copy relies on this: the old copy and the changes since its checkpoint are complete.',
  strength: 'implied',
  place: checkpointPlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const paginations: Pagination[] = [];
    for (const values of chooseCheckpoints(context, snapshot)) paginations.push(await readSelection(context, snapshot, values));
    return {
      mutants: [changesLost, changeUnmarked],
      judge: () => [paginations.map((pagination) => judgeClosure(context, snapshot, pagination)), judgeChangedRecords(context, list)],
    };
  },
});

/** The latest checkpoint, which most clients use, and the earliest one that selects at most a page, for a client that was offline. */
function chooseCheckpoints(context: RoundContext, snapshot: Snapshot): readonly ParameterValues[] {
  if (!snapshot.isComplete || snapshot.records.length < 2) return [];
  const { operation, records } = snapshot;
  const candidates = checkpointValues(snapshot, 'any').flatMap((values) => {
    const valuesInSnapshot = withinBase(snapshot, values);
    const size = matchingRecords(snapshot.operation, snapshot.records, values).length;
    return valuesInSnapshot === undefined || size === records.length ? [] : [{ values: valuesInSnapshot, size }];
  });
  const sorted = candidates.toSorted((left, right) => left.size - right.size);
  const earlyCheckpoint = context.quick ? undefined : sorted.findLast(({ size }) => size <= largestLimit(operation));
  return [...new Set([sorted[0], earlyCheckpoint])].flatMap((each) => (each === undefined ? [] : [each.values]));
}

function judgeClosure(context: RoundContext, snapshot: Snapshot, pagination: Pagination): Judgement {
  if (pagination.end !== 'complete') return reportedBy('paging/complete');
  const { expectedRecords, missing } = findMissing(context, snapshot, pagination);
  if (expectedRecords.length === 0) return dataMoved(`every record with ${describeValues(pagination.values)} changed again`);
  if (missing.length === 0) return agrees(changesLost);
  return unlessExplained(context, snapshot, pagination, contradictSelection(pagination, missing, changesLost));
}

/**
 * Judges records whose content changed between two reads of the list, anywhere in the run. If such a record keeps an old time of change, no client
 * with a later checkpoint receives the change.
 */
function judgeChangedRecords(context: RoundContext, list: ListOperation): Judgements {
  const readings = new RecordReadings(list, 'full', context.session.replies);
  const latest = latestInstants(list, context.session.replies);
  return readings.keys.map((key) => {
    const recordReadings = readings.of(key);
    return recordReadings.map((later, index) => {
      const earlier = recordReadings[index - 1];
      if (earlier === undefined || earlier.content === later.content) return undefined;
      // A replica that lags behind returns earlier content. Only new content that remains is a change.
      const isNew = recordReadings.slice(0, index).every(({ content }) => content !== later.content);
      const isLasting = recordReadings.slice(index + 1).some(({ content }) => content === later.content);
      return judgeRecordChange(context, list, { earlier, later, isChange: isNew && isLasting, latest: latest.get(earlier.reply.number) });
    });
  });
}

interface RecordChange {
  readonly earlier: RecordReading;
  readonly later: RecordReading;
  readonly isChange: boolean;
  /** The latest time of change that any response had shown by then. */
  readonly latest: bigint | undefined;
}

function judgeRecordChange(
  context: RoundContext,
  list: ListOperation,
  { earlier, later, isChange, latest = 0n }: RecordChange,
): Judgement | undefined {
  const [from, to] = [earlier, later].map(({ record }) => versionOf(list, record));
  const [before, after] = [instantOf(from), instantOf(to)];
  if (before === undefined || after === undefined) return undefined;
  if (after > before) return agrees(changeUnmarked);
  // A time that goes back may correct one in the future.
  if (after < before) return undefined;
  const change = findDisagreements(earlier.record, later.record).find(({ at }) => isDocumented(context.contract, list, at));
  // Several changes may share a time. A client whose checkpoint is not later receives the record again.
  if (change === undefined || !isChange || after >= latest || isFresh(earlier.reply, after)) return undefined;
  const version = showPointer(list.collection.version ?? '');
  return contradicts({
    replies: [earlier.reply, later.reply],
    expected: `${version} of ${describeRecords(list, [recordKeyOf(list, later.record)])} must advance when the record changes`,
    actual: `${showPointer(change.at)} changed, and ${version} is still ${String(to)}`,
    records: [earlier.record, later.record],
    mutant: changeUnmarked,
  });
}

/** True if a time was less than two seconds ago by the server's clock. Further changes may still have it. */
function isFresh({ response }: Reply, instant: bigint): boolean {
  const serverTimeMs = Date.parse(headerOf(response.headers, 'date') ?? '');
  return serverTimeMs - Number(instant / 1_000_000n) < 2000;
}

/** The latest time of change shown by each reply or an earlier one, by the number of the reply. A client may use it as its checkpoint. */
function latestInstants(list: ListOperation, replies: readonly Reply[]): ReadonlyMap<number, bigint> {
  const latestByReply = new Map<number, bigint>();
  let latest: bigint | undefined;
  for (const reply of replies.filter((each) => isReplyTo(each, list))) {
    for (const record of recordsIn(reply) ?? []) {
      const instant = instantOf(versionOf(list, record));
      if (instant !== undefined && (latest === undefined || instant > latest)) latest = instant;
    }
    if (latest !== undefined) latestByReply.set(reply.number, latest);
  }
  return latestByReply;
}

const malformedCheckpointRule = refusalRule({
  id: 'sync/malformed',
  title: 'A malformed checkpoint is rejected',
  why: 'An ignored checkpoint returns everything, and a misread one loses changes. The client must learn of its mistake.',
  strength: 'stated',
  attempts: (contract, list) => checkpointsOf(contract, list).flatMap((name) => refusedTexts(contract, list, name, ['malformed'])),
});

const futureIgnored = candidate('checkpoint-future-ignored', 'a list with at least one record', {
  parameter: 'the checkpoint',
});

/** A time after every possible change. */
const farFuture = '2999-01-01T00:00:00Z';

const futureRule = ruleAbout(isList, {
  id: 'sync/future',
  title: 'A checkpoint in the future returns nothing, or is rejected',
  why: 'A client whose clock is fast must not receive everything again.',
  strength: 'stated',
  slow: true,
  place: instantPlace,
  examine: async (context, list) => {
    const parameter = checkpointOf(list) ?? '';
    const snapshot = await context.snapshot(list);
    const reply = await context.ask({ operation: list, values: { [parameter]: farFuture } });
    const records = recordsIn(reply) ?? [];
    return {
      mutants: [futureIgnored],
      judge: () => {
        if (!isSuccess(reply)) return reply.response.status < 500 ? agrees(futureIgnored) : reportedBy('response/no-server-error');
        if (records.length === 0) return snapshot.records.length === 0 ? undefined : agrees(futureIgnored);
        const keys = keysOf(list, records);
        return contradicts({
          replies: [reply],
          expected: `${list.id} with ${parameter}=${farFuture} must return no record`,
          actual: `the response contains ${describeRecords(list, keys)}`,
          records: records.slice(0, 3),
          mutant: futureIgnored,
          recordKeys: keys,
        });
      },
    };
  },
});

/** The rules, in the order of a run. */
export const checkpointRules: readonly Rule[] = [
  inclusiveRule,
  soundRule,
  otherOffsetRule,
  withinDayRule,
  fractionsRule,
  laterPagesRule,
  closureRule,
  malformedCheckpointRule,
  futureRule,
];
