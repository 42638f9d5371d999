/** Compares the keywords that limit a value without looking inside it: `type`, `enum`, bounds, `multipleOf`, and string keywords such as `pattern`. */

import { isNumber, type Json, type JsonNumber, type JsonObject, jsonTypeOf, printJson } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { EditedSide } from '../component-places.ts';
import {
  type ChangeVerb,
  describeValueChange,
  listNames,
  noLongerLimitedTo,
  nowLimitedTo,
  showJson,
  toKebab,
} from '../describe-value-change.ts';
import { allowedTypes, allTypes, type FlatSchema, keywordValues, pickKeywords } from './flat-schema.ts';
import { rateFormats } from './rate-formats.ts';
import {
  changedSides,
  type EditEffect,
  type EditNames,
  effectOf,
  keywordConstraints,
  provedEffect,
  type SchemaComparison,
  sidesWithConstraints,
} from './schema-pair.ts';

/** Compares the types. Returns false if the sides have no type in common; the caller then skips all other keywords. */
export function compareTypes(comparison: SchemaComparison): boolean {
  const [oldEnum, newEnum] = [enumValuesOf(comparison.old), enumValuesOf(comparison.new)];
  // Between two enums, or an enum and a schema without a type, the comparison of enums reports the whole difference.
  if (oldEnum !== undefined && (newEnum !== undefined || !comparison.new.keywords.has('type'))) return true;
  if (newEnum !== undefined && !comparison.old.keywords.has('type')) return true;
  const [before, after] = [typesOfAllowedValues(comparison.old), typesOfAllowedValues(comparison.new)];
  const gone = [...before].filter((type) => !after.has(type) && !isExcluded(comparison, comparison.old, type));
  const added = [...after].filter((type) => !before.has(type) && !isExcluded(comparison, comparison.new, type));
  if (gone.length + added.length === 0) return true;
  const base = sidesWithConstraints(comparison, 'type');
  if (gone.join() === 'null' && added.length === 0)
    comparison.report({ ...base, rule: 'became-not-nullable', effect: 'narrower', text: ({ name }) => noLongerNull(name) });
  else if (added.join() === 'null' && gone.length === 0)
    comparison.report({ ...base, rule: 'became-nullable', effect: 'wider', text: ({ name }) => nowNull(name) });
  else
    comparison.report({
      ...base,
      rule: 'type-changed',
      effect: effectOf(gone.length > 0, added.length > 0),
      text: ({ name }) => `the type of ${name} changed from ${printTypes(comparison.old)} to ${printTypes(comparison.new)}`,
    });
  return [...before].some((type) => after.has(type) && type !== 'null');
}

/** True if it is proved that no value has a type, although `type` allows it: for example because no branch of an `anyOf` does. */
function isExcluded({ includes }: SchemaComparison, { schema, keywords }: FlatSchema, type: string): boolean {
  const hasChoice = ['anyOf', 'oneOf', 'not', 'if'].some((keyword) => keywords.has(keyword));
  return hasChoice && includes({ allOf: [schema, { type }] }, false);
}

function noLongerNull(name: string): string {
  return `${name} can no longer be null`;
}

function nowNull(name: string): string {
  return `${name} can now be null`;
}

/** Types of the allowed values: the types of the enum values, or of `type` if there is no enum. */
function typesOfAllowedValues(flat: FlatSchema): ReadonlySet<string> {
  const listed = enumValuesOf(flat);
  return listed === undefined ? (allowedTypes(flat) ?? new Set(allTypes)) : new Set([...listed.values()].map(jsonTypeOf));
}

function printTypes(flat: FlatSchema): string {
  const types = allowedTypes(flat);
  if (types === undefined) return 'any';
  return [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ') || 'none';
}

type EnumValues = ReadonlyMap<string, Json>;

/** Values of `enum` and `const` that the type allows; `undefined` without either. */
export function enumValuesOf(flat: FlatSchema): EnumValues | undefined {
  const [first, ...others] = [
    ...keywordValues(flat, 'enum').map((value) => (Array.isArray(value) ? (value as readonly Json[]) : [])),
    ...keywordValues(flat, 'const').map((value) => [value]),
  ].map((values) => new Map(values.map((value) => [printJson(value), value])));
  if (first === undefined) return undefined;
  const types = allowedTypes(flat);
  const isPossible = (value: Json): boolean => types === undefined || types.has(jsonTypeOf(value));
  return new Map([...first].filter(([key, value]) => isPossible(value) && others.every((other) => other.has(key))));
}

/** Compares `enum` and `const`. */
export function compareEnums(comparison: SchemaComparison): void {
  const [old, next] = [enumValuesOf(comparison.old), enumValuesOf(comparison.new)];
  const isConstant = !comparison.old.keywords.has('enum') && !comparison.new.keywords.has('enum');
  const base = sidesWithConstraints(comparison, isConstant ? 'const' : 'enum');
  if (old === undefined && next === undefined) return;
  // `type: null` lists its only value too.
  if ([comparison.old, comparison.new].every((flat) => [...typesOfAllowedValues(flat)].join() === 'null')) return;
  if (old === undefined)
    comparison.report({
      ...base,
      rule: isConstant ? 'const-added' : 'became-enum',
      effect: 'narrower',
      text: ({ name }) => `${name} ${nowLimitedTo(showValues(next))}`,
    });
  else if (next === undefined)
    comparison.report({
      ...base,
      rule: isConstant ? 'const-removed' : 'enum-removed',
      effect: 'wider',
      text: ({ name, isPlural }) => `${name} ${noLongerLimitedTo(showValues(old), isPlural)}`,
    });
  else if (!isConstant) compareValues(comparison, old, next);
  else if ([...old.keys()].join() !== [...next.keys()].join())
    comparison.report({
      ...base,
      rule: 'const-changed',
      effect: 'both',
      text: ({ name }) => `${name} changed from ${listNames(showValues(old), 'and')} to ${listNames(showValues(next), 'and')}`,
    });
}

/** Reports the removed values of `enum` as one edit, and the added ones as another. `null` is an edit of its own. */
function compareValues(comparison: SchemaComparison, old: EnumValues, next: EnumValues): void {
  const { before, after } = changedSides(comparison, 'enum');
  const beyond = (values: EnumValues, others: EnumValues): readonly Json[] =>
    [...values].flatMap(([key, value]) => (others.has(key) ? [] : [value]));
  const sideOf = (side: EditedSide, values: readonly Json[]): EditedSide => ({ ...side, value: values.length === 1 ? values[0] : values });
  for (const values of separateNull(beyond(old, next)))
    comparison.report({
      before: sideOf(before, values),
      after: { ...after, value: undefined },
      rule: values.includes(null) ? 'became-not-nullable' : 'enum-value-removed',
      effect: 'narrower',
      changedItem: values.map((value) => printJson(value)).join(),
      text: ({ name }) =>
        values.includes(null)
          ? noLongerNull(name)
          : `the ${values.length === 1 ? 'value' : 'values'} ${listNames(values.map(showJson), 'and')} of ${name} ${values.length === 1 ? 'was' : 'were'} removed`,
      constraints: { new: { not: { enum: values } } },
    });
  const gone = beyond(old, next).filter((value) => value !== null);
  const instead = gone.length === 0 ? '' : `, but no longer ${listNames(gone.map(showJson), 'or')}`;
  for (const values of separateNull(beyond(next, old)))
    comparison.report({
      before: { ...before, value: undefined },
      after: sideOf(after, values),
      rule: values.includes(null) ? 'became-nullable' : 'enum-value-added',
      effect: 'wider',
      changedItem: values.map((value) => printJson(value)).join(),
      text: ({ name }) => (values.includes(null) ? nowNull(name) : `${name} can now be ${listNames(values.map(showJson), 'or')}${instead}`),
      constraints: { old: { not: { enum: values } } },
    });
}

/** `null` alone, and the other values; no empty lists. */
function separateNull(values: readonly Json[]): readonly (readonly Json[])[] {
  return [values.filter((value) => value === null), values.filter((value) => value !== null)].filter(({ length }) => length > 0);
}

function showValues(values: EnumValues | undefined): readonly string[] {
  return [...(values?.values() ?? [])].map(showJson);
}

interface BoundKeyword {
  readonly keyword: string;
  readonly side: 'lower' | 'upper';
  /** Default value of the keyword; a bound with this value restricts nothing. */
  readonly absent: number;
  /** The inclusive or exclusive counterpart of the keyword. */
  readonly twin?: string;
}

const bounds: readonly BoundKeyword[] = [
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

const nounOfBound: Readonly<Record<string, string>> = { minimum: 'the minimum', maximum: 'the maximum' };

/** Compares all bounds. */
export function compareBounds(comparison: SchemaComparison): void {
  for (const bound of bounds) compareBound(comparison, bound);
  compareMultiples(comparison);
}

function compareBound(comparison: SchemaComparison, bound: BoundKeyword): void {
  const [old, next] = [strictest(comparison.old, bound), strictest(comparison.new, bound)];
  if (old === next) return;
  const { keyword, side } = bound;
  const isRaised = next > old;
  const effect = isRaised === (side === 'lower') ? 'narrower' : 'wider';
  if (![effect, 'both'].includes(effectWithTwin(comparison, bound, effect))) return;
  // minContains and maxContains mean nothing without contains.
  const isCount = keyword.endsWith('Contains');
  if (isCount && !(comparison.old.keywords.has('contains') && comparison.new.keywords.has('contains'))) return;
  const contained = (flat: FlatSchema): JsonObject => pickKeywords(flat, ['contains', 'minContains', 'maxContains']);
  comparison.report({
    ...changedSides(comparison, keyword),
    constraints: isCount ? { old: contained(comparison.old), new: contained(comparison.new) } : keywordConstraints(comparison, keyword),
    rule: `${toKebab(keyword)}-${isRaised ? 'increased' : 'decreased'}`,
    effect,
    text: ({ name }) => describeChange(comparison, `${nounOfBound[keyword] ?? keyword} of ${name}`, keyword),
  });
}

/** The effective bound: the strictest occurrence. */
function strictest(flat: FlatSchema, { keyword, side, absent }: BoundKeyword): JsonNumber {
  const stated = keywordValues(flat, keyword).filter(isNumber);
  return stated.reduce((best, each) => ((side === 'lower' ? each > best : each < best) ? each : best), stated[0] ?? absent);
}

/**
 * The effect of a changed bound together with its twin. With `minimum: 5` in the place of `exclusiveMinimum: 4`, it is none for integers; with `minimum: 4`, the
 * new minimum restricts nothing more. Without a proof, it is both.
 */
function effectWithTwin(comparison: SchemaComparison, { keyword, twin }: BoundKeyword, effect: EditEffect): EditEffect {
  const { old, new: next, flatSchemas } = comparison;
  if (twin === undefined || !(old.keywords.has(twin) || next.keywords.has(twin))) return effect;
  const rangeOf = (flat: FlatSchema): Schema =>
    flatSchemas.combine([
      { type: 'number' },
      ...['type', keyword, twin].flatMap((each) => keywordValues(flat, each).map((value) => ({ [each]: value }))),
    ]);
  return provedEffect(comparison, { old: rangeOf(old), new: rangeOf(next) });
}

function compareMultiples(comparison: SchemaComparison): void {
  const textOf = (flat: FlatSchema): string => keywordValues(flat, 'multipleOf').map(String).toSorted().join();
  if (textOf(comparison.old) === textOf(comparison.new)) return;
  const base = sidesWithConstraints(comparison, 'multipleOf');
  const effect = provedEffect(comparison, base.constraints);
  if (effect === 'none') return;
  const text = ({ name }: EditNames): string => describeChange(comparison, `multipleOf of ${name}`, 'multipleOf');
  comparison.report({ ...base, rule: 'multiple-of-changed', effect, text });
}

/** Sentence on the old and new value of a keyword. `what` is the noun for the keyword. */
function describeChange(
  comparison: SchemaComparison,
  what: string,
  keyword: string,
  print: (value: Json) => string = printJson,
  and = ' and ',
): string {
  const [old, next] = [comparison.old, comparison.new].map((flat) => keywordValues(flat, keyword).map(print).join(and) || undefined);
  return describeValueChange(what, old, next);
}

/** Compares patterns, formats and encodings. */
export function compareStringKeywords(comparison: SchemaComparison): void {
  comparePatterns(comparison);
  compareFormats(comparison);
  for (const keyword of ['contentEncoding', 'contentMediaType']) compareEncoding(comparison, keyword);
}

function isUnchanged(comparison: SchemaComparison, keyword: string): boolean {
  const [old, next] = [comparison.old, comparison.new].map((flat) => printJson(keywordValues(flat, keyword).toSorted()));
  return old === next;
}

/** Verb for the edit of a keyword that may occur several times. */
function verbFor({ old, new: next }: SchemaComparison, keyword: string): ChangeVerb {
  if (keywordValues(old, keyword).length === 0) return 'added';
  return keywordValues(next, keyword).length === 0 ? 'removed' : 'changed';
}

/** A pattern in a sentence, as the file writes it. */
function showPattern(value: Json): string {
  return `/${String(value)}/`;
}

/**
 * Compares patterns. In responses, a pattern that allows all old values and more is only risky, since few clients check it. If the old pattern limits the
 * length and the new one allows longer values, it is as breaking as a larger `maxLength`.
 */
function comparePatterns(comparison: SchemaComparison): void {
  if (isUnchanged(comparison, 'pattern')) return;
  const base = sidesWithConstraints(comparison, 'pattern');
  const effect = provedEffect(comparison, base.constraints);
  const longest = effect === 'wider' ? longestText(comparison, base.constraints.old ?? true) : undefined;
  const isLonger = longest !== undefined && !comparison.includes(base.constraints.new ?? true, { maxLength: longest });
  comparison.report({
    ...base,
    rule: `pattern-${verbFor(comparison, 'pattern')}`,
    effect,
    text: ({ name }) => describeChange(comparison, `the pattern of ${name}`, 'pattern', showPattern),
    ...(isLonger
      ? { reason: `Values may now be longer than ${longest} characters, which clients may not store or parse.` }
      : effect === 'wider'
        ? { levels: { response: 'risky' }, reason: 'Only clients that check the pattern of values notice.' }
        : {}),
  });
}

/** Length up to which a pattern counts as limiting it. */
const lengthMax = 128;

/** Length of the longest text that a pattern allows, by bisection; `undefined` above `lengthMax`. */
function longestText({ includes }: SchemaComparison, pattern: Schema): number | undefined {
  const isWithin = (length: number): boolean => includes({ allOf: [{ type: 'string' }, pattern] }, { maxLength: length });
  if (!isWithin(lengthMax)) return undefined;
  let [low, high] = [0, lengthMax];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isWithin(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compareFormats(comparison: SchemaComparison): void {
  if (isUnchanged(comparison, 'format')) return;
  const [before = [], after = []] = [comparison.old, comparison.new].map((flat) => keywordValues(flat, 'format').map(String));
  comparison.report({
    ...sidesWithConstraints(comparison, 'format'),
    ...rateFormats(before, after),
    rule: `format-${verbFor(comparison, 'format')}`,
    text: ({ name }) => describeChange(comparison, `the format of ${name}`, 'format', String),
  });
}

function compareEncoding(comparison: SchemaComparison, keyword: string): void {
  if (isUnchanged(comparison, keyword)) return;
  comparison.report({
    ...changedSides(comparison, keyword),
    rule: keyword === 'contentEncoding' ? 'content-encoding-changed' : 'content-media-type-changed',
    effect: 'both',
    text: ({ name }) => describeChange(comparison, `${keyword} of ${name}`, keyword, showJson, ','),
    reason: 'Readers decode the string in the wrong way.',
  });
}
