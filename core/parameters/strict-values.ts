/**
 * Converts the text of a parameter to a typed value. Only the canonical spelling, which `String` prints, is accepted. `parameter.ts` calls it for each text,
 * and `read-operations.ts` asks which types a schema allows.
 */

import { isObject, type Json } from '../json.ts';
import { parseInstant } from '../query/instant.ts';

/** The type of a parameter's value, or of the members of a list. */
export type ValueKind = 'integer' | 'number' | 'boolean' | 'string' | 'date-time';

/** Converts a text to a value of the first kind that accepts it; `undefined` if none does. */
export function readStrictly(kinds: readonly ValueKind[], text: string): Json | undefined {
  for (const kind of kinds) {
    const value = strictReaders[kind](text);
    if (value !== undefined) return value;
  }
  return undefined;
}

const strictReaders: Readonly<Record<ValueKind, (text: string) => Json | undefined>> = {
  integer: (text) => (/^(-?[1-9]\d*|0)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
  number: (text) => (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  string: (text) => text,
  'date-time': (text) => (parseInstant(text) === undefined ? undefined : text),
};

/** Lists the value kinds that the `type` and `format` of a schema allow. Without a type, the first listed value decides, else it is a string. */
export function kindsOf(schema: Json | undefined): readonly ValueKind[] {
  if (!isObject(schema)) return ['string'];
  const types = [schema['type']]
    .flat()
    .filter((type) => type === 'integer' || type === 'number' || type === 'boolean' || type === 'string');
  const kinds = types.map((type): ValueKind => (type === 'string' && schema['format'] === 'date-time' ? 'date-time' : type));
  // A string accepts every text, so it comes last.
  if (kinds.length > 0) return kinds.toSorted((left, right) => Number(left === 'string') - Number(right === 'string'));
  const [first] = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];
  return [typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : 'string'];
}
