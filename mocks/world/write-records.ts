/** Creates, changes and removes records as requests ask for it. Between reading a record and changing it, nothing waits, so that no write is lost. */

import { mediaOf, readRequestBody } from '../../core/http/check-request-body.ts';
import { headerOf, splitTarget } from '../../core/http/exchange.ts';
import { type Guess, type InferredWrite, isSure } from '../../core/inference/guess.ts';
import { isIdentifierName, parametersOfPath } from '../../core/inference/names.ts';
import type { Shape } from '../../core/inference/shape.ts';
import { haveSameType, isArray, isNumber, isObject, type Json, type JsonObject, objectOrEmpty, readNumber } from '../../core/json.ts';
import { type BodySchema, documentsStatus } from '../../core/openapi/operation.ts';
import { fromPointer, toPointer, valueAt, withoutValuesAt, withValueAt } from '../../core/pointer.ts';
import type { DataRecord } from '../../core/query/query.ts';
import { matchesTag } from '../handler/entity-tag.ts';
import { placesOfMisdirected, withoutMisdirected } from '../handler/values/without-misdirected.ts';
import { beforeActions, changesOfAction } from './action-changes.ts';
import { echoed } from './answer-without-collection.ts';
import {
  type FoundRecord,
  failure,
  findPlace,
  findRecord,
  segmentOf,
  tenantOf,
  unknownParent,
  unknownRecord,
  type WorldAnswer,
  type WorldCall,
} from './find-records.ts';
import { instantLike } from './make-records.ts';
import type { WorldCollection } from './plan-world.ts';
import { mayHold, replaceAt, showWritten, tagOf } from './show-record.ts';
import type { World } from './world.ts';

/** A write, with the members that its request has of the record. */
interface WriteCall extends WorldCall {
  readonly world: World;
  readonly collection: WorldCollection;
  readonly write: InferredWrite;
  /** The body as a value. */
  readonly value: Json | undefined;
  readonly sent: JsonObject | undefined;
}

/** Carries out a write; `undefined` if it is none that is known. */
export async function answerWrite(
  world: World,
  collection: WorldCollection,
  write: InferredWrite,
  call: WorldCall,
): Promise<WorldAnswer | undefined> {
  const body = writableBodyOf(call);
  const sent = body === undefined || write.sent === undefined ? undefined : valueAt(body, write.sent);
  const writeCall: WriteCall = { ...call, world, collection, write, value: body, sent: isObject(sent) ? sent : undefined };
  if (write.kind.value === 'create') return isArray(body) ? undefined : await createRecord(writeCall);
  const key = keyOf(writeCall);
  if (key === undefined) return echoed(body);
  const found = await findRecord(world, collection, call, key);
  if (found !== undefined) {
    const isOfClient = found.partition.isCreated(found.partition.keyOf(found.record));
    return { ...changeRecord(writeCall, found), isOfClient };
  }
  const isUpsert = write.kind.value === 'replace' && documentsStatus(call.operation, 201) && writeCall.sent !== undefined;
  return isUpsert ? await createRecord(writeCall, key) : ((await unknownRecord(world, collection, call, key)) ?? echoed(body));
}

/** The key of the record that a write is about: in its path, or in its body. */
function keyOf(call: WriteCall): Json | undefined {
  const { operation, write, collection } = call;
  if (write.kind.value === 'action') return segmentOf(call, parametersOfPath(operation.path).at(-1));
  if (write.parameter !== undefined) return segmentOf(call, write.parameter);
  // Although clients may not write the key, they may name it.
  return write.sent === undefined ? undefined : valueAt(bodyOf(call) ?? null, `${write.sent}${collection.key.value}`);
}

function changeRecord(call: WriteCall, found: FoundRecord): WorldAnswer {
  const { world, collection, write, operation } = call;
  const tenant = tenantOf(call);
  const { partition, record } = found;
  const key = partition.keyOf(record);
  const { shape } = world.makerOf(collection);
  const condition = headerOf(call.headers, 'if-match');
  if (condition !== undefined && documentsStatus(operation, 412) && !matchesTag(condition, tagOf(record)))
    return failure(412, 'The record has changed since it was read.');
  if (write.kind.value === 'delete') {
    world.changed(collection, tenant, found, partition.remove(key));
    return showWritten(operation, record, write.shown, shape);
  }
  const changed = changedRecord(call, record, shape);
  if (changed !== record) world.changed(collection, tenant, found, partition.put(changed, key));
  return showWritten(operation, changed, write.shown, shape);
}

/** The record after a write; the same object if nothing changes. */
function changedRecord(call: WriteCall, record: DataRecord, shape: Shape): DataRecord {
  const { collection, write, operation, value, sent, nowMs } = call;
  const isAction = write.kind.value === 'action';
  const [keyName = ''] = fromPointer(collection.key.value);
  const changes = isAction
    ? changesOfAction(operation, record, shape)
    : acceptedChanges(collection, sent ?? patchOf(value, record), shape, record);
  const kept =
    write.kind.value === 'replace' && sent !== undefined ? withoutUnsent(call, record, sent, [...requiredBy(shape), keyName]) : record;
  if (kept === record && Object.keys(changes).length === 0) return record;
  return withInstants({ ...kept, ...changes }, [collection.version], shape, nowMs);
}

/** A record with the instant of now in some members. */
function withInstants(record: DataRecord, guesses: readonly (Guess<string> | undefined)[], shape: Shape, nowMs: number): DataRecord {
  const pointers = guesses.filter((guess) => isSure(guess)).map(({ value }) => value);
  return pointers.reduce<Json>(
    (current, pointer) => withValueAt(current, pointer, instantLike(valueAt(current, pointer), shape.at(pointer), nowMs)),
    record,
  ) as DataRecord;
}

async function createRecord(call: WriteCall, statedKey?: Json): Promise<WorldAnswer | undefined> {
  const { world, collection, write, operation, nowMs, sent = {} } = call;
  const place = await findPlace(world, collection, call);
  if (place === undefined) return unknownParent(operation);
  const { partition, parents } = place;
  const { shape, typical } = world.makerOf(collection);
  const start = beforeActions(await typical(nowMs), collection.writes, shape);
  // From here on nothing waits, so that concurrent creations get different keys.
  const made = world.create(collection, partition, start, sent);
  const accepted = withoutEmptyKey(acceptedMembers(sent, shape, made), collection.key.value);
  const ownKey = statedKey ?? valueAt(accepted, collection.key.value);
  const isKnown = ownKey !== undefined && partition.find(ownKey) !== undefined;
  if (isKnown && documentsStatus(operation, 409)) return failure(409, 'A record with this key exists already.');
  const instants = [collection.created, collection.version].filter(
    (guess) => guess !== undefined && valueAt(accepted, guess.value) === undefined,
  );
  const withParents = { ...withInstants(made, instants, shape, nowMs), ...accepted, ...parentFields(collection, made, parents) };
  const record =
    statedKey === undefined
      ? withParents
      : (withValueAt(withParents, collection.key.value, likeKey(statedKey, made, collection)) as DataRecord);
  world.changed(collection, tenantOf(call), place, partition.put(record));
  const key = partition.keyOf(record);
  return showWritten(operation, record, write.shown, shape, { key, headers: locationOf(call, key, statedKey !== undefined) });
}

/** What a request sends without a key that is empty, as forms send it for a record that has none yet. */
function withoutEmptyKey(sent: JsonObject, key: string): JsonObject {
  return valueAt(sent, key) === '' || valueAt(sent, key) === null ? (withoutValuesAt(sent, [key]) as JsonObject) : sent;
}

function likeKey(key: Json, made: DataRecord, { key: field }: WorldCollection): Json {
  return isNumber(valueAt(made, field.value)) ? readNumber(String(key)) : key;
}

/** The members of a record that name its parents. */
function parentFields({ references, parents: guesses }: WorldCollection, made: DataRecord, parents: readonly string[]): JsonObject {
  const fields: Record<string, Json> = {};
  for (const { field, target } of references) {
    const parent = parents[guesses.findIndex((guess) => guess?.value === target.value)];
    const name = field.slice(1);
    if (parent !== undefined) fields[name] = isNumber(made[name]) ? readNumber(parent) : parent;
  }
  return fields;
}

/** Where a created record is read (RFC 9110 §10.2.2). */
function locationOf({ collection, target }: WriteCall, key: Json, isAtPath: boolean): Readonly<Record<string, string>> {
  if (collection.details.length === 0) return {};
  const path = splitTarget(target).path.replace(/\/$/, '');
  return { location: isAtPath ? path : `${path}/${encodeURIComponent(String(key))}` };
}

/** The members that a request changes: a name may change, an identifier stays, whatever the body says. */
function acceptedChanges({ key }: WorldCollection, sent: JsonObject, shape: Shape, record: DataRecord): JsonObject {
  const accepted = acceptedMembers(sent, shape, record);
  const [name = ''] = fromPointer(key.value);
  return isIdentifierName(name) && Object.hasOwn(accepted, name) ? { ...accepted, [name]: record[name] ?? null } : accepted;
}

/** The members of a request that the record can have, with values of its types. */
function acceptedMembers(sent: JsonObject, shape: Shape, record: JsonObject): JsonObject {
  const accepted = Object.entries(sent).filter(([name, value]) => {
    const member = shape.members.get(name);
    return member === undefined ? shape.members.size === 0 : mayHold(member, value) || haveSameType(record[name] ?? null, value);
  });
  return Object.fromEntries(accepted);
}

/** A JSON Patch (RFC 6902) as the members that it changes. */
function patchOf(body: Json | undefined, record: DataRecord): JsonObject {
  if (!isArray(body)) return {};
  const patched = body.filter(isObject).reduce<Json>((current, { op, path, value }) => {
    if (typeof path !== 'string') return current;
    if (op === 'remove') return withoutValuesAt(current, [path]);
    return (op === 'add' || op === 'replace') && value !== undefined ? replaceAt(current, path, value) : current;
  }, record);
  return isObject(patched) ? patched : {};
}

function requiredBy({ schemas }: Shape): readonly string[] {
  return schemas.flatMap(({ required }) => (isArray(required) ? required.map(String) : []));
}

/** A replaced record without the members that the request could have and has not. Those that only the server writes stay. */
function withoutUnsent(call: WriteCall, record: DataRecord, sent: JsonObject, kept: readonly string[]): DataRecord {
  const media = documentedBodyOf(call);
  const properties = objectOrEmpty(media?.keywords['properties']);
  const ofServer = placesOfMisdirected(media, record);
  const gone = Object.keys(record).filter((name) => Object.hasOwn(properties, name) && !Object.hasOwn(sent, name) && !kept.includes(name));
  return withoutValuesAt(
    record,
    gone.map((name) => toPointer([name])).filter((place) => !ofServer.includes(place)),
  ) as DataRecord;
}

/** The members that a client may write in the body of a request; `undefined` if there is no body that can be read. */
export function writableBodyOf(call: WorldCall): Json | undefined {
  const body = bodyOf(call);
  return body === undefined ? undefined : withoutMisdirected(documentedBodyOf(call), body);
}

/** The body of a request as a value; `undefined` if there is none that can be read. */
function bodyOf(call: WorldCall): Json | undefined {
  const media = call.body === undefined ? undefined : documentedBodyOf(call);
  const reading = media === undefined ? undefined : readRequestBody(media, call);
  return reading?.kind === 'value' ? reading.value : undefined;
}

function documentedBodyOf(call: WorldCall): BodySchema | undefined {
  const { requestBody } = call.operation;
  return requestBody === undefined ? undefined : mediaOf(requestBody, call);
}
