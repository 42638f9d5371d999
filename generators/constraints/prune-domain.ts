/**
 * Drops the types and listed values of a domain that have no instances by their bounds alone. Patterns, members and elements are checked when values are drawn.
 */

import { arrayOrEmpty, isArray, isInteger, isNumber, type Json } from '../../core/json.ts';
import { canonicalText, equal } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import { bitOfValue, type Domain, type ObjectDomain, type TypeName, typeBits } from './instance-domain.ts';

/** Removes the types without instances from a domain; `undefined` if the domain is empty. */
export function prune(original: Domain): Domain | undefined {
  const domain = withoutEmpty(original);
  let types = domain.types;
  for (const [name, bit] of Object.entries(typeBits)) {
    if ((types & bit) !== 0 && isImpossible[name as TypeName](domain)) types &= ~bit;
  }
  const values = domain.values?.filter((value) => (types & bitOfValue(value)) !== 0 && isWithinBounds(domain, value));
  if (values !== undefined) types &= values.reduce<number>((bits, value) => bits | bitOfValue(value), 0);
  if (types === 0) return undefined;
  return { ...domain, types, values };
}

/** Raises the minimum to 1 when the empty array or object is excluded. */
function withoutEmpty(domain: Domain): Domain {
  const { excluded, array, object } = domain;
  const minAbove = (min: number, empty: Json): number => (excluded.some((value) => equal(value, empty)) ? Math.max(1, min) : min);
  return excluded.some((value) => typeof value === 'object')
    ? { ...domain, array: { ...array, min: minAbove(array.min, []) }, object: { ...object, min: minAbove(object.min, {}) } }
    : domain;
}

const isImpossible: Readonly<Record<TypeName, (domain: Domain) => boolean>> = {
  null: () => false,
  boolean: () => false,
  number: ({ number: { low, high, integer, fractional, multiples, notMultiples } }) =>
    low.value > high.value ||
    (low.value === high.value && (low.open || high.open)) ||
    (integer && fractional) ||
    haveCommon(multiples, notMultiples),
  string: ({ text }) =>
    text.minLength > text.maxLength || haveCommon(text.formats, text.notFormats) || haveCommon(text.patterns, text.notPatterns),
  array: ({ array }) =>
    array.min > array.max ||
    (array.unique && array.repeated) ||
    array.requirements.some(({ min, max, from }) => min > Math.min(max, array.max - from)),
  object: ({ object }) =>
    object.min > object.max || object.required.length > object.max || object.required.some((name) => hasNoListedValue(object, name)),
};

/** True if the lists of values for a member have nothing in common. So the branches of a tagged union are told apart before their other members are examined. */
function hasNoListedValue({ applicators }: ObjectDomain, name: string): boolean {
  const constraints = applicators.flatMap(({ named }) => named.get(name) ?? []);
  if (constraints.length < 2) return false;
  let values: ReadonlySet<string> | undefined;
  for (const { location, holds } of constraints) {
    const listed = holds ? listedValuesOf(location) : undefined;
    if (listed !== undefined) values = values === undefined ? listed : new Set([...values].filter((each) => listed.has(each)));
  }
  if (values === undefined) return false;
  const excluded = constraints.filter(({ location, holds }) => !holds && Object.keys(location.keywords).join() === 'enum');
  return [...values].every((each) => excluded.some(({ location }) => listedValuesOf(location)?.has(each)));
}

/** The values that a schema lists, as canonical texts; `undefined` if it lists none. The schema `false` accepts none. */
function listedValuesOf(location: LocatedSchema): ReadonlySet<string> | undefined {
  if (location.schema === false) return noTexts;
  const { const: constant, enum: listed } = location.keywords;
  if (constant === undefined && !isArray(listed)) return undefined;
  return getOrCompute(
    listedTexts,
    location,
    () => new Set((constant === undefined ? arrayOrEmpty(listed) : [constant]).map(canonicalText)),
  );
}

const noTexts: ReadonlySet<string> = new Set();
const listedTexts = new WeakMap<LocatedSchema, ReadonlySet<string>>();

function haveCommon<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length > 0 && right.length > 0 && left.some((each) => right.includes(each));
}

/** Checks a listed value against bounds and lengths. The inside of arrays and objects is checked when the value is drawn. */
function isWithinBounds({ number, text, excluded }: Domain, value: Json): boolean {
  if (isNumber(value)) {
    const { low, high, integer, fractional } = number;
    const isWithin = low.open ? value > low.value : value >= low.value;
    return isWithin && (high.open ? value < high.value : value <= high.value) && !(isInteger(value) ? fractional : integer);
  }
  if (excluded.includes(value)) return false;
  if (typeof value !== 'string') return true;
  const length = [...value].length;
  return length >= text.minLength && length <= text.maxLength;
}
