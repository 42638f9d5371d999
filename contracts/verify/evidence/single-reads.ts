/** Reads a varied sample of listed records one by one and, at the end of a round, reads again those that changed since. Does not judge the replies. */

import { definedOf } from '../../../core/drop-undefined.ts';
import { isArray, isObject, type Json, printJson } from '../../../core/json.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, isReplyTo, isSuccess, type Reply } from './call.ts';
import { listedValues, observedValues } from './filter-values.ts';
import { locateRecord } from './locate-record-in-reply.ts';
import { fieldOf, recordKeyOf, versionOf } from './record-keys-and-filters.ts';
import { compareVersions, type RecordReading } from './record-readings.ts';
import type { RoundContext } from './round-context.ts';
import { callForRecord, isRecordRead, recordListOf } from './single-record-calls.ts';
import type { Snapshot } from './snapshot.ts';

/** A listed record, and the reply to its single read. */
export interface SampleRead {
  readonly record: DataRecord;
  readonly key: string;
  readonly reply: Reply;
}

/** Reads some records of a list one by one, by the first of the parameters that name them. */
export async function readSampledRecords(context: RoundContext, operation: Operation): Promise<readonly SampleRead[]> {
  const list = recordListOf(context, operation);
  const snapshot = await context.snapshot(list);
  const readings: SampleRead[] = [];
  for (const record of sampleOf(context, snapshot, operation)) {
    const call = callForRecord(operation, record);
    if (call !== undefined) readings.push({ record, key: recordKeyOf(list, record), reply: await context.ask(call) });
  }
  return readings;
}

/** Calls to repeat with `If-None-Match`: they should succeed, and read records that differ. */
export async function conditionalCalls(context: RoundContext, operation: Operation, number: number): Promise<readonly Call[]> {
  if (!isRecordRead(operation, context.contract)) return [{ operation }];
  const sample = sampleOf(context, await context.snapshot(recordListOf(context, operation)), operation);
  return sample.slice(0, number).flatMap((record) => callForRecord(operation, record) ?? []);
}

/** Limits of single reads: of one operation in quick runs, at least and at most, and of all operations, unless each needs its least number. */
const sampleSizes = { quick: 2, least: 3, most: 8, total: 12 } as const;

/**
 * Chooses records that differ: the first, the one with the most unusual name, and then each with a feature that none before it has. A feature is the value of
 * an enum field, or the type of a member.
 */
function sampleOf(context: RoundContext, snapshot: Snapshot, operation: Operation): readonly DataRecord[] {
  const { records } = snapshot;
  const most = context.quick ? sampleSizes.quick : readsPerOperation(context);
  // Other rules read the first record too, so its reply comes from the cache.
  const unusual = context.quick ? undefined : mostUnusual(records, operation);
  const varied = withNewFeatures([...new Set([...records.slice(0, 1), ...definedOf(unusual), ...records])], (record) => [
    ...featuresOf(snapshot, record),
    ...(record === unusual ? ['unusual'] : []),
  ]);
  return [...new Set([...varied, ...records.slice(0, sampleSizes.least)])].slice(0, most);
}

/** Records each with a feature that none before it has. */
function withNewFeatures(records: readonly DataRecord[], listFeatures: (record: DataRecord) => readonly string[]): readonly DataRecord[] {
  const seen = new Set<string>();
  return records.filter((record) => {
    const fresh = listFeatures(record).filter((feature) => !seen.has(feature));
    for (const feature of fresh) seen.add(feature);
    return fresh.length > 0;
  });
}

/** Maximum number of values by which records are told apart: those of a date or an identifier differ in nearly all records. */
const mostValues = 12;

/** Records with each value of every filter that has few, and with each type of every part. */
export function recordsOfEachKind(snapshot: Snapshot, records: readonly DataRecord[]): readonly DataRecord[] {
  const filters = [...snapshot.operation.collection.filters.keys()].filter((name) => observedValues(snapshot, name).length <= mostValues);
  const fields = filters.flatMap((name) => fieldOf(snapshot.operation, name) ?? []);
  return withNewFeatures(records, (record) => [
    ...fields.map((field) => `${field}=${printJson(valueAt(record, field) ?? null)}`),
    ...typesWithin(record, ''),
  ]);
}

function typesWithin(value: Json, at: string): readonly string[] {
  if (isArray(value))
    return [`${at} has ${Math.min(value.length, 2)}`, ...value.slice(0, 1).flatMap((each) => typesWithin(each, `${at}/0`))];
  if (!isObject(value)) return [`${at} is ${value === null ? 'null' : typeof value}`];
  return Object.entries(value).flatMap(([name, member]) => typesWithin(member, `${at}/${name}`));
}

/** The first records of the sample, whose reads other rules share, and the first two records with equal versions. */
export async function sampleWithTie(context: RoundContext, list: ListOperation, operation: Operation): Promise<readonly DataRecord[]> {
  const snapshot = await context.snapshot(list);
  const tied = context.quick || list.collection.version === undefined ? [] : firstTie(list, snapshot.records);
  return [...new Set([...sampleOf(context, snapshot, operation).slice(0, 3), ...tied])];
}

/** The first two records with the same time of change. */
function firstTie(list: ListOperation, records: readonly DataRecord[]): readonly DataRecord[] {
  const versions = records.map((record) => printJson(versionOf(list, record)));
  const index = versions.findIndex((version, position) => versions.indexOf(version) < position);
  const earlier = index < 0 ? -1 : versions.indexOf(versions[index] ?? '');
  return records.filter((_, position) => position === index || position === earlier);
}

/** Number of records that an operation may read singly. */
function readsPerOperation({ contract }: RoundContext): number {
  const reads = contract.operations.filter((operation) => isRecordRead(operation, contract)).length;
  return Math.min(sampleSizes.most, Math.max(sampleSizes.least, Math.floor(sampleSizes.total / Math.max(1, reads))));
}

/** The record whose names need the most care in a request: letters outside ASCII, reserved characters, spaces. */
export function mostUnusual(records: readonly DataRecord[], operation: Operation, parameter?: string): DataRecord | undefined {
  const fields = [...(operation.resource?.by ?? [])]
    .filter(([name]) => parameter === undefined || name === parameter)
    .map(([, field]) => field);
  const unusualCharacters = (record: DataRecord): number =>
    fields.reduce((sum, field) => sum + (String(valueAt(record, field)).match(/[^A-Za-z0-9._~-]/g)?.length ?? 0), 0);
  return records.toSorted((left, right) => unusualCharacters(right) - unusualCharacters(left))[0];
}

/** Values of a record's enum fields, and the types of its members. */
function featuresOf({ operation }: Snapshot, record: DataRecord): readonly string[] {
  const enumFeatures = [...operation.collection.filters.keys()].flatMap((name) => {
    const field = listedValues(operation, name).length > 0 ? fieldOf(operation, name) : undefined;
    return field === undefined ? [] : [`${field}=${printJson(valueAt(record, field) ?? null)}`];
  });
  const memberTypes = Object.entries(record).map(([name, value]) => `${name} is ${value === null ? 'null' : typeof value}`);
  return [...enumFeatures, ...memberTypes];
}

/** Number of records that each operation reads again. */
const maxReadAgain = 2;

/** Repeats single reads of records that their list has shown in a newer version since. A reply that is older than the list is read once more. */
export async function readChangedAgain(context: RoundContext): Promise<void> {
  for (const operation of context.contract.operations.filter((each) => isRecordRead(each, context.contract))) {
    const list = recordListOf(context, operation);
    const latestByKey = new Map(shownRecords(context, operation).map((single) => [single.key, single]));
    const outdated = [...latestByKey.values()].filter((shown) => isOlder(list, shown, context.readings(list).of(shown.key)));
    for (const { key, reply } of outdated.slice(0, maxReadAgain)) await readAgain(context, list, key, reply.call);
  }
}

async function readAgain(context: RoundContext, list: ListOperation, key: string, call: Call): Promise<void> {
  const shownRecord = toShownRecord(context, list, await context.askAgain(call));
  if (shownRecord !== undefined && isBehind(list, shownRecord, context.readings(list).of(key))) await context.askAgain(call);
}

/** The record in the reply to a single read. */
export interface ShownRecord {
  readonly key: string;
  readonly record: RecordReading['record'];
  readonly reply: Reply;
}

/** Records in the replies of an operation that reads one record, with the key `full`. */
export function shownRecords(
  context: RoundContext,
  operation: Operation,
  replies: readonly Reply[] = context.replies,
): readonly ShownRecord[] {
  const list = recordListOf(context, operation);
  const ownReplies = replies.filter((reply) => isReplyTo(reply, operation) && reply.call.raw === undefined);
  return ownReplies.flatMap((reply) => toShownRecord(context, list, reply) ?? []);
}

function toShownRecord(context: RoundContext, list: ListOperation, reply: Reply): ShownRecord | undefined {
  const record = isSuccess(reply) ? locateRecord(context.contract, reply)?.record : undefined;
  return record === undefined ? undefined : { key: recordKeyOf(list, record), record, reply };
}

/**
 * True for an outdated reply: the list showed this version before the request, and then a newer one. A version that the list never showed is not outdated,
 * since the data may have been set back.
 */
export function isBehind(list: ListOperation, shownRecord: ShownRecord, readings: readonly RecordReading[]): boolean {
  const before = readings.filter((each) => each.reply.endedMs <= shownRecord.reply.startedMs);
  const shownVersion = versionOf(list, shownRecord.record);
  return isOlder(list, shownRecord, before) && before.some(({ record }) => versionOf(list, record) === shownVersion);
}

function isOlder(list: ListOperation, shownRecord: ShownRecord, readings: readonly RecordReading[]): boolean {
  const [shownVersion, listedVersion] = [versionOf(list, shownRecord.record), versionOf(list, readings.at(-1)?.record)];
  return typeof shownVersion === 'string' && typeof listedVersion === 'string' && compareVersions(shownVersion, listedVersion) < 0;
}
