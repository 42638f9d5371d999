/** Makes the keys of records, in the form that the file shows for them. */

import { createHash } from 'node:crypto';
import { isIdentifierName, wordsOf } from '../../core/inference/names.ts';
import type { Shape } from '../../core/inference/shape.ts';
import { isObject, type Json, readNumber } from '../../core/json.ts';
import { fromPointer } from '../../core/pointer.ts';
import { compileExpression } from '../../core/safe-regexp.ts';
import type { WorldCollection } from './plan-world.ts';

/** Makes the keys of one collection. */
export interface KeyMaker {
  /** The keys that the examples of path parameters name. */
  readonly shown: readonly Json[];
  /** A new key like a sample; the one with this number, where keys are counted. */
  readonly next: (sample: Json | undefined, salt: string, count: number, isTaken: (key: Json) => boolean) => Json;
  /** Number of keys that the records of earlier parents have, so that no two parents have a record with the same identifier. */
  readonly countBefore: (parents: readonly string[], size: number) => number;
}

/** Creates the maker of a collection. `numberOf` draws a number by a text. */
export function createKeyMaker(collection: WorldCollection, shape: Shape | undefined, numberOf: (salt: string) => number): KeyMaker {
  const name = fromPointer(collection.key.value).at(-1) ?? '';
  const shown = exampleKeys(collection, shape);
  const isCounted = isCountedKey(name, shape, shown);
  return {
    shown,
    next: (sample, salt, count, isTaken) =>
      newKey(isCounted ? countedLike(sample, shape, count) : sample, shape, numberOf(`key ${salt}`), isTaken),
    countBefore: (parents, size) => {
      const parent = parents.at(-1);
      if (parent === undefined || !isIdentifierName(name)) return 0;
      return /^\d{1,6}$/.test(parent) ? (Number(parent) - 1) * size : numberOf(parents.join(' ')) % 1_000_000;
    },
  };
}

/** The keys that the examples of path parameters name. */
function exampleKeys({ details, writes }: WorldCollection, shape: Shape | undefined): readonly Json[] {
  const examples = [...details, ...writes].flatMap(({ operation, parameter }) => {
    const found = operation.parameters.find((each) => each.in === 'path' && each.name === parameter);
    return found?.examples ?? [];
  });
  const texts = examples.filter((each) => !isObject(each)).map(String);
  const keys: readonly Json[] = hasNumbers(shape) ? texts.filter((text) => /^-?\d+$/.test(text)).map(readNumber) : texts;
  return [...new Set(keys)].slice(0, 3);
}

function hasNumbers(shape: Shape | undefined): boolean {
  return shape !== undefined && (shape.types.has('integer') || shape.types.has('number'));
}

/** True for keys that count from 1: identifiers and numbers of which the file shows no other form. */
function isCountedKey(name: string, shape: Shape | undefined, shown: readonly Json[]): boolean {
  if (shape === undefined || shape.listed.length > 0 || !countedNames.includes(wordsOf(name).at(-1) ?? '')) return false;
  if (!shape.types.has('string')) return hasNumbers(shape);
  const forms = [
    ...shown,
    ...shape.examples,
    ...shape.schemas.flatMap(({ example, examples, default: usual }) => [example, examples, usual].flat()),
  ];
  const isFree = forms.every((form) => form === undefined || form === 'string' || /^\d+$/.test(String(form)));
  return isFree && isIdentifierName(name) && !shape.schemas.some((schema) => formKeywords.some((keyword) => keyword in schema));
}

const countedNames = ['id', 'number', 'no', 'index', 'position', 'sequence', 'version'];

/** The keywords that demand a form of a text. */
const formKeywords = ['format', 'pattern', 'minLength'];

/** A number that is counted, as a text where keys are texts, and as large as the schema asks for. */
function countedLike(sample: Json | undefined, shape: Shape | undefined, count: number): Json {
  if (typeof sample === 'string') return String(count);
  const minimums = shape?.schemas.flatMap(({ minimum }) => (typeof minimum === 'number' ? [minimum] : [])) ?? [];
  return Math.max(1, ...minimums) + count - 1;
}

/** A new key of the form of a sample. */
function newKey(sample: Json | undefined, shape: Shape | undefined, random: number, isTaken: (key: Json) => boolean): Json {
  const types = shape?.types ?? new Set<string>();
  const patterns = shape?.schemas.flatMap(({ pattern }) => (typeof pattern === 'string' ? [compileExpression(pattern)] : [])) ?? [];
  const fits = (key: Json): boolean => !isTaken(key) && (typeof key !== 'string' || patterns.every((pattern) => pattern.test(key)));
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const key = keyLike(sample, types, random, attempt);
    if (fits(key)) return key;
  }
  return sample === undefined || isTaken(sample) ? `${String(sample ?? 'key')}-${random}` : sample;
}

/** Number of keys that are tried. A collection has at most as many records as clients create. */
const maxAttempts = 1_000_000;

function keyLike(sample: Json | undefined, types: ReadonlySet<string>, random: number, attempt: number): Json {
  if (typeof sample === 'bigint') return sample + BigInt(attempt);
  if (typeof sample === 'number' || ((types.has('integer') || types.has('number')) && !types.has('string')))
    return Math.max(1, Number(sample ?? 1)) + attempt;
  const text = String(sample ?? 'key');
  const digest = createHash('sha256').update(`${random} ${attempt}`).digest('hex');
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text))
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  if (attempt === 0 && !/^\d+$/.test(text) && text !== 'string') return text;
  const [, start = '', digits = ''] = /^(.*?)(\d{1,15})$/.exec(text) ?? [];
  if (digits !== '') return `${start}${String(Number(digits) + attempt).padStart(digits.length, '0')}`;
  const [prefix = ''] = /^[a-zA-Z]{2,8}[_-](?=[\da-zA-Z]{8,})/.exec(text) ?? [];
  if (prefix !== '') return prefix + digest.slice(0, Math.min(text.length - prefix.length, 40)).padEnd(text.length - prefix.length, '0');
  if (/^[\da-f]{16,64}$/i.test(text)) return digest.slice(0, text.length);
  return `${text}-${attempt + 1}`;
}
