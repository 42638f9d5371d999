/** Faults of the bodies of successes: fields that are missing, null, of another type, or too many. */

import type { Contract } from '../../core/contract.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import { askedMembers } from '../../core/profile.ts';
import { schemaOfSuccess } from '../../core/read-operation.ts';
import { certainSchemas, gather, type Schema, schemasAt } from '../../core/schema.ts';
import { constantsOf } from '../shape.ts';
import type { FaultDraft } from './fault.ts';
import { at, mapBody } from './request-edit.ts';

/** Faults of each operation that shows records, and of each that has constants of its own. */
export function schemaFaults(contract: Contract): readonly FaultDraft[] {
  return contract.operations.flatMap((operation) => [...recordFaults(contract, operation), ...constantFaults(contract, operation)]);
}

/** Where an operation shows records: in a list, or alone. */
function recordPlace({ collection, resource }: Operation): { readonly pointer: string; readonly isList: boolean } | undefined {
  if (collection !== undefined) return { pointer: collection.items, isList: true };
  return resource !== undefined && resource.by.size > 0 ? { pointer: resource.at, isList: false } : undefined;
}

function recordFaults(contract: Contract, operation: Operation): readonly FaultDraft[] {
  const place = recordPlace(operation);
  const schema = schemaOfSuccess(operation.responses);
  if (place === undefined || schema === undefined) return [];
  const schemas = schemasAt(contract.closed, schema, place.isList ? `${place.pointer}/0` : place.pointer);
  const draft = (kind: string, name: string, title: string, change: (record: JsonObject) => Json): FaultDraft => ({
    kind,
    place: `${operation.id}.${name}`,
    law: 'response/schema',
    title,
    around: (api) =>
      at(api, operation.id, async (request, next) => {
        const response = await next(request);
        return response.status === 200 ? mapBody(response, (body) => mapRecords(body, place, change)) : response;
      }),
  });
  const [extra] = extraFields(contract, schemas);
  return [
    ...requiredFaults(fieldsOf(contract, schemas), draft),
    ...(extra === undefined
      ? []
      : [
          draft('field-of-detail', extra, `${extra} is shown, although only the single read has it.`, (record) => ({
            ...record,
            [extra]: '',
          })),
        ]),
  ];
}

/** A required field, and what the schema says of it. */
interface Field {
  readonly name: string;
  readonly keywords: JsonObject;
}

/** The fields that are required however the questions are answered. */
function fieldsOf({ closed, questions }: Contract, schemas: readonly Schema[]): readonly Field[] {
  const lists = schemas.map((schema) => gather(closed, schema)['required']).filter(Array.isArray) as readonly (readonly string[])[];
  const keywordsOf = (name: string): JsonObject =>
    gather(closed, { allOf: schemas.flatMap((schema) => schemasAt(closed, schema, toPointer([name]))) });
  const isBeside = (pointer: string): boolean => schemas.some((schema) => schema === valueAt(closed.root, pointer));
  const open = [...questions.values()].filter(({ pointers }) => pointers.some(isBeside)).flatMap(askedMembers);
  const names = [...new Set(lists.flat())].filter((name) => !open.includes(name));
  return names.map((name) => ({ name, keywords: keywordsOf(name) }));
}

/** One field each: the last one is missing, the first of a plain type has another, and so on. */
function requiredFaults(fields: readonly Field[], draft: DraftOf): readonly FaultDraft[] {
  const rewrite = (kind: string, name: string, title: string, change: (value: Json) => Json): FaultDraft =>
    draft(kind, name, title, (record) => ({ ...record, [name]: change(record[name] ?? null) }));
  const last = fields.at(-1);
  const typed = fields.find(({ keywords }) => keywords['type'] === 'string' || keywords['type'] === 'integer');
  const listed = fields.find(({ keywords }) => Array.isArray(keywords['enum']));
  const instant = fields.find(({ keywords }) => keywords['format'] === 'date-time' || keywords['format'] === 'date-time-local');
  return [
    ...(last === undefined ? [] : [draft('field-missing', last.name, `${last.name} is missing.`, ({ [last.name]: _, ...rest }) => rest)]),
    ...(typed === undefined
      ? []
      : [
          rewrite('field-of-other-type', typed.name, `${typed.name} has another type.`, (value) =>
            typeof value === 'number' ? String(value) : [value],
          ),
        ]),
    ...(listed === undefined
      ? []
      : [rewrite('field-of-unknown-value', listed.name, `${listed.name} has a value that is not listed.`, () => 'unknown')]),
    ...(instant === undefined
      ? []
      : [rewrite('field-of-other-format', instant.name, `${instant.name} is written in another format.`, toDayFirst)]),
  ];
}

/** Makes the fault of one field. */
type DraftOf = (kind: string, name: string, title: string, change: (record: JsonObject) => Json) => FaultDraft;

/** As people write it in much of the world. */
function toDayFirst(value: Json): Json {
  return String(value).replace(/^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d).*$/, '$3.$2.$1 $4');
}

/** The fields that a schema forbids. */
function extraFields(contract: Contract, schemas: readonly Schema[]): readonly string[] {
  const parts = schemas.flatMap((schema) => certainSchemas(contract.closed, schema)).filter(isObject);
  return parts
    .flatMap((part) => (isObject(part['properties']) ? Object.entries(part['properties']) : []))
    .flatMap(([name, each]) => (each === false ? [name] : []));
}

function mapRecords(body: Json, place: { readonly pointer: string; readonly isList: boolean }, change: (record: JsonObject) => Json): Json {
  const found = valueAt(body, place.pointer);
  if (place.isList)
    return Array.isArray(found)
      ? replaceAt(
          body,
          place.pointer,
          (found as readonly Json[]).map((each) => (isObject(each) ? change(each) : each)),
        )
      : body;
  return isObject(found) ? replaceAt(body, place.pointer, change(found)) : body;
}

/** Unlike `withValueAt`, an object takes the place of the one before, whose members are gone. */
function replaceAt(body: Json, pointer: string, value: Json): Json {
  if (pointer === '') return value;
  const keys = fromPointer(pointer);
  const holder = toPointer(keys.slice(0, -1));
  const { [keys.at(-1) ?? '']: _, ...rest } = valueAt(body, holder) as JsonObject;
  return replaceAt(body, holder, { ...rest, [keys.at(-1) ?? '']: value });
}

/** A constant that each success has, where the contract as it is written says so. */
function constantFaults(contract: Contract, operation: Operation): readonly FaultDraft[] {
  const schema = schemaOfSuccess(operation.responses);
  const asked = schemasWithQuestions(contract, schema ?? true);
  const constants = schema === undefined ? [] : leavesOf(constantsOf(contract.closed, schema) ?? {});
  return constants
    .filter(([pointer]) => !asked(pointer))
    .map(
      ([pointer, value]): FaultDraft => ({
        kind: 'constant-other',
        place: `${operation.id}${pointer.replaceAll('/', '.')}`,
        law: 'response/schema',
        title: `${pointer} is not ${JSON.stringify(value)}.`,
        around: (api) =>
          at(api, operation.id, async (request, next) => {
            const response = await next(request);
            return response.status === 200
              ? mapBody(response, (body) => withValueAt(body, pointer, typeof value === 'boolean' ? !value : `${String(value)}x`))
              : response;
          }),
      }),
    );
}

/** Whether a question is asked at a place of a body, so that nothing is sure there. */
function schemasWithQuestions(contract: Contract, schema: Schema): (pointer: string) => boolean {
  const open = new Set([...contract.questions.values()].flatMap((question) => question.pointers));
  const opened = [...open].map((pointer) => valueAt(contract.closed.root, pointer)).filter(isObject);
  return (pointer) => schemasAt(contract.closed, schema, pointer).some((each) => opened.some((other) => other === each));
}

function leavesOf(value: Json, keys: readonly string[] = []): readonly (readonly [string, Json])[] {
  if (!isObject(value)) return [[toPointer(keys), value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...keys, key]));
}
