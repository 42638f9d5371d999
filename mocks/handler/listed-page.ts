import type { Collection } from '../../core/annotations/annotations.ts';
import type { Json } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';

/** The content of a page, so that nobody has to parse its body again. */
export interface ListedPage {
  /** The cursor in the body. */
  readonly next: string | undefined;
  /** True if further records follow. */
  readonly more: boolean;
  readonly records: readonly ListedRecord[];
}

/** A record of a page. */
export interface ListedRecord {
  readonly key: Json;
  /** The instant of its last change in milliseconds; `undefined` for a record without one. */
  readonly versionMs: number | undefined;
}

/** Reads the key and the version of a record of a list. */
export function toListedRecord(record: Json, { key, version }: Pick<Collection, 'key' | 'version'>): ListedRecord {
  const changed = version === undefined ? undefined : valueAt(record, version);
  const versionMs = typeof changed === 'string' ? Date.parse(changed) : Number.NaN;
  return { key: valueAt(record, key) ?? null, versionMs: Number.isNaN(versionMs) ? undefined : versionMs };
}
