/** Records what each request of a client that follows the checkpoint of a list shows during a watch. Judges nothing. */

import { getOrCompute } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { isConditional } from '../../../core/openapi/operation.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { Reply } from '../evidence/call.ts';
import { usableTag } from '../evidence/entity-tag.ts';
import { locateRecord } from '../evidence/locate-record-in-reply.ts';
import { largestLimit, type Pagination, paginate } from '../evidence/pagination/pagination.ts';
import { checkpointOf, type ParameterValues, recordKeyOf, versionOf } from '../evidence/record-keys-and-filters.ts';
import { compareVersions } from '../evidence/record-readings.ts';
import type { Session } from '../evidence/request-session.ts';
import { callForRecord, isRecordRead, type RecordRead } from '../evidence/single-record-calls.ts';

/** A record in one reply, with the checkpoint of that time. */
export interface TimelinePoint {
  readonly key: string;
  readonly record: DataRecord;
  readonly reply: Reply;
  /** The checkpoint of a client at the time of the request; `undefined` before the end of the first reading. */
  readonly checkpoint: string | undefined;
}

/** A record in the reply to its single read, with the tag. */
export interface TaggedTimelinePoint extends TimelinePoint {
  readonly tag: string | undefined;
}

/** The reads at the end of a watch: the whole list, and then once more from the checkpoint. */
export interface ClosingRead {
  /** The checkpoint of the second read. */
  readonly checkpoint: string;
  readonly wholeList: Pagination;
  readonly sync: Pagination;
  /** The records of the client after both reads. */
  readonly clientCopy: ReadonlyMap<string, TimelinePoint>;
}

/** A list that is watched. */
export interface ListTimeline {
  readonly operation: ListOperation;
  /** The operation that reads one of its records, if there is one. */
  readonly readOperation: RecordRead | undefined;
  /** The parameter that takes a checkpoint, if there is one. */
  readonly checkpointParameter: string | undefined;
  /** Every record in a list reply, by key, in order of time. */
  readonly listed: Map<string, TimelinePoint[]>;
  /** The single reads of each record, by key. */
  readonly readings: Map<string, TaggedTimelinePoint[]>;
  /** The records of a client that follows the checkpoint: the latest version of each that it received. */
  readonly clientCopy: Map<string, TimelinePoint>;
  /** The latest time of change at the end of the last complete read. */
  checkpoint: string | undefined;
  /** For a list that is too long to read: the time since which all its changes are known. `undefined` if the whole list is known. */
  knownSince: string | undefined;
  /** Number of complete reads from the checkpoint. */
  syncs: number;
  /** Number of records that appeared after the first reading, new or with a later time of change. */
  changes: number;
  closingReads: ClosingRead[];
}

/** The time of the last change of a record; empty if it has none. */
export function versionText({ operation }: ListTimeline, record: DataRecord): string {
  const version = versionOf(operation, record);
  return typeof version === 'string' ? version : '';
}

/** The points of a pagination. */
export function timelinePointsOf(timeline: ListTimeline, pagination: Pagination): readonly TimelinePoint[] {
  return pagination.replies.flatMap((reply, index) =>
    (pagination.pages[index] ?? []).map((record) => ({
      key: recordKeyOf(timeline.operation, record),
      record,
      reply,
      checkpoint: timeline.checkpoint,
    })),
  );
}

/** Maximum number of pages of one reading of a list. */
const maxPages = 8;

/** Number of records of a list that are read singly at each look. */
const singleReadsPerLook = 3;

/** Makes a timeline for each list of a contract with times of change. */
export function openTimelines(contract: Contract): readonly ListTimeline[] {
  return contract.operations
    .filter((operation) => operation.method === 'GET')
    .filter(isList)
    .filter(({ collection }) => collection.version !== undefined)
    .map((operation) => ({
      operation,
      readOperation: contract.operations
        .filter((each) => isRecordRead(each, contract) && each.resource?.name === operation.collection.name)
        .toSorted((left, right) => Number(isConditional(right)) - Number(isConditional(left)))
        .find((each) => isRecordRead(each, contract)),
      checkpointParameter: checkpointOf(operation),
      listed: new Map(),
      readings: new Map(),
      clientCopy: new Map(),
      checkpoint: undefined,
      knownSince: undefined,
      syncs: 0,
      changes: 0,
      closingReads: [],
    }));
}

/** Reads a list for the first time. If the list is too long, the watch follows only later changes. */
export async function beginTimeline(session: Session, timeline: ListTimeline): Promise<void> {
  const pagination = await readList(session, timeline, {});
  keepPoints(timeline, pagination, true);
  timeline.checkpoint = latestOf(timeline, [...timeline.clientCopy.values()]);
  if (pagination.end !== 'complete') timeline.knownSince = timeline.checkpoint;
}

/** Reads the changes since the checkpoint, and single records: those read before, and those that changed last. */
export async function lookAtList(session: Session, contract: Contract, timeline: ListTimeline): Promise<void> {
  await followCheckpoint(session, timeline);
  const latest = [...timeline.clientCopy.values()].toSorted((left, right) =>
    compareVersions(versionText(timeline, right.record), versionText(timeline, left.record)),
  );
  // Records that were read before come first, because only a repeated read shows a change.
  const readBefore = latest.filter(({ key }) => timeline.readings.has(key)).slice(0, singleReadsPerLook - 1);
  const points = [...new Set([...readBefore, ...latest])].slice(0, singleReadsPerLook);
  for (const point of points) await readOne(session, contract, timeline, point);
}

/** Number of requests for one more look at a list and for its closing reads, which a doubtful list needs twice. */
export function requestsToClose({ operation, clientCopy }: ListTimeline): number {
  const pages = Math.max(1, Math.ceil(clientCopy.size / largestLimit(operation)));
  return 1 + singleReadsPerLook + 2 * (pages + 2);
}

/** Reads the whole list between two reads from the checkpoint, at the end of the watch. */
export async function closeTimeline(session: Session, timeline: ListTimeline): Promise<void> {
  if (timeline.checkpointParameter === undefined || timeline.checkpoint === undefined) {
    keepPoints(timeline, await readList(session, timeline, {}), false);
    return;
  }
  const before = await followCheckpoint(session, timeline);
  const { checkpoint } = timeline;
  const wholeList = await readList(
    session,
    timeline,
    timeline.knownSince === undefined ? {} : { [timeline.checkpointParameter]: timeline.knownSince },
  );
  for (const point of timelinePointsOf(timeline, wholeList)) addPoint(timeline.listed, point);
  const sync = await followCheckpoint(session, timeline);
  if ([before, wholeList, sync].some(({ end }) => end !== 'complete')) return;
  timeline.closingReads.push({ checkpoint, wholeList, sync, clientCopy: new Map(timeline.clientCopy) });
}

/** Reads the list from the checkpoint on. The checkpoint advances only if the read is complete. */
async function followCheckpoint(session: Session, timeline: ListTimeline): Promise<Pagination> {
  const isCut = timeline.checkpointParameter !== undefined && timeline.checkpoint !== undefined;
  const pagination = await readList(session, timeline, isCut ? { [timeline.checkpointParameter ?? '']: timeline.checkpoint ?? '' } : {});
  keepPoints(timeline, pagination, false);
  if (pagination.end !== 'complete') return pagination;
  timeline.syncs += 1;
  timeline.checkpoint = latestOf(timeline, [...timeline.clientCopy.values()]);
  return pagination;
}

async function readOne(
  session: Session,
  contract: Contract,
  timeline: ListTimeline,
  { key, record, checkpoint }: TimelinePoint,
): Promise<void> {
  const call = timeline.readOperation === undefined ? undefined : callForRecord(timeline.readOperation, record);
  if (call === undefined) return;
  const reply = await session.ask(call);
  const shownRecord = locateRecord(contract, reply)?.record;
  if (shownRecord !== undefined)
    addPoint(timeline.readings, { key, record: shownRecord, reply, checkpoint: timeline.checkpoint ?? checkpoint, tag: usableTag(reply) });
}

function readList(session: Session, timeline: ListTimeline, values: ParameterValues): Promise<Pagination> {
  const { operation } = timeline;
  return paginate((call) => session.ask(call), { operation, values, limit: largestLimit(operation), maxPages });
}

function keepPoints(timeline: ListTimeline, pagination: Pagination, isFirst: boolean): void {
  for (const point of timelinePointsOf(timeline, pagination)) {
    const earlierPoint = timeline.clientCopy.get(point.key);
    const isLater =
      earlierPoint === undefined || compareVersions(versionText(timeline, point.record), versionText(timeline, earlierPoint.record)) > 0;
    if (!isFirst && isLater) timeline.changes += 1;
    timeline.clientCopy.set(point.key, point);
    addPoint(timeline.listed, point);
  }
}

function addPoint<T extends TimelinePoint>(pointsByKey: Map<string, T[]>, point: T): void {
  getOrCompute(pointsByKey, point.key, () => []).push(point);
}

function latestOf(timeline: ListTimeline, points: readonly TimelinePoint[]): string | undefined {
  const versions = points.map(({ record }) => versionText(timeline, record)).filter((version) => version !== '');
  return versions.reduce<string | undefined>(
    (latest, version) => (latest === undefined || compareVersions(version, latest) > 0 ? version : latest),
    timeline.checkpoint,
  );
}
