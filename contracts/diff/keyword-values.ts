/** Rules for keywords about single values: `type`, `enum` and `const`, the bounds of numbers, lengths and counts, and the form of texts. */

import type { Json, JsonObject } from '../../core/json.ts';
import {
  allTypes,
  alone,
  demanding,
  demandsOf,
  type Effect,
  effectOf,
  provedEffect,
  show,
  sides,
  type Two,
  toKebab,
  typesOf,
  type Verb,
  type View,
  valuesOf,
} from './schema-edit.ts';

/** Compares the types. Gives whether a value can be of the same type on both sides, so that other keywords are worth comparing. */
export function compareTypes(two: Two): boolean {
  const [old, next] = [listedIn(two.old), listedIn(two.new)];
  // Where values are listed, the list tells more than the type, and where nothing else is said it tells everything.
  if (old !== undefined && (next !== undefined || !two.new.keywords.has('type'))) return true;
  if (next !== undefined && !two.old.keywords.has('type')) return true;
  const [before, after] = [possibleTypes(two.old), possibleTypes(two.new)];
  const gone = [...before].filter((type) => !after.has(type));
  const added = [...after].filter((type) => !before.has(type));
  if (gone.length + added.length === 0) return true;
  const base = demanding(two, 'type');
  if (gone.join() === 'null' && added.length === 0)
    two.report({ ...base, rule: 'became-not-nullable', effect: 'narrower', text: 'null is no longer allowed' });
  else if (added.join() === 'null' && gone.length === 0)
    two.report({ ...base, rule: 'became-nullable', effect: 'wider', text: 'null is now allowed' });
  else
    two.report({
      ...base,
      rule: 'type-changed',
      effect: effectOf(gone.length > 0, added.length > 0),
      text: `the type changed from ${tellTypes(two.old)} to ${tellTypes(two.new)}`,
    });
  return [...before].some((type) => after.has(type) && type !== 'null');
}

/** The types that values can have: those of listed values, where there is a list. */
function possibleTypes(view: View): ReadonlySet<string> {
  const listed = listedIn(view);
  return listed === undefined ? (typesOf(view) ?? new Set(allTypes)) : new Set([...listed.values()].map(typeOfValue));
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function tellTypes(view: View): string {
  const types = typesOf(view);
  if (types === undefined) return 'any';
  return [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ') || 'none';
}

type Listed = ReadonlyMap<string, Json>;

/** The values that `enum` and `const` list, as far as the type lets them be; `undefined` when there is no list. */
function listedIn(view: View): Listed | undefined {
  const [first, ...others] = [
    ...valuesOf(view, 'enum').map((value) => (Array.isArray(value) ? (value as readonly Json[]) : [])),
    ...valuesOf(view, 'const').map((value) => [value]),
  ].map((values) => new Map(values.map((value) => [JSON.stringify(value), value])));
  if (first === undefined) return undefined;
  const types = typesOf(view);
  const isPossible = (value: Json): boolean => types === undefined || types.has(typeOfValue(value));
  return new Map([...first].filter(([key, value]) => isPossible(value) && others.every((other) => other.has(key))));
}

/** Compares the listed values, one edit for each. */
export function compareListed(two: Two): void {
  const [old, next] = [listedIn(two.old), listedIn(two.new)];
  const isConstant = !two.old.keywords.has('enum') && !two.new.keywords.has('enum');
  const base = demanding(two, isConstant ? 'const' : 'enum');
  if (old === undefined && next === undefined) return;
  if (old === undefined)
    two.report({
      ...base,
      rule: isConstant ? 'const-added' : 'became-enum',
      effect: 'narrower',
      text: `only ${tellValues(next)} ${next?.size === 1 ? 'is' : 'are'} allowed now`,
    });
  else if (next === undefined)
    two.report({
      ...base,
      rule: isConstant ? 'const-removed' : 'enum-removed',
      effect: 'wider',
      text: `the values are no longer limited to ${tellValues(old)}`,
    });
  else if (!isConstant) compareValues(two, old, next);
  else if ([...old.keys()].join() !== [...next.keys()].join())
    two.report({
      ...base,
      rule: 'const-changed',
      effect: 'both',
      text: `the only value is ${tellValues(next)} now, and no longer ${tellValues(old)}`,
    });
}

function compareValues(two: Two, old: Listed, next: Listed): void {
  const { before, after } = sides(two, 'enum');
  for (const [key, value] of [...old].filter(([each]) => !next.has(each)))
    two.report({
      before: { ...before, value },
      after: { ...after, value: undefined },
      rule: value === null ? 'became-not-nullable' : 'enum-value-removed',
      effect: 'narrower',
      subject: key,
      text: value === null ? 'null is no longer allowed' : `the value ${show(value)} is gone`,
      demands: { new: { not: { const: value } } },
    });
  for (const [key, value] of [...next].filter(([each]) => !old.has(each)))
    two.report({
      before: { ...before, value: undefined },
      after: { ...after, value },
      rule: value === null ? 'became-nullable' : 'enum-value-added',
      effect: 'wider',
      subject: key,
      text: value === null ? 'null is now allowed' : `the value ${show(value)} is new`,
      demands: { old: { not: { const: value } } },
    });
}

function tellValues(values: Listed | undefined): string {
  return [...(values?.values() ?? [])].map(show).join(', ');
}

interface Bound {
  readonly keyword: string;
  readonly side: 'lower' | 'upper';
  /** What holds where the keyword is not given; a bound of this value demands nothing. */
  readonly absent: number;
  /** The keyword that says the same of the same numbers, but for the bound itself. */
  readonly twin?: string;
}

const bounds: readonly Bound[] = [
  { keyword: 'minimum', side: 'lower', absent: -Infinity, twin: 'exclusiveMinimum' },
  { keyword: 'exclusiveMinimum', side: 'lower', absent: -Infinity, twin: 'minimum' },
  { keyword: 'maximum', side: 'upper', absent: Infinity, twin: 'exclusiveMaximum' },
  { keyword: 'exclusiveMaximum', side: 'upper', absent: Infinity, twin: 'maximum' },
  { keyword: 'minLength', side: 'lower', absent: 0 },
  { keyword: 'maxLength', side: 'upper', absent: Infinity },
  { keyword: 'minItems', side: 'lower', absent: 0 },
  { keyword: 'maxItems', side: 'upper', absent: Infinity },
  { keyword: 'minContains', side: 'lower', absent: 1 },
  { keyword: 'maxContains', side: 'upper', absent: Infinity },
  { keyword: 'minProperties', side: 'lower', absent: 0 },
  { keyword: 'maxProperties', side: 'upper', absent: Infinity },
];

/** Compares all bounds. */
export function compareBounds(two: Two): void {
  for (const bound of bounds) compareBound(two, bound);
  compareMultiples(two);
}

function compareBound(two: Two, bound: Bound): void {
  const [old, next] = [strictest(two.old, bound), strictest(two.new, bound)];
  if (old === next || isKeptByTwin(two, bound)) return;
  const { keyword, side } = bound;
  const isRaised = next > old;
  // How many items must match what is contained means nothing without it.
  const isCount = keyword.endsWith('Contains');
  if (isCount && !(two.old.keywords.has('contains') && two.new.keywords.has('contains'))) return;
  const contained = (view: View): JsonObject => alone(view, ['contains', 'minContains', 'maxContains']);
  two.report({
    ...sides(two, keyword),
    demands: isCount ? { old: contained(two.old), new: contained(two.new) } : demandsOf(two, keyword),
    rule: `${toKebab(keyword)}-${isRaised ? 'increased' : 'decreased'}`,
    effect: isRaised === (side === 'lower') ? 'narrower' : 'wider',
    text: changed(two, keyword, keyword),
  });
}

/** The bound that counts: the strictest of all that are stated. */
function strictest(view: View, { keyword, side, absent }: Bound): number {
  const stated = valuesOf(view, keyword).filter((value) => typeof value === 'number');
  if (stated.length === 0) return absent;
  return side === 'lower' ? Math.max(...stated) : Math.min(...stated);
}

/** Whether a bound comes or goes together with its twin, and no value is told apart: integers above 4 are those from 5 on. */
function isKeptByTwin(two: Two, { keyword, twin, side }: Bound): boolean {
  if (twin === undefined) return false;
  const isMoved = two.old.keywords.has(keyword) !== two.new.keywords.has(keyword);
  if (!isMoved || !(two.old.keywords.has(twin) || two.new.keywords.has(twin))) return false;
  const isInteger = [two.old, two.new].every((view) => typesOf(view)?.has('number') === false);
  return isInteger && outermost(two.old, side) === outermost(two.new, side);
}

/** The outermost integer that both keywords of a side let through. */
function outermost(view: View, side: Bound['side']): number {
  const twins = bounds.filter((bound) => bound.side === side && bound.twin !== undefined);
  const [closed = Number.NaN, open = Number.NaN] = twins.map((bound) => strictest(view, bound));
  return side === 'lower' ? Math.max(Math.ceil(closed), Math.floor(open) + 1) : Math.min(Math.floor(closed), Math.ceil(open) - 1);
}

function compareMultiples(two: Two): void {
  const textOf = (view: View): string => valuesOf(view, 'multipleOf').map(Number).toSorted().join();
  if (textOf(two.old) === textOf(two.new)) return;
  const base = demanding(two, 'multipleOf');
  const effect = provedEffect(two, base.demands);
  const text = changed(two, 'multipleOf', 'multipleOf');
  two.report({ ...base, rule: 'multiple-of-changed', effect: effect === 'none' ? 'wider' : effect, text });
}

/** What a keyword was and is, where texts say so as they are or by `print`. */
function changed(two: Two, what: string, keyword: string, print: (value: Json) => string = JSON.stringify, and = ' and '): string {
  const [old, next] = [two.old, two.new].map((view) => valuesOf(view, keyword).map(print).join(and) || 'nothing');
  return `${what} changed from ${old} to ${next}`;
}

/** Compares patterns, formats and encodings. */
export function compareTexts(two: Two): void {
  comparePatterns(two);
  compareFormats(two);
  for (const keyword of ['contentEncoding', 'contentMediaType']) compareEncoding(two, keyword);
}

function isStatedAlike(two: Two, keyword: string): boolean {
  const [old, next] = [two.old, two.new].map((view) => JSON.stringify(valuesOf(view, keyword).toSorted()));
  return old === next;
}

/** What became of a keyword that may be stated several times. */
function verbFor({ old, new: next }: Two, keyword: string): Verb {
  if (valuesOf(old, keyword).length === 0) return 'added';
  return valuesOf(next, keyword).length === 0 ? 'removed' : 'changed';
}

/** A pattern describes what texts look like; hardly any client checks those that it receives. */
function comparePatterns(two: Two): void {
  if (isStatedAlike(two, 'pattern')) return;
  const base = demanding(two, 'pattern');
  const effect = provedEffect(two, base.demands);
  two.report({
    ...base,
    rule: `pattern-${verbFor(two, 'pattern')}`,
    effect,
    text: changed(two, 'the pattern', 'pattern', show),
    ...(effect === 'narrower' ? {} : { levels: { response: 'risky' }, reason: 'Only clients that check what texts look like notice.' }),
  });
}

/** Formats whose values are all values of another (OpenAPI 3.1 §4.4, OpenAPI format registry). */
const within: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16', 'int32', 'int64'],
  int16: ['int32', 'int64'],
  int32: ['int64'],
  uint8: ['int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64'],
  uint16: ['int32', 'int64', 'uint32', 'uint64'],
  uint32: ['int64', 'uint64'],
  float: ['double'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
};

/** Formats that tell tools how to show or to carry a text, and say nothing of which texts there are. */
const hints: ReadonlySet<string> = new Set(['password', 'binary', 'byte', 'html', 'markdown', 'commonmark', 'textarea']);

function compareFormats(two: Two): void {
  if (isStatedAlike(two, 'format')) return;
  const [before = [], after = []] = [two.old, two.new].map((view) => valuesOf(view, 'format').map(String));
  const isHint = [...before, ...after].every((format) => hints.has(format)) && (before.length === 0 || after.length === 0);
  two.report({
    ...demanding(two, 'format'),
    rule: `format-${verbFor(two, 'format')}`,
    effect: formatEffect(before, after),
    text: changed(two, 'the format', 'format', String),
    ...(isHint ? { levels: { request: 'risky', response: 'risky' } } : {}),
  });
}

function formatEffect(before: readonly string[], after: readonly string[]): Effect {
  if (before.length === 0) return 'narrower';
  if (after.length === 0) return 'wider';
  const isInside = (some: readonly string[], others: readonly string[]): boolean =>
    others.every((other) => some.some((format) => format === other || (within[format] ?? []).includes(other)));
  return effectOf(!isInside(before, after), !isInside(after, before));
}

function compareEncoding(two: Two, keyword: string): void {
  if (isStatedAlike(two, keyword)) return;
  two.report({
    ...sides(two, keyword),
    rule: keyword === 'contentEncoding' ? 'content-encoding-changed' : 'content-media-type-changed',
    effect: 'both',
    text: changed(two, keyword, keyword, show, ','),
    reason: 'Whoever decodes the text decodes it wrongly.',
  });
}
