/**
 * Compares the records of a client with those that its reads should have given it. `client-judge.ts` calls `comparePosted` for `/__mock/client/compare` and
 * for users who pass records, and `compareDelivered` after each scenario of an exam. It does not look at the order of requests.
 */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { showPointer, toPointer, valueAt } from '../../core/pointer.ts';
import { parseInstant } from '../../core/query/instant.ts';
import { createMask } from '../../core/redaction/mask-personal-data.ts';
import type { ClientComparison, ClientDifference, ClientDifferenceKind } from '../../core/results/client-result.ts';
import type { ClientRuleId } from '../../core/results/client-rule-id.ts';
import { printInstant } from '../clock.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { DeliveredRecord } from './deliveries.ts';
import { type ExpectedRecord, listKeys, listRecords, versionOf } from './expected-records.ts';
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
  duplicate: 'client/records-real',
  'wrong-day': 'client/values-kept',
  'wrong-value': 'client/values-kept',
};

/** Maximum numbers of keys and of exchanges of a difference. */
const [keysMax, exchangesMax] = [100, 10];

/** A client and one of its lists. */
export interface ComparedReads {
  readonly api: ServedApi;
  readonly role: string;
  readonly reads: ListReads;
  readonly nowMs: number;
}

/** Compares records that a client named; `undefined` for a collection that is too large. */
export function comparePosted(compared: ComparedReads, records: readonly Json[]): ClientComparison | undefined {
  const { collection } = compared.reads.operation;
  const deliveries = compared.reads.deliveries.newest();
  const stored = records.map((record): StoredRecord => {
    const fields = isObject(record) ? record : {};
    const key = isObject(record) ? (valueAt(record, collection.key) ?? null) : record;
    // A client that names no version has at most the one that was delivered.
    return { key, versionMs: versionOf(collection, fields) ?? deliveries?.get(String(key))?.versionMs, fields };
  });
  return compare(compared, stored, 'posted');
}

/** Compares the records that were delivered to a client; `undefined` for too many. */
export function compareDelivered(compared: ComparedReads): ClientComparison | undefined {
  const delivered = compared.reads.deliveries.newest();
  if (delivered === undefined) return undefined;
  const stored = [...delivered].map(([key, { versionMs }]): StoredRecord => ({ key, versionMs, fields: {} }));
  return compare(compared, stored, 'delivered');
}

function compare(
  compared: ComparedReads,
  stored: readonly StoredRecord[],
  source: ClientComparison['source'],
): ClientComparison | undefined {
  const { api, role, reads, nowMs } = compared;
  const { collection } = reads.operation;
  const expected = reads.expected.list(api, role, nowMs);
  const current = listRecords(api, role, collection, nowMs);
  if (expected === undefined || current === undefined) return undefined;
  const newest = new Map(current.map((record) => [String(valueAt(record, collection.key)), record]));
  const byKey = new Map(stored.map((record) => [String(record.key), record]));
  const found = new Differences(compared);
  for (const record of stored) if (byKey.get(String(record.key)) !== record) found.add('duplicate', record.key);
  // A record that was delivered may be gone since.
  const invented = source === 'posted' ? [...byKey].filter(([key]) => !expected.records.has(key) && !newest.has(key)) : [];
  for (const [, { key }] of invented) found.add('invented', key);
  const wrong = [...expected.records].filter(([key, wanted]) => {
    const known = byKey.get(key);
    const difference = differenceOf(known, wanted, newest.get(key));
    if (difference !== undefined) found.addDifference(difference, wanted, known?.fields ?? {});
    return difference !== undefined;
  });
  const differences = found.list();
  return {
    schema: 'touchstone-client-comparison/1',
    verdict: differences.length === 0 ? 'equal' : 'different',
    contract: api.contract.name,
    collection: collection.name,
    role,
    instant: printInstant(expected.asOfMs),
    source,
    stored: byKey.size,
    expected: expected.records.size,
    correct: expected.records.size - wrong.length,
    differences,
  };
}

/** A value of a client that is not that of the record. */
interface WrongValue {
  readonly kind: 'wrong-day' | 'wrong-value';
  readonly pointer: string;
}

/** Compares a record of a client with the one that it should have. `now` is its newest version, which is as good; `undefined` if it is gone. */
function differenceOf(
  stored: StoredRecord | undefined,
  wanted: ExpectedRecord,
  now: JsonObject | undefined,
): 'missing' | 'stale' | WrongValue | undefined {
  if (stored === undefined) return now === undefined ? undefined : 'missing';
  const { versionMs, fields } = stored;
  if (versionMs !== undefined && wanted.versionMs !== undefined && versionMs < wanted.versionMs) return 'stale';
  const wrong = wrongValue(fields, wanted.record, []);
  return wrong === undefined || now === undefined || now === wanted.record ? wrong : wrongValue(fields, now, []) && wrong;
}

/** The first value that differs. Members that the record does not have are the client's own. */
function wrongValue(stored: Json, actual: Json, path: readonly (string | number)[]): WrongValue | undefined {
  const members = commonMembers(stored, actual);
  if (members === undefined) return isSame(stored, actual) ? undefined : { kind: kindOf(stored, actual), pointer: toPointer(path) };
  for (const [key, one, other] of members) {
    const wrong = wrongValue(one, other, [...path, key]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** The members of two objects, or of two lists of the same length, in pairs. */
function commonMembers(stored: Json, actual: Json): readonly (readonly [string | number, Json, Json])[] | undefined {
  if (Array.isArray(stored) && Array.isArray(actual) && stored.length === actual.length)
    return (stored as readonly Json[]).map((value, index) => [index, value, (actual as readonly Json[])[index] ?? null]);
  if (!isObject(stored) || !isObject(actual)) return undefined;
  return Object.entries(stored).flatMap(([name, value]) =>
    Object.hasOwn(actual, name) ? [[name, value, actual[name] ?? null] as const] : [],
  );
}

function kindOf(stored: Json, actual: Json): WrongValue['kind'] {
  const [storedDay, actualDay] = [dayOf(stored), dayOf(actual)];
  return storedDay !== undefined && actualDay !== undefined && storedDay !== actualDay ? 'wrong-day' : 'wrong-value';
}

/** True for equal values: an instant in another spelling, or the day of an instant as the response writes it, is equal. */
function isSame(stored: Json, actual: Json): boolean {
  if (stored === actual) return true;
  if (typeof stored !== 'string' || typeof actual !== 'string') return false;
  const instant = parseInstant(stored);
  if (instant !== undefined && instant === parseInstant(actual)) return true;
  return (
    dayOf(actual) !== undefined && [10, 16, 19].includes(stored.length) && actual.replace(' ', 'T').startsWith(stored.replace(' ', 'T'))
  );
}

/** The day of a date or an instant, as it is written. */
function dayOf(value: Json): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/.test(value) ? value.slice(0, 10) : undefined;
}

/** Records with one kind of difference. */
interface DifferentRecords {
  count: number;
  readonly keys: Json[];
  /** Numbers of records by their loss, with one of their exchanges. */
  readonly losses: Map<Loss['kind'], { count: number; readonly number: number | undefined }>;
  /** The first wrong value. */
  readonly example: string | undefined;
}

/** Collects differences by kind. */
class Differences {
  private readonly compared: ComparedReads;
  private readonly deliveries: ReadonlyMap<string, DeliveredRecord>;
  private readonly kinds = new Map<ClientDifferenceKind, DifferentRecords>();

  constructor(compared: ComparedReads) {
    this.compared = compared;
    this.deliveries = compared.reads.deliveries.newest() ?? new Map<string, DeliveredRecord>();
  }

  /** Adds a record that the client should not have. */
  add(kind: ClientDifferenceKind, key: Json): void {
    this.count(kind, key, undefined, () => undefined);
  }

  /** Adds a record that the client should have, with the reason of its loss or with its wrong value. */
  addDifference(difference: 'missing' | 'stale' | WrongValue, wanted: ExpectedRecord, stored: JsonObject): void {
    const { api, reads } = this.compared;
    const delivery = this.deliveries.get(String(wanted.key));
    if (typeof difference === 'string') {
      this.count(difference, wanted.key, reads.lossOf(wanted, api, delivery), () => undefined);
      return;
    }
    const { kind, pointer } = difference;
    this.count(kind, wanted.key, { kind: 'delivered', number: delivery?.number }, () => this.describeValue(pointer, wanted, stored));
  }

  list(): readonly ClientDifference[] {
    const { name } = this.compared.reads.operation.collection;
    return (Object.keys(rules) as readonly ClientDifferenceKind[]).flatMap((kind) => {
      const records = this.kinds.get(kind);
      if (records === undefined) return [];
      const { count, keys, losses, example } = records;
      const numbers = [...losses.values()].flatMap(({ number }) => (number === undefined ? [] : [number]));
      const reasons = example === undefined ? [...losses].map(([loss, about]) => describeLoss(loss, about, count)) : [example];
      const message = [`${count} of the ${name} ${verbs[kind]}: ${listKeys(keys)}.`, ...reasons].join(' ');
      return [{ kind, rule: rules[kind], count, keys, message, exchanges: [...new Set(numbers)].slice(0, exchangesMax) }];
    });
  }

  private count(kind: ClientDifferenceKind, key: Json, loss: Loss | undefined, example: () => string | undefined): void {
    const records: DifferentRecords = this.kinds.get(kind) ?? { count: 0, keys: [], losses: new Map(), example: example() };
    this.kinds.set(kind, records);
    records.count += 1;
    if (records.keys.length < keysMax) records.keys.push(key);
    if (loss === undefined) return;
    const known = records.losses.get(loss.kind);
    if (known === undefined) records.losses.set(loss.kind, { count: 1, number: loss.number });
    else known.count += 1;
  }

  /** Describes a wrong value; personal ones stay hidden. */
  private describeValue(pointer: string, { key, record }: ExpectedRecord, stored: JsonObject): string {
    const { api, reads } = this.compared;
    const mask = createMask(api.contract);
    const show = (value: JsonObject): string => {
      const shown = JSON.stringify(valueAt(mask.maskRecord(reads.operation, value), pointer) ?? null);
      return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
    };
    const number = this.deliveries.get(String(key))?.number;
    const where = number === undefined ? 'it' : `exchange ${number}`;
    return `${showPointer(pointer) || 'The value'} of ${String(key)} is ${show(stored)}; ${where} has ${show(record)}.`;
  }
}

/** Words after the number of records of a kind. */
const verbs: Readonly<Record<ClientDifferenceKind, string>> = {
  missing: 'are missing',
  stale: 'are stale',
  invented: 'do not exist',
  duplicate: 'are stored more than once',
  'wrong-day': 'are on the wrong day',
  'wrong-value': 'have a wrong value',
};

/** Describes the reason for some or all of the records. */
function describeLoss(
  kind: Loss['kind'],
  { count, number }: { readonly count: number; readonly number: number | undefined },
  all: number,
): string {
  const which = count === all ? (count === 1 ? 'it' : 'them') : `${count} of them`;
  if (kind === 'delivered') return `Exchange ${number} delivered ${which}, and the client did not keep ${count === 1 ? 'it' : 'them'}.`;
  if (kind === 'page') return `The pages after exchange ${number}, which were not read, have ${which}.`;
  if (kind === 'checkpoint') return `The checkpoint of exchange ${number} is later than the change of ${which}.`;
  return `Nothing asked for ${which} after the change.`;
}
