/** Whether a reader of texts, such as parameters and headers, reads the values of another type than its own. */

import { isNumber, type Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { ChangeLevel } from '../../../core/results/diff-result.ts';
import { writeAsText } from '../witnesses/build-witness-exchange.ts';
import type { SchemaWitnessSearch } from '../witnesses/schema-witness-search.ts';
import { enumValuesOf } from './compare-value-keywords.ts';
import { allowedTypes, type FlatSchema, keywordSchemas, keywordValues } from './flat-schema.ts';
import type { SchemaUse } from './schema-use.ts';

/**
 * Level of a changed type. A single value is a list of one element. Any other text that is still read, now stands for another value. A text counts as refused
 * unless it is proved that all are read.
 */
export function levelOfReading(
  search: SchemaWitnessSearch,
  { repeatsLists }: Pick<SchemaUse, 'repeatsLists'>,
  writer: FlatSchema,
  reader: FlatSchema,
): ChangeLevel {
  const written = writtenTexts(search, writer, repeatsLists);
  if (written === undefined) return 'breaking';
  const types = allowedTypes(reader);
  if (types?.has('string') !== false && search.includes(written, reader.schema)) return 'risky';
  const isSingle = allowedTypes(writer)?.has('array') === false && allowsOneElement(reader);
  if (types?.has('array') !== true || !isSingle) return 'breaking';
  const elements = search.flatSchemas.of(search.flatSchemas.combine(keywordSchemas(reader, 'items')), reader);
  return areReadAs(search, writer, elements, written) ? 'compatible' : 'breaking';
}

/** True if it is proved that the elements of a list read every text, in their own type or as strings. */
function areReadAs(search: SchemaWitnessSearch, writer: FlatSchema, elements: FlatSchema, written: Schema): boolean {
  const types = allowedTypes(elements);
  if (types?.has('string') !== false && search.includes(written, elements.schema)) return true;
  return search.includes(writer.schema, elements.schema);
}

function allowsOneElement(reader: FlatSchema): boolean {
  return (
    keywordValues(reader, 'minItems').every((least) => isNumber(least) && least <= 1) &&
    keywordValues(reader, 'maxItems').every((most) => isNumber(most) && most >= 1)
  );
}

/** A schema of the texts of all values; `undefined` if some values are written as several texts. */
function writtenTexts({ flatSchemas }: SchemaWitnessSearch, flat: FlatSchema, repeatsLists: boolean): Schema | undefined {
  const listed = enumValuesOf(flat);
  if (listed !== undefined) return { enum: [...listed.values()].filter((value) => value !== null).map(writeAsText) };
  const types = [...(allowedTypes(flat) ?? ['object'])].filter((type) => type !== 'null');
  if (types.includes('array') && repeatsLists && !keywordValues(flat, 'maxItems').includes(1)) return undefined;
  return {
    anyOf: types.map((type): Json => {
      if (type === 'string') return flatSchemas.combine([flat.schema, { type }]);
      if (type === 'boolean') return { enum: ['true', 'false'] };
      if (type === 'integer') return textsOfIntegers(flat);
      return type === 'number' ? { type: 'string', pattern: '^-?[0-9]+([.][0-9]+)?$' } : { type: 'string' };
    }),
  };
}

/** The texts of integers, without a sign or as short as the bounds say. */
function textsOfIntegers(flat: FlatSchema): Schema {
  const [least, most] = [boundsIn(flat, 'minimum', 'exclusiveMinimum'), boundsIn(flat, 'maximum', 'exclusiveMaximum')];
  const isPositive = least.some((bound) => bound >= 0);
  const [low] = least;
  const [high] = most;
  return {
    type: 'string',
    pattern: `^${isPositive ? '' : '-?'}[0-9]+$`,
    minLength: 1,
    ...(low === undefined || high === undefined ? {} : { maxLength: Math.max(String(low).length, String(high).length) }),
  };
}

function boundsIn(flat: FlatSchema, ...keywords: readonly string[]): readonly number[] {
  return keywords.flatMap((keyword) =>
    keywordValues(flat, keyword)
      .filter((value) => isNumber(value))
      .map(Number),
  );
}
