/** Rules for keywords that name the values themselves: `type`, `enum` and `const`. */

import type { Json } from '../../core/json.ts';
import { demandsOf, effectOf, show, sides, type Two } from './schema-edit.ts';
import type { View } from './schema-view.ts';

const allTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The types that a schema allows, `number` standing for its integers too; `undefined` when it names none. */
export function typesOf(view: View): ReadonlySet<string> | undefined {
  const stated = view.keywords.get('type');
  if (stated === undefined) return undefined;
  const lists = stated.map(({ value }) => widen((Array.isArray(value) ? value : [value]).map(String)));
  return new Set(allTypes.filter((type) => lists.every((list) => list.has(type))));
}

function widen(types: readonly string[]): ReadonlySet<string> {
  return new Set(types.includes('number') ? [...types, 'integer'] : types);
}

/** Compares the types. Gives whether a value can be of the same type on both sides, so that other keywords are worth comparing. */
export function compareTypes(two: Two): boolean {
  const [old, next] = [listedIn(two.old), listedIn(two.new)];
  // Where values are listed, the list tells more than the type, and where nothing else is said it tells everything.
  if (old !== undefined && (next !== undefined || !two.new.keywords.has('type'))) return true;
  if (next !== undefined && !two.old.keywords.has('type')) return true;
  const [before, after] = [possibleTypes(two.old), possibleTypes(two.new)];
  const gone = [...before].filter((type) => !after.has(type));
  const added = [...after].filter((type) => !before.has(type));
  const shared = [...before].filter((type) => after.has(type) && type !== 'null');
  if (gone.length + added.length === 0) return true;
  const base = { ...sides(two, 'type'), subject: 'type', demands: demandsOf(two, 'type') };
  if (gone.join() === 'null' && added.length === 0)
    two.report({ ...base, rule: 'became-not-nullable', effect: 'narrower', text: 'null is no longer allowed' });
  else if (added.join() === 'null' && gone.length === 0)
    two.report({ ...base, rule: 'became-nullable', effect: 'wider', text: 'null is now allowed' });
  else
    two.report({
      ...base,
      rule: 'type-changed',
      effect: effectOf(gone.length > 0, added.length > 0),
      text: `the type changed from ${tell(two.old)} to ${tell(two.new)}`,
    });
  return shared.length > 0;
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

function tell(view: View): string {
  const types = typesOf(view);
  if (types === undefined) return 'any';
  const named = [...types].filter((type) => type !== 'integer' || !types.has('number'));
  return named.length === 0 ? 'none' : named.join(' or ');
}

/** The values that `enum` and `const` list, as far as the type lets them be; `undefined` when there is no list. */
function listedIn(view: View): ReadonlyMap<string, Json> | undefined {
  const lists = [
    ...(view.keywords.get('enum') ?? []).map(({ value }) => (Array.isArray(value) ? (value as readonly Json[]) : [])),
    ...(view.keywords.get('const') ?? []).map(({ value }) => [value]),
  ].map((values) => new Map(values.map((value) => [JSON.stringify(value), value])));
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const types = typesOf(view);
  const isPossible = (value: Json): boolean => types === undefined || types.has(typeOfValue(value));
  return new Map([...first].filter(([key, value]) => isPossible(value) && others.every((other) => other.has(key))));
}

type Listed = ReadonlyMap<string, Json>;

/** Compares the listed values, one edit for each. */
export function compareListed(two: Two): void {
  const [old, next] = [listedIn(two.old), listedIn(two.new)];
  if (old === undefined && next === undefined) return;
  const isConstant = !two.old.keywords.has('enum') && !two.new.keywords.has('enum');
  if (old === undefined || next === undefined) compareLimits(two, isConstant, old, next);
  else if (isConstant) compareConstants(two, old, next);
  else compareValues(two, old, next);
}

function compareLimits(two: Two, isConstant: boolean, old: Listed | undefined, next: Listed | undefined): void {
  const keyword = isConstant ? 'const' : 'enum';
  const isLimited = next !== undefined;
  two.report({
    ...sides(two, keyword),
    subject: keyword,
    demands: demandsOf(two, keyword),
    rule: isLimited ? (isConstant ? 'const-added' : 'became-enum') : isConstant ? 'const-removed' : 'enum-removed',
    effect: isLimited ? 'narrower' : 'wider',
    text: isLimited
      ? `only ${tellValues(next)} ${next.size === 1 ? 'is' : 'are'} allowed now`
      : `the values are no longer limited to ${tellValues(old)}`,
  });
}

function compareConstants(two: Two, old: Listed, next: Listed): void {
  if ([...old.keys()].join() === [...next.keys()].join()) return;
  two.report({
    ...sides(two, 'const'),
    subject: 'const',
    demands: demandsOf(two, 'const'),
    rule: 'const-changed',
    effect: 'both',
    text: `the only value is ${tellValues(next)} now, and no longer ${tellValues(old)}`,
  });
}

function compareValues(two: Two, old: Listed, next: Listed): void {
  const base = sides(two, 'enum');
  const missing = (list: Listed, other: Listed): readonly (readonly [string, Json])[] => [...list].filter(([key]) => !other.has(key));
  for (const [key, value] of missing(old, next))
    two.report({
      before: { value, place: base.before.place },
      after: { value: undefined, place: base.after.place },
      rule: value === null ? 'became-not-nullable' : 'enum-value-removed',
      effect: 'narrower',
      subject: key,
      text: value === null ? 'null is no longer allowed' : `the value ${show(value)} is gone`,
      demands: { new: { not: { const: value } } },
    });
  for (const [key, value] of missing(next, old))
    two.report({
      before: { value: undefined, place: base.before.place },
      after: { value, place: base.after.place },
      rule: value === null ? 'became-nullable' : 'enum-value-added',
      effect: 'wider',
      subject: key,
      text: value === null ? 'null is now allowed' : `the value ${show(value)} is new`,
      demands: { old: { not: { const: value } } },
    });
}

function tellValues(values: ReadonlyMap<string, Json> | undefined): string {
  return [...(values?.values() ?? [])].map(show).join(', ');
}
