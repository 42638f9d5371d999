/** Strict spellings: the one way in which a typed value is written as the text of a parameter. The inverse of `String`. */

import { isObject, type Json } from '../json.ts';
import { parseInstant } from '../query/instant.ts';

/** The type of a parameter's value, or of a list's members, as its text tells nothing. */
export type ValueKind = 'integer' | 'number' | 'boolean' | 'string' | 'date-time';

/** The strict value of a text: the first kind that it is spelled as; `undefined` when it is none of them. */
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

/** The value kinds that a schema's `type` and `format` allow; without a type, text. */
export function kindsOf(schema: Json | undefined): readonly ValueKind[] {
  if (!isObject(schema)) return ['string'];
  const types = [schema['type']]
    .flat()
    .filter((type) => type === 'integer' || type === 'number' || type === 'boolean' || type === 'string');
  const kinds = types.map((type): ValueKind => (type === 'string' && schema['format'] === 'date-time' ? 'date-time' : type));
  // Text is what every reader accepts, so a schema of several types tries it last.
  if (kinds.length > 0) return kinds.toSorted((left, right) => Number(left === 'string') - Number(right === 'string'));
  const [first] = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];
  return [typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : 'string'];
}
