/** The rules of `watch`: they send nothing, and judge the timeline of each list at the end of the watch. */

import type { Contract } from '../../../core/openapi/contract.ts';
import { isList } from '../../../core/openapi/list-operation.ts';
import { showPointer } from '../../../core/pointer.ts';
import type { RuleId } from '../../../core/results/rule-id.ts';
import { collectionPlace, filterPlace, tagPlace } from '../engine/clauses.ts';
import { disagreements } from '../engine/compare-records.ts';

import { compareVersions } from '../engine/readings.ts';
import { isRecordRead } from '../engine/sample-reads.ts';
import { checkpointOf } from '../engine/snapshot.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  dataMoved,
  type Examination,
  type Judgement,
  type Rule,
  reportedBy,
} from '../rules/rule.ts';
import {
  type ClosingRead,
  type ListTimeline,
  summaryOf,
  type TaggedTimelinePoint,
  type TimelinePoint,
  timelinePointsOf,
  versionOf,
} from './list-timeline.ts';

/** A rule that only a watch can show. */
export interface WatchRule extends Omit<Rule, 'examine' | 'slow'> {
  readonly judge: (timeline: ListTimeline, contract: Contract) => Examination;
}

/** Missing evidence when nothing changed. */
const somethingThatChanges = 'a record that changes while it is watched';

const frozen: Candidate = candidate('conditional/changed', 'tag-frozen', somethingThatChanges);

const tags: WatchRule = {
  id: 'watch/tags',
  title: 'When a record changes, its tag changes',
  why: 'A client is told that its old copy is current, and shows outdated data.',
  strength: 'stated',
  clause: (operation, contract) => (isRecordRead(operation, contract) ? tagPlace(operation) : undefined),
  judge: (timeline) => ({ mutants: [frozen], judge: () => [...timeline.readings.values()].flatMap(judgeRecord) }),
};

/** Pairs of different contents. That two share a tag counts when the later content was read with it more than once. */
function judgeRecord(points: readonly TaggedTimelinePoint[]): readonly Judgement[] {
  return points.flatMap((later, index): readonly Judgement[] => {
    const earlier = points[index - 1];
    if (earlier?.tag === undefined || later.tag === undefined || !differ(earlier, later)) return [];
    if (earlier.tag !== later.tag) return [agrees(frozen)];
    const isRepeated = points.slice(index + 1).some((again) => again.tag === later.tag && !differ(again, later));
    return [isRepeated ? sharesTag(earlier, later, later.tag) : dataMoved(`${later.key} changed, and was not read again`)];
  });
}

function sharesTag(earlier: TaggedTimelinePoint, later: TaggedTimelinePoint, tag: string): Judgement {
  return contradicts({
    replies: [earlier.reply, later.reply],
    expected: `the tag of ${later.key} in ${later.reply.call.operation.id} must change with the record`,
    actual: `the record changed, and the tag is still ${tag}`,
    records: [earlier.record, later.record],
    mutant: frozen,
    witnesses: [later.key],
  });
}

function differ(left: TaggedTimelinePoint, right: TaggedTimelinePoint): boolean {
  return disagreements(left.record, right.record).length > 0 || disagreements(right.record, left.record).length > 0;
}

const unmarked: Candidate = candidate('sync/closure', 'change-unmarked', somethingThatChanges);
const backwards: Candidate = candidate('watch/changed-at', 'version-backwards', somethingThatChanges);

const changedAt: WatchRule = {
  id: 'watch/changed-at',
  title: 'The time of the last change goes forward with each change',
  why: 'Clients ask for changes since their checkpoint. A change that does not move the time forward never reaches them.',
  strength: 'implied',
  clause: (operation) => {
    if (!isList(operation) || operation.collection.version === undefined) return undefined;
    const parameter = checkpointOf(operation);
    return parameter === undefined ? collectionPlace(operation) : filterPlace(operation, parameter);
  },
  judge: (timeline) => ({ mutants: [unmarked, backwards], judge: () => judgeTimeline(timeline) }),
};

function judgeTimeline(timeline: ListTimeline): readonly Judgement[] {
  // Lists and single reads are two series: one may be a moment behind the other.
  const series = [
    ...timeline.listed.entries(),
    ...[...timeline.readings].map(([key, points]) => [key, summariesOf(timeline, key, points)] as const),
  ];
  return series.flatMap(([, points]) => points.flatMap((later, index) => judgeStep(timeline, points, later, index)));
}

/** Of a single read, only what lists show as well: they are what the moment is promised for. */
function summariesOf(timeline: ListTimeline, key: string, points: readonly TimelinePoint[]): readonly TimelinePoint[] {
  const listed = timeline.snapshot.get(key)?.record;
  return listed === undefined ? [] : points.map((point) => ({ ...point, record: summaryOf(point.record, listed) }));
}

function judgeStep(timeline: ListTimeline, points: readonly TimelinePoint[], later: TimelinePoint, index: number): readonly Judgement[] {
  const earlier = points[index - 1];
  if (earlier === undefined) return [];
  const [before, after] = [versionOf(timeline, earlier.record), versionOf(timeline, later.record)];
  const order = before === '' || after === '' ? 0 : compareVersions(after, before);
  if (order > 0) return [agrees(unmarked, backwards)];
  const isRepeated = points.slice(index + 1).some((again) => disagreements(again.record, later.record).length === 0);
  if (order < 0) return [isRepeated ? goesBack(earlier, later, before, after) : unsettled(later)];
  // Several changes may share a moment; a client that has not passed it is given the record again.
  const isPassed = earlier.checkpoint !== undefined && after !== '' && compareVersions(after, earlier.checkpoint) < 0;
  const [change] = disagreements(earlier.record, later.record);
  if (change === undefined || !isPassed) return [];
  return [isRepeated ? stays(earlier, later, change.at, after) : unsettled(later)];
}

function unsettled({ key }: TimelinePoint): Judgement {
  return dataMoved(`${key} changed, and was not seen again`);
}

function goesBack(earlier: TimelinePoint, later: TimelinePoint, before: string, after: string): Judgement {
  return movesWrong(earlier, later, `the time of ${later.key} went back from ${before} to ${after}`, backwards);
}

function stays(earlier: TimelinePoint, later: TimelinePoint, at: string, version: string): Judgement {
  return movesWrong(
    earlier,
    later,
    `${showPointer(at)} of ${later.key} changed, and the time is still ${version}, before the checkpoint`,
    unmarked,
  );
}

function movesWrong(earlier: TimelinePoint, later: TimelinePoint, actual: string, mutant: Candidate): Judgement {
  return contradicts({
    replies: [earlier.reply, later.reply],
    expected: `the time of the last change must advance when a record of ${later.reply.call.operation.id} changes`,
    actual,
    records: [earlier.record, later.record],
    mutant,
    witnesses: [later.key],
  });
}

const loses: Candidate = candidate('sync/closure', 'changes-lost', somethingThatChanges);
const late: Candidate = candidate('watch/late-arrivals', 'arrival-late', somethingThatChanges);

/** Gap of a client at the end: the record in the list, and the client's version of it. */
interface Gap {
  readonly shown: TimelinePoint;
  readonly had: TimelinePoint | undefined;
  readonly closing: ClosingRead;
}

const clause: WatchRule['clause'] = (operation) => {
  const parameter = isList(operation) ? checkpointOf(operation) : undefined;
  return isList(operation) && parameter !== undefined ? filterPlace(operation, parameter) : undefined;
};

const converges: WatchRule = {
  id: 'watch/converges',
  title: 'A client that follows the checkpoint ends with the records of the list',
  why: 'This is the purpose of synchronisation: the client has every record in its current state.',
  strength: 'implied',
  clause,
  judge: (timeline) => ({
    mutants: [loses],
    judge: () => judgeGaps(timeline, (gap) => !isPast(timeline, gap), loses, 'watch/late-arrivals'),
  }),
};

const lateArrivals: WatchRule = {
  id: 'watch/late-arrivals',
  title: 'No record appears behind a checkpoint that was read to its end',
  why: 'A client never asks again for changes before its checkpoint. A late record is lost until the next full read.',
  strength: 'implied',
  clause,
  judge: (timeline) => ({ mutants: [late], judge: () => judgeLate(timeline) }),
};

/** Number of late records that is a violation: a single one may come from a manual change. */
const leastLate = 2;

function judgeLate(timeline: ListTimeline): readonly Judgement[] {
  const findings = judgeGaps(timeline, (gap) => isPast(timeline, gap), late, 'watch/converges');
  const found = findings.filter((finding): finding is Contradiction => finding.kind === 'contradicts');
  if (found.length === 0 || found.length >= leastLate) return findings;
  return [dataMoved(`one record appeared behind the checkpoint: ${found[0]?.actual ?? ''}`)];
}

/** True when the missing record changed last before the checkpoint, so that no further reading would return it. */
function isPast(timeline: ListTimeline, { shown, closing }: Gap): boolean {
  return compareVersions(versionOf(timeline, shown.record), closing.checkpoint) < 0;
}

function judgeGaps(timeline: ListTimeline, isConcerned: (gap: Gap) => boolean, mutant: Candidate, other: RuleId): readonly Judgement[] {
  const [first, second] = timeline.closings;
  if (first === undefined) return [];
  const gaps = listGaps(timeline, first);
  // A gap must still exist after a further reading.
  const again = second === undefined ? undefined : new Set(listGaps(timeline, second).map(({ shown }) => shown.key));
  if (gaps.length === 0) return timeline.changes > 0 && timeline.syncs > 1 ? [agrees(mutant)] : [];
  if (again === undefined) return [dataMoved(`${gaps.length} records differed, and were not read again`)];
  return gaps
    .filter(({ shown }) => again.has(shown.key))
    .map((gap): Judgement => (isConcerned(gap) ? leavesGap(timeline, gap, mutant) : reportedBy(other)));
}

/** True if the first closing read found a gap that a second one must confirm. */
export function isDoubtful(timeline: ListTimeline): boolean {
  const [first] = timeline.closings;
  return first !== undefined && listGaps(timeline, first).length > 0;
}

/** The records that the list showed and that a client does not have so, although it read from its checkpoint afterwards. */
function listGaps(timeline: ListTimeline, closing: ClosingRead): readonly Gap[] {
  return timelinePointsOf(timeline, closing.whole).flatMap((shown): readonly Gap[] => {
    const had = closing.snapshot.get(shown.key);
    const order = had === undefined ? -1 : compareVersions(versionOf(timeline, had.record), versionOf(timeline, shown.record));
    // A later version was given since: the record has moved on.
    if (order > 0) return [];
    return order === 0 && had !== undefined && disagreements(shown.record, had.record).length === 0 ? [] : [{ shown, had, closing }];
  });
}

function leavesGap(timeline: ListTimeline, { shown, had, closing }: Gap, mutant: Candidate): Contradiction {
  const version = versionOf(timeline, shown.record);
  const has = had === undefined ? 'does not have it' : `has it as of ${versionOf(timeline, had.record)}`;
  const last = closing.sync.replies.at(-1);
  return contradicts({
    replies: last === undefined ? [shown.reply] : [shown.reply, last],
    expected: `a client that follows ${timeline.parameter ?? ''} of ${timeline.operation.id} must have every record of the list`,
    actual: `${shown.key} changed at ${version}; a client that continues from ${closing.checkpoint} ${has}`,
    records: [shown.record],
    mutant,
    witnesses: [shown.key],
  });
}

/** Every rule of watching. */
export const watchRules: readonly WatchRule[] = [tags, changedAt, lateArrivals, converges];
