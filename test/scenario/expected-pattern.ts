/** Patterns that a scenario states for a value: literals, maps of which only the named members count, and tagged forms. */

import { membersOf, type ScalarNode, ScenarioError, type SourceNode, textOf } from './scenario-source.ts';
import { compareValues, isObject, KINDS, type ObjectValue, recall, type Saved, sameValue, show } from './scenario-values.ts';

/** An expectation of one value. */
type ExpectedPattern =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, ExpectedPattern> }
  | { readonly kind: 'list'; readonly items: readonly ExpectedPattern[] }
  | { readonly kind: 'any'; readonly names: readonly string[] }
  | { readonly kind: 'present' }
  | { readonly kind: 'one-of'; readonly choices: readonly ExpectedPattern[] }
  | { readonly kind: 'like'; readonly expression: RegExp }
  | { readonly kind: 'at-least' | 'at-most' | 'not'; readonly operand: Operand }
  | { readonly kind: 'saved'; readonly reference: string }
  | { readonly kind: 'includes'; readonly reference: string };

/** A value that JSON writes in one word. */
type Literal = string | number | boolean | null;

/** Expected side of a comparison: a literal, or a value saved by an earlier step. */
type Operand = { readonly literal: Literal } | { readonly reference: string };

/** Turns a node of a scenario into a pattern. */
export const parsePattern = (node: SourceNode): ExpectedPattern => {
  if (node.tag !== '') return parseTagged(node);
  if (node.kind === 'scalar') return { kind: 'literal', value: node.value };
  if (node.kind === 'list') return { kind: 'list', items: node.items.map(parsePattern) };
  const members = [...membersOf(node, 'an expectation')].map(([name, member]) => [name, parsePattern(member)] as const);
  if (members.length === 0) throw new ScenarioError(`${node.where}: {} expects nothing; write !any object`);
  return { kind: 'members', members: new Map(members) };
};

/** A pattern in words, as a failing step prints it. */
export const describe = (pattern: ExpectedPattern): string => {
  if (pattern.kind === 'literal') return JSON.stringify(pattern.value);
  if (pattern.kind === 'any') return `any ${pattern.names.join(' or ')}`;
  if (pattern.kind === 'one-of') return `one of: ${pattern.choices.map(describe).join(', ')}`;
  if (pattern.kind === 'like') return `a text like ${String(pattern.expression)}`;
  if (pattern.kind === 'saved' || pattern.kind === 'includes') return `${pattern.kind} ${pattern.reference}`;
  if (pattern.kind === 'at-least' || pattern.kind === 'at-most' || pattern.kind === 'not')
    return `${pattern.kind} ${describeOperand(pattern.operand)}`;
  if (pattern.kind === 'members') return `{ ${[...pattern.members].map(([name, member]) => `${name}: ${describe(member)}`).join(', ')} }`;
  return pattern.kind === 'list' ? `[${pattern.items.map(describe).join(', ')}]` : 'present';
};

const describeOperand = (operand: Operand): string =>
  'literal' in operand ? JSON.stringify(operand.literal) : `saved ${operand.reference}`;

type TagReader = (node: SourceNode) => ExpectedPattern;

const TAGS: Readonly<Record<string, TagReader>> = {
  any: (node) => ({ kind: 'any', names: parseKinds(node) }),
  absent: (node) => ({ kind: 'any', names: [bare(node, 'absent')] }),
  present: (node) => ({ kind: bare(node, 'present') }),
  'one-of': (node) => ({ kind: 'one-of', choices: parseChoices(node) }),
  like: (node) => ({ kind: 'like', expression: parseExpression(node) }),
  'at-least': (node) => ({ kind: 'at-least', operand: parseOperand(node) }),
  'at-most': (node) => ({ kind: 'at-most', operand: parseOperand(node) }),
  not: (node) => ({ kind: 'not', operand: parseOperand(node) }),
  saved: (node) => ({ kind: 'saved', reference: textOf(node, '!saved') }),
  includes: (node) => ({ kind: 'includes', reference: textOf(node, '!includes') }),
};

/** The names of all tags. */
export const TAG_NAMES: readonly string[] = Object.keys(TAGS);

const parseTagged = (node: SourceNode): ExpectedPattern => {
  const reader = Object.hasOwn(TAGS, node.tag) ? TAGS[node.tag] : undefined;
  if (reader !== undefined) return reader(node);
  throw new ScenarioError(`${node.where}: unknown tag !${node.tag}; known are: ${TAG_NAMES.map((name) => `!${name}`).join(', ')}`);
};

const parseKinds = (node: SourceNode): readonly string[] => {
  const names = textOf(node, '!any').split(' or ');
  const unknown = names.find((name) => !Object.hasOwn(KINDS, name));
  if (unknown === undefined) return names;
  throw new ScenarioError(`${node.where}: !any does not know "${unknown}"; it knows: ${Object.keys(KINDS).join(', ')}`);
};

const bare = <Name extends string>(node: SourceNode, name: Name): Name => {
  if (node.kind === 'scalar' && (node.value === null || node.value === '')) return name;
  throw new ScenarioError(`${node.where}: nothing may follow !${name}`);
};

const parseChoices = (node: SourceNode): readonly ExpectedPattern[] => {
  if (node.kind !== 'list' || node.items.length === 0) throw new ScenarioError(`${node.where}: !one-of needs a list of choices`);
  return node.items.map(parsePattern);
};

const parseExpression = (node: SourceNode): RegExp => {
  const [, source, flags] = /^\/(.+)\/([iu]*)$/.exec(textOf(node, '!like')) ?? [];
  if (source === undefined) throw new ScenarioError(`${node.where}: !like needs an expression between slashes, such as /^application/`);
  return new RegExp(source, flags);
};

// A tagged scalar is always read as text, so the numbers and words of JSON are recognised here.
const parseOperand = (node: SourceNode): Operand => {
  const text = textOf(node, `!${node.tag}`);
  if (text.startsWith('saved ')) return { reference: text.slice('saved '.length) };
  return { literal: isJsonWord(text) ? (JSON.parse(text) as ScalarNode['value']) : text };
};

const isJsonWord = (text: string): boolean => /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(text);

/** One thing that is not as expected, in words. */
export type Difference = string;

/** The differences between a value and a pattern; none when it matches. An absent value is undefined. */
export const match = (pattern: ExpectedPattern, value: unknown, at: string, saved: Saved): readonly Difference[] => {
  if (pattern.kind === 'members') return matchMembers(pattern.members, value, at, saved);
  if (pattern.kind === 'list') return matchList(pattern.items, value, at, saved);
  if (pattern.kind === 'includes') return compareWith(recall(saved, pattern.reference), value, at, 'more is free');
  if (pattern.kind === 'saved') return compareWith(recall(saved, pattern.reference), value, at, 'nothing else');
  return fits(pattern, value, at, saved) ? [] : [difference(at, expectedText(pattern, at, saved), show(value, at))];
};

/** The sentence that tells a difference. */
export const difference = (at: string, expected: string, actual: string): Difference =>
  `${at || 'body'}: expected ${expected}, but came ${actual}`;

type Leaf = Exclude<ExpectedPattern, { readonly kind: 'members' | 'list' | 'includes' | 'saved' }>;

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

const matchMembers = (members: ReadonlyMap<string, ExpectedPattern>, value: unknown, at: string, saved: Saved): readonly Difference[] => {
  if (!isObject(value)) return [difference(at, `an object with ${[...members.keys()].join(', ')}`, show(value, at))];
  return [...members].flatMap(([name, member]) => match(member, own(value, name), `${at}/${name}`, saved));
};

const matchList = (items: readonly ExpectedPattern[], value: unknown, at: string, saved: Saved): readonly Difference[] => {
  if (!Array.isArray(value)) return [difference(at, `a list of ${items.length}`, show(value, at))];
  if (value.length !== items.length) return [difference(at, `a list of ${items.length}`, `a list of ${value.length}`)];
  return items.flatMap((item, index) => match(item, value[index], `${at}/${index}`, saved));
};

// Compares with a saved value member by member, so that the difference of two large bodies is reported where it is.
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

const own = (value: ObjectValue, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
