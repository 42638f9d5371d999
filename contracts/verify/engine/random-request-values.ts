/**
 * Draws values for requests: filters of observed values, hostile identifiers, meaningless texts. The filter, malformed-value and search rules call it,
 * and `page-boundaries.ts`. The same seed gives the same values; it sends nothing.
 */

import fc, { type Arbitrary, constantFrom, option, record, sample, uniqueArray } from 'fast-check';
import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { observedValues, predictableFilters, thin } from './filter-values.ts';
import type { ParameterValues } from './list-records.ts';
import type { RunContext } from './run-context.ts';
import { encodeName } from './single-read.ts';
import type { Snapshot } from './snapshot.ts';

/** Number of combinations to draw. They are evaluated on the snapshot, and few are sent. */
const drawnCombinations = 120;

/** Number of values of one filter to draw from. */
const maxValues = 40;

/** Random combinations of at least `least` filters with observed values; the same for the same seed and records. */
export function drawFilters(context: RunContext, snapshot: Snapshot, least: number): readonly ParameterValues[] {
  const { operation } = snapshot;
  const filters = predictableFilters(context.contract, operation).flatMap((name) => {
    const values = arbitraryOf(snapshot, name);
    return values === undefined ? [] : [[name, option(values, { freq: 3, nil: undefined })] as const];
  });
  if (filters.length < least) return [];
  const draws = sample(record(Object.fromEntries(filters)), { numRuns: drawnCombinations, seed: context.seed });
  return draws
    .map(
      (draw) =>
        Object.fromEntries(
          Object.entries(draw).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ) as ParameterValues,
    )
    .filter((values) => Object.keys(values).length >= least && isInOrder(operation, values));
}

function arbitraryOf(snapshot: Snapshot, name: string): Arbitrary<Json> | undefined {
  const filter = snapshot.operation.collection.filters.get(name);
  const values = filter === undefined ? [] : thin(observedValues(snapshot, name), maxValues);
  if (filter === undefined || values.length === 0) return undefined;
  const one = constantFrom(...values);
  return filter.operator === 'any-of' ? uniqueArray(one, { minLength: 1, maxLength: Math.min(values.length, 5) }) : one;
}

/** A hostile identifier. */
export interface HostileIdentifier {
  /** The unusual part of the text, as a noun: `a quote of SQL`. */
  readonly kind: string;
  /** As it is sent, percent-encoded. */
  readonly raw: string;
  /** Decoded text; `undefined` where decoding fails. */
  readonly text: string | undefined;
}

/** Draws one identifier of each kind. The same seed and the same known identifier give the same ones. */
export function drawHostile(seed: number, known: string): readonly HostileIdentifier[] {
  const [drawn = []] = fc.sample(fc.tuple(...kindsFor(known)), { numRuns: 1, seed });
  return drawn;
}

/** The kinds of hostile identifiers, the most effective first: quick runs send only the first. */
function kindsFor(known: string): readonly fc.Arbitrary<HostileIdentifier>[] {
  return [
    wildcards(known).map(hostileText('a wildcard of SQL')),
    injections.map(hostileText('a quote of SQL')),
    fc.oneof(directions, emoji).map(hostileText('signs of other writing')),
    fc
      .constantFrom('%FF', '%C3%28', '%ED%A0%80', '%F5%80%80%80', '%C0%AF')
      .chain((bytes) => word.map((text) => brokenUtf8(`${text}${bytes}`))),
    word.chain((text) => fc.constantFrom(`${text}\u0000${text}`, `${text}\r\nX-Injected: ${text}`)).map(hostileText('a control sign')),
    traversals.map(hostileText('a path to elsewhere')),
    fc.oneof(templates, programs).map(hostileText('a piece of a program')),
    lookalike(known).map(hostileText('a look-alike')),
    fc.integer({ min: 300, max: 600 }).chain((length) => letter.map((sign) => hostileText('a very long name')(`zz${sign.repeat(length)}`))),
  ];
}

const letter: fc.Arbitrary<string> = fc.constantFrom(...'bcdfghjklmnpqrstvwxz');
const word: fc.Arbitrary<string> = fc.array(letter, { minLength: 3, maxLength: 8 }).map((letters) => letters.join(''));

/** Makes identifiers of a kind from texts. */
function hostileText(kind: string): (text: string) => HostileIdentifier {
  return (text) => ({ kind, text, raw: encodeName(text) });
}

function brokenUtf8(raw: string): HostileIdentifier {
  return { kind: 'broken UTF-8', raw, text: undefined };
}

/** In SQL's LIKE, `%` is any text and `_` is any letter. */
function wildcards(known: string): fc.Arbitrary<string> {
  const letters = [...known];
  const place = fc.nat({ max: Math.max(0, letters.length - 1) });
  const oneForAny = place.map((index) => letters.map((sign, at) => (at === index ? '_' : sign)).join(''));
  const beginning = place.map((index) => `${letters.slice(0, Math.max(1, Math.min(index, letters.length - 1))).join('')}%`);
  return fc.oneof(oneForAny, beginning, fc.constant('%'));
}

const injections: fc.Arbitrary<string> = fc
  .tuple(word, fc.constantFrom("' OR '1'='1", "' OR 1=1 -- ", `" OR ""="`, "'; SELECT 1; -- ", "') OR ('x'='x"))
  .map(([name, end]) => `${name}.${end}`);

const traversals: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('../', '..\\', '....//'), fc.integer({ min: 2, max: 5 }), fc.constantFrom('etc/passwd', 'windows/win.ini', '.env'))
  .map(([step, depth, file]) => `${step.repeat(depth)}${file}`);

const templates: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(['{{', '}}'], ['${', '}'], ['<%=', '%>'], ['#{', '}']), fc.integer({ min: 11, max: 99 }))
  .map(([[open = '', close = ''], number]) => `${open}${number}*${number}${close}`);

const programs: fc.Arbitrary<string> = fc.constantFrom(
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '{}',
  '[]',
  '__proto__',
  'constructor',
);

/** Letters of other scripts that look like Latin ones. A name with one of them is another name. */
const lookalikes: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  x: 'х',
  y: 'у',
  A: 'А',
  B: 'В',
  E: 'Е',
  K: 'К',
  M: 'М',
  T: 'Т',
  H: 'Н',
  R: 'Я',
};

function lookalike(known: string): fc.Arbitrary<string> {
  const letters = [...known];
  const places = letters.flatMap((sign, index) => (lookalikes[sign] === undefined ? [] : [index]));
  if (places.length === 0) return word.map((text) => `${known}а${text}`);
  return fc
    .constantFrom(...places)
    .map((place) => letters.map((sign, index) => (index === place ? (lookalikes[sign] ?? sign) : sign)).join(''));
}

const directions: fc.Arbitrary<string> = word.map((text) => `${text}\u202E${text}\u05D0\u05D1\u0661`);
const emoji: fc.Arbitrary<string> = fc.constantFrom('👩‍👩‍👧', '🏴‍☠️', '🇮🇹', '💥').chain((sign) => word.map((text) => `${text}${sign}`));

const rare: fc.Arbitrary<string> = fc.constantFrom(...'qxzjkwv');

/** Draws a text that no record contains for each first letter. The same seed gives the same texts. */
export function drawMeaningless(seed: number, beginnings: readonly string[]): readonly string[] {
  const tail = fc.array(rare, { minLength: 13, maxLength: 13 }).map((letters) => letters.join(''));
  const tails = fc.sample(tail, { numRuns: beginnings.length, seed });
  return beginnings.map((beginning, index) => `${beginning}${tails[index] ?? ''}`);
}

/** True when ordered parameters are in order. */
function isInOrder(operation: Operation, values: Readonly<Record<string, Json>>): boolean {
  return operation.rules.every((rule) => {
    if (rule.rule !== 'ordered') return true;
    const given = rule.parameters.map((name) => values[name]).filter((value) => value !== undefined);
    return given.every((value, index) => index === 0 || compare(given[index - 1] ?? null, value) <= 0);
  });
}

function compare(left: Json, right: Json): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (String(left) === String(right)) return 0;
  return String(left) < String(right) ? -1 : 1;
}
