/** Makes invalid values valid: the smallest part that breaks the schema gives way to a generated one, in which readable values then return where they may. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isArray, isObject, type Json } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { certainSchemasAt, type Schema, schemasAt, schemasWithin } from '../../../core/openapi/schema-facts.ts';
import { deepestViolation, type SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../../core/pointer.ts';
import { type SampleOptions, sampleValue } from './sample-value.ts';

type Judge = (value: Json) => readonly SchemaViolation[];

/** Limits of one repair. Generating from a hundred schemas takes tens of milliseconds, in which nobody else is answered. */
const [maxSchemas, maxPairs, maxJudgements] = [100, 20_000, 400] as const;

/** The generated parts by schema and place. */
const generatedParts = new WeakMap<object, Map<string, Json | undefined>>();

/** A value that breaks less of a schema than another, nothing if possible; `undefined` if there was none and none is found. */
export async function repairValue(
  schema: Schema,
  invalid: Json | undefined,
  judge: Judge,
  options: SampleOptions,
): Promise<Json | undefined> {
  const { document } = options;
  const { simplestCommonInstance } = await import('../../../generators/schema-arbitrary.ts');
  const parts = isObject(schema) ? getOrCompute(generatedParts, schema, () => new Map()) : new Map<string, Json | undefined>();
  const generate = (pointer: string): Json | undefined => {
    const schemas = certainSchemasAt(document, schema, pointer);
    if (schemas.length === 0 || schemas.some((each) => schemasWithin(document, each).size > maxSchemas)) return undefined;
    // Clients take an empty text for none.
    const instance = simplestCommonInstance([...schemas, { minLength: 1 }], document, maxPairs);
    return instance ?? simplestCommonInstance(schemas, document, maxPairs);
  };
  const partAt = (pointer: string): Json | undefined => getOrCompute(parts, pointer, () => generate(pointer));

  /** The place of the smallest part with a generated value that breaks less, and the whole value with it. */
  const replaceSmallest = (
    value: Json,
    wrong: readonly SchemaViolation[],
  ): { readonly pointer: string; readonly value: Json } | undefined => {
    const keys = fromPointer(deepestViolation(wrong)?.path ?? '');
    for (let depth = keys.length; depth >= 0; depth -= 1) {
      const pointer = toPointer(keys.slice(0, depth));
      const part = partAt(pointer);
      const replaced = part === undefined ? value : replaceAt(value, pointer, part);
      if (judge(replaced).length < wrong.length) return { pointer, value: replaced };
    }
    return undefined;
  };

  /** The readable values for the members of a generated part: those that were there, else typical ones. */
  const readableMembers = (part: Json | undefined, pointer: string, before: Json | undefined): readonly (readonly [string, Json])[] => {
    if (typeof part !== 'object' || part === null) return [];
    const earlier = Object.entries((typeof before === 'object' && before) || {}) as [string, Json][];
    const members = new Map<string, Json | undefined>([...Object.keys(part).map((key) => [key, undefined] as const), ...earlier]);
    return [...members].flatMap(([key, member]) => {
      const place = `${pointer}${toPointer([key])}`;
      const readable = member ?? sampleValue({ allOf: schemasAt(document, schema, place) }, { ...options, like: undefined }).value;
      return readable === undefined || (isArray(part) && !Object.hasOwn(part, key)) ? [] : [[place, readable] as const];
    });
  };

  let judgements = 0;
  /** Puts readable values into a generated part, as far as nothing more breaks. */
  const restore = async (value: Json, pointer: string, before: Json | undefined): Promise<Json> => {
    const allowed = judge(value).length;
    let restored = value;
    for (const [place, readable] of readableMembers(valueAt(value, pointer), pointer, before)) {
      judgements += 1;
      if (judgements > maxJudgements) return restored;
      await nextTurn();
      const candidate = replaceAt(restored, place, readable);
      restored = judge(candidate).length <= allowed ? candidate : await restore(restored, place, readable);
    }
    return restored;
  };

  if (invalid === undefined) return partAt('');
  let current = invalid;
  for (let wrong = judge(current); wrong.length > 0; wrong = judge(current)) {
    const replaced = replaceSmallest(current, wrong);
    if (replaced === undefined) return current;
    current = await restore(replaced.value, replaced.pointer, valueAt(current, replaced.pointer));
  }
  return current;
}

function replaceAt(value: Json, pointer: string, part: Json): Json {
  // An object would be merged with another one.
  return withValueAt(withValueAt(value, pointer, null), pointer, part);
}
