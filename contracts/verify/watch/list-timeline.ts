/** The timeline of a watched list: what each request of a client that follows the checkpoint showed. `watch` fills it, and the watch rules judge it. */

import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Reply, usableTag } from '../engine/call-and-reply.ts';
import { isConditional } from '../engine/clauses.ts';
import { keyOf, type Pagination, type ParameterValues, paginate } from '../engine/paginate.ts';
import { compareVersions } from '../engine/readings.ts';
import { isRecordRead } from '../engine/sample-reads.ts';
import type { Session } from '../engine/session.ts';
import { callForRecord, locateRecord, type RecordRead } from '../engine/single-read.ts';
import { checkpointOf, largestPage } from '../engine/snapshot.ts';

/** A record as one answer showed it. */
export interface TimelinePoint {
  readonly key: string;
  readonly record: DataRecord;
  readonly reply: Reply;
  /** The checkpoint that a client had when it was asked; `undefined` before the first reading was over. */
  readonly checkpoint: string | undefined;
}

/** A record that was read by itself, with its tag. */
export interface TaggedTimelinePoint extends TimelinePoint {
  readonly tag: string | undefined;
}

/** The end of a watch: the list read whole, and then once more from the checkpoint. */
export interface ClosingRead {
  /** The checkpoint from which it was read the second time. */
  readonly checkpoint: string;
  readonly whole: Pagination;
  readonly sync: Pagination;
  /** Records of the client after that. */
  readonly snapshot: ReadonlyMap<string, TimelinePoint>;
}

/** A list that is watched. */
export interface ListTimeline {
  readonly operation: ListOperation;
  /** The operation that reads one of its records, where there is one. */
  readonly read: RecordRead | undefined;
  /** The parameter that carries a checkpoint, where there is one. */
  readonly parameter: string | undefined;
  /** Every record in a list reply, by key, in order of time. */
  readonly listed: Map<string, TimelinePoint[]>;
  /** Every record that was read by itself, by key. */
  readonly readings: Map<string, TaggedTimelinePoint[]>;
  /** Records of a client that follows the procedure: the latest version that it received of each. */
  readonly snapshot: Map<string, TimelinePoint>;
  /** The latest change that was seen once all pages had been read. */
  checkpoint: string | undefined;
  /** Only what changed since then is compared: the moment from which all is known; `undefined` when all is known. */
  floor: string | undefined;
  /** Number of complete readings from the checkpoint. */
  syncs: number;
  /** Records that were given again with a later moment of change, or for the first time, after the first reading. */
  changes: number;
  closings: ClosingRead[];
}

/** The moment of the last change of a record, as the list shows it. */
export function versionOf({ operation }: ListTimeline, record: DataRecord): string {
  const version = operation.collection.version;
  const found = version === undefined ? undefined : valueAt(record, version);
  return typeof found === 'string' ? found : '';
}

/** The points of a pagination. */
export function timelinePointsOf(timeline: ListTimeline, pagination: Pagination): readonly TimelinePoint[] {
  return pagination.replies.flatMap((reply, index) =>
    (pagination.pages[index] ?? []).map((record) => ({
      key: keyOf(timeline.operation, record),
      record,
      reply,
      checkpoint: timeline.checkpoint,
    })),
  );
}

/** The members that a list shows of a record, taken from another view of it. */
export function summaryOf(record: DataRecord, listed: DataRecord): DataRecord {
  return Object.fromEntries(Object.keys(listed).flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] ?? null]] : [])));
}

/** Most pages of one reading of a list. */
const mostPages = 8;

/** Records of a list that are read singly in each round. */
const watched = 3;

/** The lists of a contract that tell when a record changed last. */
export function openTimelines(contract: Contract): readonly ListTimeline[] {
  return contract.operations
    .filter((operation) => operation.method === 'GET')
    .filter(isList)
    .filter(({ collection }) => collection.version !== undefined)
    .map((operation) => ({
      operation,
      read: contract.operations
        .filter((each) => isRecordRead(each, contract) && each.resource?.name === operation.collection.name)
        .toSorted((left, right) => Number(isConditional(right)) - Number(isConditional(left)))
        .find((each) => isRecordRead(each, contract)),
      parameter: checkpointOf(operation),
      listed: new Map(),
      readings: new Map(),
      snapshot: new Map(),
      checkpoint: undefined,
      floor: undefined,
      syncs: 0,
      changes: 0,
      closings: [],
    }));
}

/** Reads a list for the first time. Of one that is too long, only what changes from now on is followed. */
export async function begin(session: Session, timeline: ListTimeline): Promise<void> {
  const pagination = await readList(session, timeline, {});
  keep(timeline, pagination, true);
  timeline.checkpoint = latestOf(timeline, [...timeline.snapshot.values()]);
  if (pagination.end !== 'complete') timeline.floor = timeline.checkpoint;
}

/** One look: what changed since the checkpoint, and the records that changed last by themselves. */
export async function look(session: Session, contract: Contract, timeline: ListTimeline): Promise<void> {
  await follow(session, timeline);
  const latest = [...timeline.snapshot.values()].toSorted((left, right) =>
    compareVersions(versionOf(timeline, right.record), versionOf(timeline, left.record)),
  );
  // The one that changed last may be the only one ever; what was read before is looked at again first.
  const known = latest.filter(({ key }) => timeline.readings.has(key)).slice(0, watched - 1);
  const chosen = [...new Set([...known, ...latest])].slice(0, watched);
  for (const point of chosen) await readOne(session, contract, timeline, point);
}

/** The end: the list read whole between two readings from the checkpoint. */
export async function close(session: Session, timeline: ListTimeline): Promise<void> {
  if (timeline.parameter === undefined || timeline.checkpoint === undefined) {
    keep(timeline, await readList(session, timeline, {}), false);
    return;
  }
  const before = await follow(session, timeline);
  const { checkpoint } = timeline;
  const whole = await readList(session, timeline, timeline.floor === undefined ? {} : { [timeline.parameter]: timeline.floor });
  for (const point of timelinePointsOf(timeline, whole)) note(timeline.listed, point);
  const sync = await follow(session, timeline);
  if ([before, whole, sync].some(({ end }) => end !== 'complete')) return;
  timeline.closings.push({ checkpoint, whole, sync, snapshot: new Map(timeline.snapshot) });
}

/** Reads from the checkpoint to the end; only then does the checkpoint move. */
async function follow(session: Session, timeline: ListTimeline): Promise<Pagination> {
  const isCut = timeline.parameter !== undefined && timeline.checkpoint !== undefined;
  const pagination = await readList(session, timeline, isCut ? { [timeline.parameter ?? '']: timeline.checkpoint ?? '' } : {});
  keep(timeline, pagination, false);
  if (pagination.end !== 'complete') return pagination;
  timeline.syncs += 1;
  timeline.checkpoint = latestOf(timeline, [...timeline.snapshot.values()]);
  return pagination;
}

async function readOne(
  session: Session,
  contract: Contract,
  timeline: ListTimeline,
  { key, record, checkpoint }: TimelinePoint,
): Promise<void> {
  const call = timeline.read === undefined ? undefined : callForRecord(timeline.read, record);
  if (call === undefined) return;
  const reply = await session.ask(call);
  const found = locateRecord(contract, reply)?.record;
  if (found !== undefined)
    note(timeline.readings, { key, record: found, reply, checkpoint: timeline.checkpoint ?? checkpoint, tag: usableTag(reply) });
}

function readList(session: Session, timeline: ListTimeline, values: ParameterValues): Promise<Pagination> {
  const { operation } = timeline;
  return paginate((call) => session.ask(call), { operation, values, limit: largestPage(operation), maxPages: mostPages });
}

function keep(timeline: ListTimeline, pagination: Pagination, isFirst: boolean): void {
  for (const point of timelinePointsOf(timeline, pagination)) {
    const known = timeline.snapshot.get(point.key);
    const isLater = known === undefined || compareVersions(versionOf(timeline, point.record), versionOf(timeline, known.record)) > 0;
    if (!isFirst && isLater) timeline.changes += 1;
    timeline.snapshot.set(point.key, point);
    note(timeline.listed, point);
  }
}

function note<T extends TimelinePoint>(seen: Map<string, T[]>, point: T): void {
  const points = seen.get(point.key) ?? [];
  points.push(point);
  seen.set(point.key, points);
}

function latestOf(timeline: ListTimeline, points: readonly TimelinePoint[]): string | undefined {
  const versions = points.map(({ record }) => versionOf(timeline, record)).filter((version) => version !== '');
  return versions.reduce<string | undefined>(
    (latest, version) => (latest === undefined || compareVersions(version, latest) > 0 ? version : latest),
    timeline.checkpoint,
  );
}
