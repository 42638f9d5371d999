/** Compares the records that a client holds with those that its reads should have given it, when it posts them or when a scenario of an exam ends. */

import { isArray, isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../../core/json.ts';
import { showPointer, toPointer, valueAt } from '../../core/pointer.ts';
import { parseInstant, printInstant } from '../../core/query/instants.ts';
import { createMask } from '../../core/redaction/mask-personal-data.ts';
import type { ClientComparison, ClientDifference, ClientDifferenceKind } from '../../core/results/client-result.ts';
import type { ClientRuleId } from '../../core/results/client-rule.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { DeliveredRecord } from './delivered-records.ts';
import { type Expectation, type ExpectedRecord, listKeys, versionOf, visibleRecords } from './expected-records.ts';
import type { ListReads, Loss } from './list-reads.ts';

/** A record of a client. */
interface StoredRecord {
  readonly key: Json;
  readonly versionMs: number | undefined;
  /** The fields that the client named. */
  readonly fields: JsonObject;
}

/** The broken rule of each kind of difference. */
const rules: Readonly<Record<ClientDifferenceKind, ClientRuleId>> = {
  missing: 'client/records-complete',
  stale: 'client/records-current',
  invented: 'client/records-real',
  ghost: 'client/records-real',
  duplicate: 'client/records-real',
  'wrong-day': 'client/values-kept',
  altered: 'client/values-kept',
};

/** Maximum number of keys of a difference. */
const keysMax = 100;

/** A client and one of its lists. */
export interface ClientList {
  readonly api: ServedApi;
  readonly role: string;
  readonly reads: ListReads;
  readonly nowMs: number;
}

/** Compares records that a client named; `undefined` for a collection that is too large. */
export function comparePosted(clientList: ClientList, records: readonly Json[]): ClientComparison | undefined {
  const { collection } = clientList.reads.operation;
  const deliveries = clientList.reads.deliveries.newest();
  const storedRecords = records.map((record): StoredRecord => {
    const fields = objectOrEmpty(record);
    const key = isObject(record) ? (valueAt(record, collection.key) ?? null) : record;
    const versionMs = versionOf(collection, fields);
    const delivery = deliveries?.get(String(key));
    // A client that names no version, or one that no response had, has at most the one that was delivered.
    const isDelivered = delivery === undefined || delivery.versions.has(versionMs);
    return { key, versionMs: isDelivered ? versionMs : delivery.versionMs, fields };
  });
  return compare(clientList, storedRecords, 'posted');
}

/** Compares the records that were delivered to a client; `undefined` for too many. */
export function compareDelivered(clientList: ClientList): ClientComparison | undefined {
  const deliveredRecords = clientList.reads.deliveries.newest();
  if (deliveredRecords === undefined) return undefined;
  const storedRecords = [...deliveredRecords].map(([key, { versionMs }]): StoredRecord => ({ key, versionMs, fields: {} }));
  return compare(clientList, storedRecords, 'delivered');
}

function compare(
  clientList: ClientList,
  storedRecords: readonly StoredRecord[],
  source: ClientComparison['source'],
): ClientComparison | undefined {
  const { api, role, reads, nowMs } = clientList;
  const { collection } = reads.operation;
  const expected = reads.expected.list(api, role, nowMs);
  const currentRecords = visibleRecords(api, role, collection, nowMs);
  if (expected === undefined || currentRecords === undefined) return undefined;
  const newestByKey = new Map(currentRecords.map((record) => [String(valueAt(record, collection.key)), record]));
  const storedByKey = new Map(storedRecords.map((record) => [String(record.key), record]));
  const differing: DifferingRecord[] = storedRecords
    .filter((record) => storedByKey.get(String(record.key)) !== record)
    .map(({ key }) => ({ kind: 'duplicate', key }));
  if (source === 'posted') {
    // A record that was delivered may be gone since.
    for (const [name, { key }] of storedByKey)
      if (!expected.records.has(name) && !newestByKey.has(name)) differing.push({ kind: 'invented', key });
    for (const key of listGhosts(clientList, storedByKey, expected, newestByKey)) differing.push({ kind: 'ghost', key });
  }
  const deliveries = reads.deliveries.newest();
  const wrongRecords = [...expected.records].flatMap(([name, expectedRecord]): readonly DifferingRecord[] => {
    const storedRecord = storedByKey.get(name);
    const difference = differenceOf(storedRecord, expectedRecord, newestByKey.get(name));
    if (difference === undefined) return [];
    const { key } = expectedRecord;
    const delivery = deliveries?.get(name);
    if (typeof difference === 'string') return [{ kind: difference, key, loss: reads.lossOf(expectedRecord, api, delivery) }];
    const describe = (): string => describeValue(clientList, difference.pointer, expectedRecord, storedRecord?.fields ?? {}, delivery);
    return [{ kind: difference.kind, key, loss: { kind: 'delivered', number: delivery?.number }, describe }];
  });
  const differences = describeDifferences([...differing, ...wrongRecords], collection.name);
  return {
    schema: 'touchstone-client-comparison/1',
    verdict: differences.length === 0 ? 'equal' : 'different',
    contract: api.contract.name,
    collection: collection.name,
    role,
    instant: printInstant(expected.asOfMs),
    source,
    stored: storedByKey.size,
    expected: expected.records.size,
    correct: expected.records.size - wrongRecords.length,
    differences,
  };
}

/** Lists the stored records that were delivered once, and whose newest version the filters of the client's reads hide. */
function listGhosts(
  { reads }: ClientList,
  storedByKey: ReadonlyMap<string, StoredRecord>,
  expected: Expectation,
  newestByKey: ReadonlyMap<string, JsonObject>,
): readonly Json[] {
  const delivered = reads.deliveries.newest();
  const isGhost = ([name, { versionMs = 0 }]: readonly [string, StoredRecord]): boolean => {
    const changedMs = versionOf(reads.operation.collection, newestByKey.get(name) ?? null) ?? 0;
    return !expected.records.has(name) && delivered?.has(name) === true && versionMs < changedMs && changedMs <= expected.asOfMs;
  };
  return [...storedByKey].filter(isGhost).map(([, { key }]) => key);
}

/** A value of a client that is not that of the record. */
interface WrongValue {
  readonly kind: 'wrong-day' | 'altered';
  readonly pointer: string;
}

/** Compares a record of a client with the one that it should have. `newestRecord` is its newest version, which is accepted too; `undefined` if it is gone. */
function differenceOf(
  storedRecord: StoredRecord | undefined,
  expectedRecord: ExpectedRecord,
  newestRecord: JsonObject | undefined,
): 'missing' | 'stale' | WrongValue | undefined {
  if (storedRecord === undefined) return newestRecord === undefined ? undefined : 'missing';
  const { versionMs, fields } = storedRecord;
  if (versionMs !== undefined && expectedRecord.versionMs !== undefined && versionMs < expectedRecord.versionMs) return 'stale';
  const difference = wrongValue(fields, expectedRecord.record, []);
  return difference === undefined || newestRecord === undefined || newestRecord === expectedRecord.record
    ? difference
    : wrongValue(fields, newestRecord, []) && difference;
}

/** The first value that differs. Members that the record does not have are the client's own. */
function wrongValue(stored: Json, actual: Json, path: readonly (string | number)[]): WrongValue | undefined {
  if (stored === actual) return undefined;
  const isSameList = isArray(stored) && isArray(actual) && stored.length === actual.length;
  if (!isSameList && !(isObject(stored) && isObject(actual)))
    return isSame(stored, actual) ? undefined : { kind: kindOf(stored, actual), pointer: toPointer(path) };
  for (const [name, value] of Object.entries(stored)) {
    const actualValue = (actual as JsonObject)[name];
    const difference = Object.hasOwn(actual, name) ? wrongValue(value, actualValue ?? null, [...path, name]) : undefined;
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function kindOf(stored: Json, actual: Json): WrongValue['kind'] {
  const [storedDay, actualDay] = [dayOf(stored), dayOf(actual)];
  return storedDay !== undefined && actualDay !== undefined && storedDay !== actualDay ? 'wrong-day' : 'altered';
}

/** Lengths of a written day, minute and second. */
const writtenLengths: readonly number[] = [10, 16, 19];

/** True for equal values: an instant in another spelling, or the day of an instant as the response writes it, is equal. */
function isSame(stored: Json, actual: Json): boolean {
  if (stored === actual) return true;
  if (typeof stored !== 'string' || typeof actual !== 'string') return false;
  const instant = parseInstant(stored);
  if (instant !== undefined && instant === parseInstant(actual)) return true;
  return (
    dayOf(actual) !== undefined && writtenLengths.includes(stored.length) && actual.replace(' ', 'T').startsWith(stored.replace(' ', 'T'))
  );
}

/** The day of a date or an instant, as it is written. */
function dayOf(value: Json): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/.test(value) ? value.slice(0, 10) : undefined;
}

/** A record that differs, with the reason of its loss. */
interface DifferingRecord {
  readonly kind: ClientDifferenceKind;
  readonly key: Json;
  readonly loss?: Loss;
  /** Describes a wrong value. */
  readonly describe?: () => string;
}

/** Describes the differences, one for each kind. */
function describeDifferences(differing: readonly DifferingRecord[], name: string): readonly ClientDifference[] {
  return (Object.keys(rules) as readonly ClientDifferenceKind[]).flatMap((kind) => {
    const records = differing.filter((record) => record.kind === kind);
    const count = records.length;
    if (count === 0) return [];
    const keys = records.slice(0, keysMax).map(({ key }) => key);
    const losses = records.flatMap(({ loss }) => loss ?? []);
    const reasons = [...new Set(losses.map((loss) => loss.kind))].map((each) => {
      const lossesOfKind = losses.filter((loss) => loss.kind === each);
      const number = lossesOfKind[0]?.number;
      return { number, text: `${lossesOfKind.length === count ? '' : `${lossesOfKind.length} `}${lossTexts[each](number)}` };
    });
    const reason = records[0]?.describe?.() ?? reasons.map(({ text }) => text).join('; ');
    const message = `${count} of the ${name} ${verbs[kind][count === 1 ? 0 : 1]}: ${listKeys(keys)}${reason === '' ? '' : ` (${reason})`}.`;
    return [{ kind, rule: rules[kind], count, keys, message, exchanges: reasons.flatMap(({ number }) => number ?? []) }];
  });
}

/** Describes a wrong value; personal ones stay hidden. */
function describeValue(
  { api, reads }: ClientList,
  pointer: string,
  { key, record }: ExpectedRecord,
  stored: JsonObject,
  delivery: DeliveredRecord | undefined,
): string {
  const mask = createMask(api.contract);
  const show = (value: JsonObject): string => {
    const text = printJson(valueAt(mask.maskRecord(reads.operation, value), pointer) ?? null);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  };
  const source = delivery === undefined ? 'it' : `exchange ${delivery.number}`;
  return `${showPointer(pointer) || 'The value'} of ${String(key)} is ${show(stored)}; ${source} has ${show(record)}`;
}

/** Words after the number of records of a kind: for one record, and for several. */
const verbs: Readonly<Record<ClientDifferenceKind, readonly [one: string, several: string]>> = {
  missing: ['is missing', 'are missing'],
  stale: ['is stale', 'are stale'],
  invented: ['does not exist', 'do not exist'],
  ghost: ['is a ghost, which the filter of the reads no longer finds', 'are ghosts, which the filter of the reads no longer finds'],
  duplicate: ['is stored more than once', 'are stored more than once'],
  'wrong-day': ['is on the wrong day', 'are on the wrong day'],
  altered: ['was altered', 'were altered'],
};

/** Reasons why some records differ, after their keys. */
const lossTexts: Readonly<Record<Loss['kind'], (number: number | undefined) => string>> = {
  delivered: (number) => `delivered in exchange ${number} and not kept`,
  page: (number) => `on the pages that follow exchange ${number}, which were not read`,
  checkpoint: (number) => `changed before the checkpoint of exchange ${number}`,
  never: () => 'not requested since the change',
};
