/** Wrong values of parameters: near misses of their schemas, where the wire shows what is wrong. */

import { type Arbitrary, tuple } from 'fast-check';
import type { Document } from '../../core/document.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Parameter } from '../../core/parameter.ts';
import type { Schema } from '../../core/schema.ts';
import { type NearMiss, nearMissesFor } from '../near-miss.ts';
import { Unsatisfiable, Unsupported } from '../outcome.ts';
import type { BrokenRule, Fault } from './fault.ts';
import { isCursor, tryPrint } from './parameter-values.ts';
import { type Desk, partsOrNone, type RequestParts } from './request-parts.ts';
import { declaredSchema } from './sendable-schema.ts';

/** The rule that a keyword belongs to. */
export function ruleOf(keyword: string): BrokenRule {
  return rulesByKeyword.get(keyword) ?? 'schema';
}

/** The near misses of a schema; `undefined` when it refuses nothing, or nothing that can be generated. */
export function missesOf(schema: Schema, document: Document): Arbitrary<NearMiss> | undefined {
  try {
    return nearMissesFor(schema, { document });
  } catch (error) {
    // Other faults remain: what cannot be generated is a near miss, and not the schema itself.
    if (error instanceof Unsatisfiable || error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Requests with a value that the schema of its parameter refuses. */
export function valueFaults(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  const { operation, sendable } = desk;
  return sendable.flatMap(({ parameter }) => {
    const misses = isCursor(operation, parameter) ? undefined : missesOf(declaredSchema(operation, parameter), operation.document);
    if (misses === undefined) return [];
    return partsOrNone(desk, { with: [parameter.key] }).map((sound) =>
      tuple(sound, misses).map(([parts, miss]) => withValue(parameter, parts, miss)),
    );
  });
}

function withValue(parameter: Parameter, parts: RequestParts, miss: NearMiss): Fault | undefined {
  const text = isSeen(parameter, miss.value) ? tryPrint(parameter, miss.value) : undefined;
  if (text === undefined) return undefined;
  const change = miss.path === '' ? miss.change : `${miss.change} at ${miss.path}`;
  return {
    rule: ruleOf(miss.keyword),
    parameters: [parameter.name],
    change,
    parts: { ...parts, texts: new Map([[parameter.key, text]]) },
  };
}

/** Whether the wire shows the type of every value: where texts are allowed, a number is read as one. */
function isSeen({ json, kinds, memberKinds }: Parameter, value: Json): boolean {
  if (json) return true;
  const isText = (each: Json, wanted: typeof kinds): boolean =>
    typeof each === 'string' || !(wanted.includes('string') || wanted.includes('date-time'));
  if (Array.isArray(value)) return (value as readonly Json[]).every((each) => isScalar(each) && isText(each, kinds));
  if (isObject(value))
    return Object.entries(value).every(([name, each]) => isScalar(each) && isText(each, memberKinds.get(name) ?? ['string']));
  return isText(value, kinds);
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

const rulesByKeyword: ReadonlyMap<string, BrokenRule> = new Map([
  ['type', 'type'],
  ...['enum', 'const'].map((keyword) => [keyword, 'enum'] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((keyword) => [keyword, 'bound'] as const),
  ...['minLength', 'maxLength'].map((keyword) => [keyword, 'length'] as const),
  ['pattern', 'pattern'],
  ['format', 'format'],
  ...['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'].map(
    (keyword) => [keyword, 'items'] as const,
  ),
  ...[
    'required',
    'minProperties',
    'maxProperties',
    'additionalProperties',
    'propertyNames',
    'dependentRequired',
    'unevaluatedProperties',
  ].map((keyword) => [keyword, 'members'] as const),
]);
