/**
 * A request to the records of inferred collections, its possible answers, and the search for the records that its path names, below their parents. Changes no
 * record.
 */

import type { HttpRequest } from '../../core/http/exchange.ts';
import { isSure } from '../../core/inference/guess.ts';
import { parametersOfPath } from '../../core/inference/names.ts';
import type { Json } from '../../core/json.ts';
import { documentsStatus, type Operation } from '../../core/openapi/operation.ts';
import { decodeOrKeep } from '../../core/parameters/query-string.ts';
import type { SentParameters } from '../../core/parameters/read-request.ts';
import type { DataRecord } from '../../core/query/query.ts';
import type { KeyHolder } from '../key-ring.ts';
import type { Partition } from './partition.ts';
import { isPlaceholder } from './placeholders.ts';
import type { WorldCollection } from './plan-world.ts';
import type { World } from './world.ts';

/** A valid request at an operation, with its caller. */
export interface WorldCall extends HttpRequest, SentParameters {
  readonly operation: Operation;
  /** The instant of the data, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
  readonly identification: { readonly kind: 'caller'; readonly holder: KeyHolder } | { readonly kind: 'stranger' };
}

/** The tenant whose records a caller sees. */
export function tenantOf({ identification }: WorldCall): string {
  return identification.kind === 'caller' ? identification.holder.tenant : '';
}

/** What the documented response says: a failure, or a success with a body that is made from the documented one. */
export type WorldAnswer = (
  | { readonly kind: 'failure'; readonly status: number; readonly reason: string }
  | { readonly kind: 'success'; readonly headers: Readonly<Record<string, string>>; readonly change: (documented: Json) => Json }
) & {
  /** A value whose branches the documented body should have. */
  readonly like?: Json;
  /** True for an answer about a record that a client created before. */
  readonly isOfClient?: boolean;
  /** What the developer of the client should know. */
  readonly note?: string;
};

/** The answer of a success. */
export function success(change: (documented: Json) => Json, headers: Readonly<Record<string, string>> = {}): WorldAnswer {
  return { kind: 'success', change, headers };
}

/** The answer of a failure. */
export function failure(status: number, reason: string): WorldAnswer {
  return { kind: 'failure', status, reason };
}

/** The answer to an unknown parent; `undefined` where the file documents none. It has no records then: an undocumented status would be more wrong. */
export function unknownParent(operation: Operation): WorldAnswer | undefined {
  return documentsStatus(operation, 404) ? failure(404, 'No record matches the path.') : undefined;
}

/** The text of a parameter in the path of a request. */
export function segmentOf({ segments }: Pick<WorldCall, 'segments'>, name: string | undefined): string | undefined {
  const raw = segments.get(name ?? '');
  return raw === undefined ? undefined : decodeOrKeep(raw, false);
}

/** The records of a request's parents. */
export interface Place {
  readonly partition: Partition;
  readonly parents: readonly string[];
}

/** The record that a key names. A placeholder stands for the one that a client created last, or else for the first. */
function recordNamed(partition: Partition, key: Json): DataRecord | undefined {
  return partition.find(key) ?? (isPlaceholder(String(key)) ? partition.latest : undefined);
}

/** Opens the records below the parents in a path; `undefined` if a parent is unknown. */
export async function findPlace(world: World, collection: WorldCollection, call: WorldCall): Promise<Place | undefined> {
  const names = parametersOfPath(call.operation.path);
  const parents = collection.parents.map((_, index) => segmentOf(call, names[index]) ?? '');
  const isFound = (partition: Partition, index: number): boolean => {
    const record = recordNamed(partition, parents[index] ?? '');
    if (record !== undefined) parents[index] = String(partition.keyOf(record));
    return record !== undefined;
  };
  for (const [index, guess] of collection.parents.entries()) {
    const parent = isSure(guess) ? world.plan.collections.find(({ name }) => name === guess.value) : undefined;
    // The keys of a collection without a list are not known completely.
    if (parent === undefined || parent.lists.length === 0 || parent.parents.length > index) continue;
    const partition = await world.partition(parent, tenantOf(call), parents.slice(0, parent.parents.length));
    if (!isFound(partition, index)) return undefined;
  }
  return { partition: await world.partition(collection, tenantOf(call), parents), parents };
}

/** A record, with its place. */
export interface FoundRecord extends Place {
  readonly record: DataRecord;
}

/** Finds the record with a key; `undefined` if there is none. */
export async function findRecord(world: World, collection: WorldCollection, call: WorldCall, key: Json): Promise<FoundRecord | undefined> {
  const place = await findPlace(world, collection, call);
  const record = place === undefined ? undefined : recordNamed(place.partition, key);
  return place === undefined || record === undefined ? undefined : { ...place, record };
}

/** What documented responses show for a text without an example, so also for a key inside another record. */
const sampledText = 'string';

/**
 * The answer to an unknown key; `undefined` where the documented response is better: for a key that the document or its responses show, and where there is no
 * list, so that nobody can know the keys of the start. A key that a client removed is unknown everywhere.
 */
export async function unknownRecord(
  world: World,
  collection: WorldCollection,
  call: WorldCall,
  key: Json,
): Promise<WorldAnswer | undefined> {
  const place = await findPlace(world, collection, call);
  const isListed = collection.lists.some(({ items }) => isSure(items));
  const isShown =
    (key === sampledText && !documentsStatus(call.operation, 404)) ||
    call.operation.parameters.some((each) => each.in === 'path' && each.examples.some((value) => String(value) === String(key)));
  if ((isShown || !isListed) && place?.partition.isRemoved(key) !== true) return undefined;
  const isGone = documentsStatus(call.operation, 410) && !documentsStatus(call.operation, 404);
  return failure(isGone ? 410 : 404, 'No record matches this request.');
}
