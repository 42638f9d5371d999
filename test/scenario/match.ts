/** Compares a value with a pattern and tells every difference with its place, the expected and the actual. */
import { describe, type Operand, type Pattern } from './pattern.ts';
import { recall, type Saved } from './saved.ts';
import { compareValues, isObject, type JsonObject, KINDS, sameValue, show } from './value.ts';

/** One thing that is not as expected, in words. */
export type Difference = string;

/** The differences between a value and a pattern; none when it matches. An absent value is undefined. */
export const match = (pattern: Pattern, value: unknown, at: string, saved: Saved): readonly Difference[] => {
  if (pattern.kind === 'members') return matchMembers(pattern.members, value, at, saved);
  if (pattern.kind === 'list') return matchList(pattern.items, value, at, saved);
  if (pattern.kind === 'includes') return compareWith(recall(saved, pattern.reference), value, at, 'more is free');
  if (pattern.kind === 'saved') return compareWith(recall(saved, pattern.reference), value, at, 'nothing else');
  return fits(pattern, value, at, saved) ? [] : [difference(at, expectedText(pattern, at, saved), show(value, at))];
};

/** The sentence that tells a difference. */
export const difference = (at: string, expected: string, actual: string): Difference =>
  `${at || 'body'}: expected ${expected}, but came ${actual}`;

type Leaf = Exclude<Pattern, { readonly kind: 'members' | 'list' | 'includes' | 'saved' }>;

const fits = (pattern: Leaf, value: unknown, at: string, saved: Saved): boolean => {
  if (pattern.kind === 'literal') return value === pattern.value;
  if (pattern.kind === 'any') return pattern.names.some((name) => KINDS[name]?.(value) === true);
  if (pattern.kind === 'present') return value !== undefined;
  if (pattern.kind === 'one-of') return pattern.choices.some((choice) => match(choice, value, at, saved).length === 0);
  if (pattern.kind === 'like') return typeof value === 'string' && pattern.expression.test(value);
  return compares(pattern.kind, value, operandOf(pattern.operand, saved));
};

const compares = (kind: 'at-least' | 'at-most' | 'not', value: unknown, operand: unknown): boolean => {
  // A value that is not there differs from everything, but saying so would pass on any broken answer.
  if (kind === 'not') return value !== undefined && !sameValue(value, operand);
  const order = compareValues(value, operand);
  return order !== undefined && (kind === 'at-least' ? order >= 0 : order <= 0);
};

const operandOf = (operand: Operand, saved: Saved): unknown => ('literal' in operand ? operand.literal : recall(saved, operand.reference));

const expectedText = (pattern: Leaf, at: string, saved: Saved): string => {
  if ('operand' in pattern) return `${pattern.kind.replace('-', ' ')} ${show(operandOf(pattern.operand, saved), at)}`;
  return describe(pattern);
};

const matchMembers = (members: ReadonlyMap<string, Pattern>, value: unknown, at: string, saved: Saved): readonly Difference[] => {
  if (!isObject(value)) return [difference(at, `an object with ${[...members.keys()].join(', ')}`, show(value, at))];
  return [...members].flatMap(([name, member]) => match(member, own(value, name), `${at}/${name}`, saved));
};

const matchList = (items: readonly Pattern[], value: unknown, at: string, saved: Saved): readonly Difference[] => {
  if (!Array.isArray(value)) return [difference(at, `a list of ${items.length}`, show(value, at))];
  if (value.length !== items.length) return [difference(at, `a list of ${items.length}`, `a list of ${value.length}`)];
  return items.flatMap((item, index) => match(item, value[index], `${at}/${index}`, saved));
};

// Compares with a saved value member by member, so that the difference of two large bodies is told where it is.
const compareWith = (saved: unknown, value: unknown, at: string, surplus: 'more is free' | 'nothing else'): readonly Difference[] => {
  if (isObject(saved) && isObject(value)) {
    const names = new Set([...Object.keys(saved), ...(surplus === 'nothing else' ? Object.keys(value) : [])]);
    return [...names].flatMap((name) => compareWith(own(saved, name), own(value, name), `${at}/${name}`, surplus));
  }
  if (Array.isArray(saved) && Array.isArray(value) && saved.length === value.length) {
    return saved.flatMap((item, index) => compareWith(item, value[index], `${at}/${index}`, 'nothing else'));
  }
  return sameValue(saved, value) ? [] : [difference(at, `${show(saved, at)}, as saved`, show(value, at))];
};

const own = (value: JsonObject, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
