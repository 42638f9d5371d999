/**
 * Computes which records of a list a client should have, from the reads that it made, when its records are compared. What was really delivered does not count
 * here.
 */

import type { Json, JsonObject } from '../../core/json.ts';
import type { ListOperation } from '../../core/openapi/list-operation.ts';
import { readRequest } from '../../core/parameters/read-request.ts';
import { valueAt } from '../../core/pointer.ts';
import type { FilterArguments } from '../../core/query/query.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { checkpointOf } from './client-rules.ts';
import type { DeliveredRecord } from './delivered-records.ts';

/** A part of a list that a client keeps up to date. */
interface Coverage {
  /** Its filters, without the checkpoint. */
  readonly values: FilterArguments;
  /** Its earliest checkpoint; minus infinity for a read of everything. */
  readonly checkpointMs: number;
  /** Start of its last read. */
  readonly asOfMs: number;
}

/** A record that a client should have. */
export interface ExpectedRecord {
  readonly key: Json;
  readonly record: JsonObject;
  readonly versionMs: number | undefined;
}

/** The records that a client should have, at the instant of its last read. */
export interface Expectation {
  readonly asOfMs: number;
  readonly records: ReadonlyMap<string, ExpectedRecord>;
}

/** Maximum number of remembered coverages. */
const coveragesMax = 20;

/** The records of a list that a client should have. */
export class ExpectedRecords {
  private readonly operation: ListOperation;
  /** By filters. */
  private readonly coverages = new Map<string, Coverage>();

  constructor(operation: ListOperation) {
    this.operation = operation;
  }

  /** True if the client has read more than first pages. */
  get hasReads(): boolean {
    return this.coverages.size > 0;
  }

  /** Remembers that the client read, or began to read, all pages with some filters. `target` is that of the first page. */
  cover(filters: string, target: string, checkpointMs: number = Number.NEGATIVE_INFINITY, asOfMs: number): void {
    const coverage = this.coverages.get(filters);
    if (coverage !== undefined && coverage.asOfMs >= asOfMs && coverage.checkpointMs <= checkpointMs) return;
    this.coverages.delete(filters);
    this.coverages.set(filters, {
      values: coverage?.values ?? this.filtersIn(target),
      checkpointMs: Math.min(checkpointMs, coverage?.checkpointMs ?? checkpointMs),
      asOfMs: Math.max(asOfMs, coverage?.asOfMs ?? asOfMs),
    });
    const [oldest] = this.coverages.keys();
    if (this.coverages.size > coveragesMax && oldest !== undefined) this.coverages.delete(oldest);
  }

  /** Lists the records for which the client asked; all records without any read. Returns `undefined` for a collection that is too large. */
  list(api: ServedApi, role: string, nowMs: number): Expectation | undefined {
    const { collection } = this.operation;
    const fullCoverage: Coverage = { values: new Map(), checkpointMs: Number.NEGATIVE_INFINITY, asOfMs: nowMs };
    const coverages = this.hasReads ? [...this.coverages.values()].sort((left, right) => left.asOfMs - right.asOfMs) : [fullCoverage];
    const records = new Map<string, ExpectedRecord>();
    for (const { values, checkpointMs, asOfMs } of coverages) {
      const readable = visibleRecords(api, role, collection, asOfMs);
      if (readable === undefined) return undefined;
      const matches = collection.query.matching(values);
      for (const record of readable) {
        const versionMs = versionOf(collection, record);
        if ((versionMs ?? checkpointMs) < checkpointMs || !matches(record)) continue;
        const key = valueAt(record, collection.key) ?? null;
        records.set(String(key), { key, record, versionMs });
      }
    }
    return { asOfMs: coverages.at(-1)?.asOfMs ?? nowMs, records };
  }

  private filtersIn(target: string): FilterArguments {
    const values = new Map(readRequest(this.operation, { method: 'GET', target, headers: {} }, new Map()).values);
    values.delete(checkpointOf(this.operation) ?? '');
    return values;
  }
}

/** True if a delivery has the expected version of a record, or a newer one. */
export function isCurrent({ versionMs = 0 }: ExpectedRecord, delivery: DeliveredRecord | undefined): boolean {
  return delivery !== undefined && (delivery.versionMs ?? versionMs) >= versionMs;
}

/** Largest collection that is searched for lost records; larger ones would delay other requests. */
const recordsMax = 20_000;

/** The records of a collection that a key role may see at an instant; `undefined` for a large collection, or an unknown role. */
export function visibleRecords(
  { keys, dataset }: ServedApi,
  role: string,
  { name, query }: ListOperation['collection'],
  nowMs: number,
): readonly JsonObject[] | undefined {
  const tenant = role === 'anybody' ? dataset.tenants[0] : keys.holderOf(keys.byRole.get(role) ?? '')?.tenant;
  const content = dataset.at(nowMs);
  if (tenant === undefined || (content.history?.(tenant, name)?.countUntil(nowMs) ?? 0) > recordsMax) return undefined;
  return content.records(tenant, name).filter(query.isVisible);
}

/** The instant of the last change of a record, in milliseconds. */
export function versionOf({ version }: ListOperation['collection'], record: Json): number | undefined {
  const value = version === undefined ? undefined : valueAt(record, version);
  return typeof value === 'string' ? Date.parse(value) : undefined;
}

/** The first keys of some records, as a part of a sentence. */
export function listKeys(keys: readonly Json[]): string {
  return `${keys.slice(0, 5).map(String).join(', ')}${keys.length > 5 ? ' and others' : ''}`;
}
