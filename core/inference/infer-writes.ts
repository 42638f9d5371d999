/** Finds the operations that change the records of a collection: by their methods, their paths, and the resemblance of what they take and give to a record. */

import { isJsonType } from '../http/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import { toPointer } from '../pointer.ts';
import type { Guess, InferredWrite } from './guess.ts';
import { nounsOfPath, parametersOfPath, singularOf, withoutParameterNames } from './names.ts';
import { Shape } from './shape.ts';

/** An operation with the shape of its successful response. */
export interface OperationShape {
  readonly operation: Operation;
  readonly success: Shape;
}

/** The operations of a base path, without its lists: those at the path itself, at the path with a key below it, and below that. */
export interface OperationsOfBase {
  readonly atBase: readonly OperationShape[];
  readonly atKey: readonly OperationShape[];
  readonly belowKey: readonly OperationShape[];
}

/** What is known of a collection. */
interface KnownCollection {
  readonly base: string;
  readonly record: Shape;
  readonly key: Guess<string> | undefined;
  readonly lists: readonly unknown[];
}

/** Finds the writes of a collection. */
export function inferWrites({ atBase, atKey, belowKey }: OperationsOfBase, draft: KnownCollection): readonly InferredWrite[] {
  const { key } = draft;
  const below = atKey.some(({ operation }) => operation.method === 'GET') || draft.lists.length > 0;
  const creations = atBase
    .filter(({ operation }) => operation.method === 'POST')
    .map((each) => toWrite(each, 'create', creationConfidence(each, draft), draft));
  // The record that changes may also be named in the body.
  const replacements = atBase.flatMap((each) => {
    const kind = ['PUT', 'PATCH'].includes(each.operation.method) ? changesByMethod[each.operation.method] : undefined;
    return kind === undefined || key === undefined || !hasKey(requestShape(each.operation), key.value)
      ? []
      : [{ ...toWrite(each, kind, creationConfidence(each, draft), draft), parameter: undefined }];
  });
  const changes = atKey.flatMap((each) => {
    const kind = changesByMethod[each.operation.method];
    return kind === undefined || !below ? [] : [toWrite(each, kind, each.operation.method === 'POST' ? 0.9 : 0.95, draft)];
  });
  const actions = belowKey
    .filter(({ operation }) => ['POST', 'PUT', 'DELETE'].includes(operation.method) && !hasOwnRecords(operation, draft))
    .map((each) => toWrite(each, 'action', 0.9, draft));
  return [...creations, ...replacements, ...changes, ...actions];
}

function hasKey(sent: Shape | undefined, key: string): boolean {
  return sent?.at(key) !== undefined || [...(sent?.members.values() ?? [])].some((member) => member.at(key) !== undefined);
}

/** True for a path whose last noun is the plural of a thing, which is a collection below rather than an action. */
function hasOwnRecords(operation: Operation, draft: KnownCollection): boolean {
  const noun = nounsOfPath(operation.path).at(-1) ?? '';
  return singularOf(noun) !== noun || withoutParameterNames(operation.path) === draft.base;
}

const changesByMethod: Readonly<Record<string, 'replace' | 'update' | 'delete'>> = {
  PUT: 'replace',
  PATCH: 'update',
  POST: 'update',
  DELETE: 'delete',
};

function toWrite(each: OperationShape, kind: InferredWrite['kind']['value'], confidence: number, draft: KnownCollection): InferredWrite {
  const sent = requestShape(each.operation);
  return {
    operation: each.operation,
    kind: { value: kind, confidence, reason: { by: 'method', name: each.operation.method } },
    parameter: kind === 'create' ? undefined : parametersOfPath(each.operation.path).at(-1),
    sent: sent === undefined ? undefined : recordIn(sent, draft),
    shown: each.success.members.size === 0 ? undefined : recordIn(each.success, draft),
  };
}

/** A creation takes or gives records, and not arrays of them or something else. */
function creationConfidence({ operation, success }: OperationShape, draft: KnownCollection): number {
  const sent = requestShape(operation);
  const similarity = Math.max(sent === undefined ? 0 : similarityTo(sent, draft), similarityTo(success, draft));
  return similarity >= 0.3 ? 0.95 : sent !== undefined && draft.lists.length > 0 && similarity > 0 ? 0.9 : 0.6;
}

function similarityTo(shape: Shape, draft: KnownCollection): number {
  const place = recordIn(shape, draft);
  const found = place === undefined ? undefined : shape.at(place);
  if (found === undefined || found.members.size === 0) return 0;
  const names = [...found.members.keys()];
  return Math.max(overlap(found, draft.record), names.filter((name) => draft.record.members.has(name)).length / names.length);
}

/** Where a body has a record of the collection: at its root, or in its only object that resembles one. */
function recordIn(shape: Shape, draft: KnownCollection): string | undefined {
  if (shape.element !== undefined) return undefined;
  const candidates = [
    ['', shape] as const,
    ...[...shape.members].filter(([, member]) => member.members.size > 0).map(([name, member]) => [toPointer([name]), member] as const),
  ];
  const shared = candidates.find(([, member]) => sharesSchema(member, draft.record));
  if (shared !== undefined) return shared[0];
  const scored = candidates.map(([pointer, member]) => {
    const names = [...member.members.keys()];
    return { pointer, score: names.length === 0 ? 0 : names.filter((name) => draft.record.members.has(name)).length / names.length };
  });
  const best = scored.toSorted((left, right) => right.score - left.score)[0];
  return best === undefined || best.score < 0.3 ? (shape.members.size > 0 ? '' : undefined) : best.pointer;
}

function requestShape({ requestBody, document }: Operation): Shape | undefined {
  const json = [...(requestBody?.content ?? [])].find(([type]) => isJsonType(type) || /form/.test(type));
  return json === undefined ? undefined : new Shape(document, [json[1].schema], []);
}

/** True if two shapes have a schema with members in common. */
export function sharesSchema(left: Shape, right: Shape): boolean {
  return left.schemas.some((schema) => schema['properties'] !== undefined && right.schemas.includes(schema));
}

/** The part of the members of a record that a value has too. */
export function overlap(value: Shape, record: Shape): number {
  const names = [...record.members.keys()];
  return names.length === 0 ? 0 : names.filter((name) => value.members.has(name)).length / names.length;
}
