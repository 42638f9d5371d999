/** Rules that only a watch (`verify --watch`) can judge, because they need time. They judge the timeline of a list, and send nothing. */

import type { Contract } from '../../../core/openapi/contract.ts';
import { isList } from '../../../core/openapi/list-operation.ts';
import { showPointer } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { RuleId } from '../../../core/results/rule-id.ts';
import { checkpointPlace, collectionPlace, tagPlace } from '../evidence/clause-places.ts';
import { findDisagreements } from '../evidence/find-record-disagreements.ts';
import { compareVersions } from '../evidence/record-readings.ts';
import { isRecordRead } from '../evidence/single-record-calls.ts';
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
  type TaggedTimelinePoint,
  type TimelinePoint,
  timelinePointsOf,
  versionText,
} from './timeline-of-list.ts';

/** A rule that only a watch can judge. */
export interface TimelineRule extends Omit<Rule, 'examine' | 'slow'> {
  readonly judge: (timeline: ListTimeline, contract: Contract) => Examination;
}

/** The data that a watch needs. */
const somethingThatChanges = 'a record that changes while it is watched';

const tagFrozen: Candidate = candidate('tag-frozen', somethingThatChanges);

const tagChanges: TimelineRule = {
  id: 'watch/tags',
  title: 'When a record changes, its tag changes',
  why: 'A client believes that its old copy is current, and shows outdated data.',
  strength: 'stated',
  clause: (operation, contract) => (isRecordRead(operation, contract) ? tagPlace(operation) : undefined),
  judge: (timeline) => ({ mutants: [tagFrozen], judge: () => [...timeline.readings.values()].flatMap(judgeTagsOfRecord) }),
};

/** Judges successive reads with different contents. A shared tag is a violation if the later content was read with it more than once. */
function judgeTagsOfRecord(points: readonly TaggedTimelinePoint[]): readonly Judgement[] {
  return points.flatMap((later, index): readonly Judgement[] => {
    const earlier = points[index - 1];
    if (earlier?.tag === undefined || later.tag === undefined || !haveDifferentContent(earlier, later)) return [];
    if (earlier.tag !== later.tag) return [agrees(tagFrozen)];
    const isRepeated = points.slice(index + 1).some((repeated) => repeated.tag === later.tag && !haveDifferentContent(repeated, later));
    return [isRepeated ? contradictSharedTag(earlier, later, later.tag) : dataMoved(`${later.key} changed, and was not read again`)];
  });
}

function contradictSharedTag(earlier: TaggedTimelinePoint, later: TaggedTimelinePoint, tag: string): Judgement {
  return contradicts({
    replies: [earlier.reply, later.reply],
    expected: `the tag of ${later.key} in ${later.reply.call.operation.id} must change with the record`,
    actual: `the record changed, and the tag is still ${tag}`,
    records: [earlier.record, later.record],
    mutant: tagFrozen,
    recordKeys: [later.key],
  });
}

function haveDifferentContent(left: TaggedTimelinePoint, right: TaggedTimelinePoint): boolean {
  return findDisagreements(left.record, right.record).length > 0 || findDisagreements(right.record, left.record).length > 0;
}

const changeUnmarked: Candidate = candidate('change-unmarked', somethingThatChanges);
const versionBackwards: Candidate = candidate('version-backwards', somethingThatChanges);

const changedAt: TimelineRule = {
  id: 'watch/changed-at',
  title: 'The time of the last change goes forward with each change',
  why: 'Clients ask for changes since their checkpoint. A change that does not move the time forward never reaches them.',
  strength: 'implied',
  clause: (operation) => {
    if (!isList(operation) || operation.collection.version === undefined) return undefined;
    return checkpointPlace(operation) ?? collectionPlace(operation);
  },
  judge: (timeline) => ({ mutants: [changeUnmarked, versionBackwards], judge: () => judgeTimeline(timeline) }),
};

function judgeTimeline(timeline: ListTimeline): readonly Judgement[] {
  // Lists and single reads are compared separately, because one may be behind the other.
  const series = [
    ...timeline.listed.entries(),
    ...[...timeline.readings].map(([key, points]) => [key, summariesOf(timeline, key, points)] as const),
  ];
  return series.flatMap(([, points]) => points.flatMap((later, index) => judgeTwoPoints(timeline, points, later, index)));
}

/** Single reads reduced to the members that the list shows, because the time of change is promised for those only. */
function summariesOf(timeline: ListTimeline, key: string, points: readonly TimelinePoint[]): readonly TimelinePoint[] {
  const listed = timeline.clientCopy.get(key)?.record;
  return listed === undefined ? [] : points.map((point) => ({ ...point, record: summaryOf(point.record, listed) }));
}

function summaryOf(record: DataRecord, listed: DataRecord): DataRecord {
  return Object.fromEntries(Object.keys(listed).flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] ?? null]] : [])));
}

function judgeTwoPoints(
  timeline: ListTimeline,
  points: readonly TimelinePoint[],
  later: TimelinePoint,
  index: number,
): readonly Judgement[] {
  const earlier = points[index - 1];
  if (earlier === undefined) return [];
  const [before, after] = [versionText(timeline, earlier.record), versionText(timeline, later.record)];
  const order = before === '' || after === '' ? 0 : compareVersions(after, before);
  if (order > 0) return [agrees(changeUnmarked, versionBackwards)];
  const isRepeated = points.slice(index + 1).some((repeated) => findDisagreements(repeated.record, later.record).length === 0);
  if (order < 0) return [isRepeated ? contradictBackwards(earlier, later, before, after) : notSeenAgain(later)];
  // Several changes may share a time. A client whose checkpoint is not later receives the record again.
  const isPassed = earlier.checkpoint !== undefined && after !== '' && compareVersions(after, earlier.checkpoint) < 0;
  const [change] = findDisagreements(earlier.record, later.record);
  if (change === undefined || !isPassed) return [];
  return [isRepeated ? contradictSameTime(earlier, later, change.at, after) : notSeenAgain(later)];
}

function notSeenAgain({ key }: TimelinePoint): Judgement {
  return dataMoved(`${key} changed, and was not seen again`);
}

function contradictBackwards(earlier: TimelinePoint, later: TimelinePoint, before: string, after: string): Judgement {
  return contradictTime(earlier, later, `the time of ${later.key} went back from ${before} to ${after}`, versionBackwards);
}

function contradictSameTime(earlier: TimelinePoint, later: TimelinePoint, at: string, version: string): Judgement {
  return contradictTime(
    earlier,
    later,
    `${showPointer(at)} of ${later.key} changed, and the time is still ${version}, before the checkpoint`,
    changeUnmarked,
  );
}

function contradictTime(earlier: TimelinePoint, later: TimelinePoint, actual: string, mutant: Candidate): Judgement {
  return contradicts({
    replies: [earlier.reply, later.reply],
    expected: `the time of the last change must advance when a record of ${later.reply.call.operation.id} changes`,
    actual,
    records: [earlier.record, later.record],
    mutant,
    recordKeys: [later.key],
  });
}

const changesLost: Candidate = candidate('changes-lost', somethingThatChanges);
const arrivalLate: Candidate = candidate('arrival-late', somethingThatChanges);

/** A record in the list that the client has in another version, or not at all. */
interface MissedRecord {
  readonly listed: TimelinePoint;
  readonly client: TimelinePoint | undefined;
  readonly closing: ClosingRead;
}

const checkpointClause: TimelineRule['clause'] = (operation) => (isList(operation) ? checkpointPlace(operation) : undefined);

const converges: TimelineRule = {
  id: 'watch/converges',
  title: 'A client that follows the checkpoint ends up with the records of the list',
  why: 'This is the purpose of synchronisation: the client has every record in its current state.',
  strength: 'implied',
  clause: checkpointClause,
  judge: (timeline) => ({
    mutants: [changesLost],
    judge: () =>
      judgeMissedRecords(timeline, (missedRecord) => !isBehindCheckpoint(timeline, missedRecord), changesLost, 'watch/late-arrivals'),
  }),
};

const lateArrivals: TimelineRule = {
  id: 'watch/late-arrivals',
  title: 'No record appears behind a checkpoint that was read to its end',
  why: 'A client never asks again for changes before its checkpoint. A late record is lost until the next full read.',
  strength: 'implied',
  clause: checkpointClause,
  judge: (timeline) => ({ mutants: [arrivalLate], judge: () => judgeLate(timeline) }),
};

/** Number of late records that is a violation: a single one may come from a manual change. */
const leastLate = 2;

function judgeLate(timeline: ListTimeline): readonly Judgement[] {
  const findings = judgeMissedRecords(
    timeline,
    (missedRecord) => isBehindCheckpoint(timeline, missedRecord),
    arrivalLate,
    'watch/converges',
  );
  const contradictions = findings.filter((finding): finding is Contradiction => finding.kind === 'contradicts');
  if (contradictions.length === 0 || contradictions.length >= leastLate) return findings;
  return [dataMoved(`one record appeared behind the checkpoint: ${contradictions[0]?.actual ?? ''}`)];
}

/** True if the missing record changed last before the checkpoint, so that no further reading would return it. */
function isBehindCheckpoint(timeline: ListTimeline, { listed, closing }: MissedRecord): boolean {
  return compareVersions(versionText(timeline, listed.record), closing.checkpoint) < 0;
}

function judgeMissedRecords(
  timeline: ListTimeline,
  isConcerned: (missedRecord: MissedRecord) => boolean,
  mutant: Candidate,
  otherRule: RuleId,
): readonly Judgement[] {
  const [first, second] = timeline.closingReads;
  if (first === undefined) return [];
  const missedRecords = findMissedRecords(timeline, first);
  // A record must still be missing after a further reading.
  const confirmedKeys = second === undefined ? undefined : new Set(findMissedRecords(timeline, second).map(({ listed }) => listed.key));
  if (missedRecords.length === 0) return timeline.changes > 0 && timeline.syncs > 1 ? [agrees(mutant)] : [];
  if (confirmedKeys === undefined) return [dataMoved(`${missedRecords.length} records differed, and were not read again`)];
  return missedRecords
    .filter(({ listed }) => confirmedKeys.has(listed.key))
    .map(
      (missedRecord): Judgement =>
        isConcerned(missedRecord) ? contradictMissedRecord(timeline, missedRecord, mutant) : reportedBy(otherRule),
    );
}

/** True if the first closing read found a missed record that a second one must confirm. */
export function isDoubtful(timeline: ListTimeline): boolean {
  const [first] = timeline.closingReads;
  return first !== undefined && findMissedRecords(timeline, first).length > 0;
}

/** The records of the list that a client has in an older version or not at all, although it read from its checkpoint afterwards. */
function findMissedRecords(timeline: ListTimeline, closing: ClosingRead): readonly MissedRecord[] {
  return timelinePointsOf(timeline, closing.wholeList).flatMap((listed): readonly MissedRecord[] => {
    const client = closing.clientCopy.get(listed.key);
    const order = client === undefined ? -1 : compareVersions(versionText(timeline, client.record), versionText(timeline, listed.record));
    // The client has a later version, because the record changed between the reads.
    if (order > 0) return [];
    return order === 0 && client !== undefined && findDisagreements(listed.record, client.record).length === 0
      ? []
      : [{ listed, client, closing }];
  });
}

function contradictMissedRecord(timeline: ListTimeline, { listed, client, closing }: MissedRecord, mutant: Candidate): Contradiction {
  const version = versionText(timeline, listed.record);
  const clientText = client === undefined ? 'does not have it' : `has it as of ${versionText(timeline, client.record)}`;
  const lastReply = closing.sync.replies.at(-1);
  return contradicts({
    replies: lastReply === undefined ? [listed.reply] : [listed.reply, lastReply],
    expected: `a client that follows ${timeline.checkpointParameter ?? ''} of ${timeline.operation.id} must have every record of the list`,
    actual: `${listed.key} changed at ${version}; a client that continues from ${closing.checkpoint} ${clientText}`,
    records: [listed.record],
    mutant,
    recordKeys: [listed.key],
  });
}

/** Every rule of a watch. */
export const timelineRules: readonly TimelineRule[] = [tagChanges, changedAt, lateArrivals, converges];
