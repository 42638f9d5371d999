/** Reads what a scenario expects of a value: literals, maps of which only the named members count, and the tagged forms. */
import { membersOf, type ScalarNode, ScenarioError, type SourceNode, textOf } from './source.ts';
import { KINDS } from './value.ts';

/** An expectation of one value. */
export type Pattern =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, Pattern> }
  | { readonly kind: 'list'; readonly items: readonly Pattern[] }
  | { readonly kind: 'any'; readonly names: readonly string[] }
  | { readonly kind: 'present' }
  | { readonly kind: 'one-of'; readonly choices: readonly Pattern[] }
  | { readonly kind: 'like'; readonly expression: RegExp }
  | { readonly kind: 'at-least' | 'at-most' | 'not'; readonly operand: Operand }
  | { readonly kind: 'saved'; readonly reference: string }
  | { readonly kind: 'includes'; readonly reference: string };

/** A value that JSON writes in one word. */
export type Literal = string | number | boolean | null;

/** What a comparison compares with: a literal, or a value saved by an earlier step. */
export type Operand = { readonly literal: Literal } | { readonly reference: string };

/** Turns a node of a scenario into a pattern. */
export const parsePattern = (node: SourceNode): Pattern => {
  if (node.tag !== '') return parseTagged(node);
  if (node.kind === 'scalar') return { kind: 'literal', value: node.value };
  if (node.kind === 'list') return { kind: 'list', items: node.items.map(parsePattern) };
  const members = [...membersOf(node, 'an expectation')].map(([name, member]) => [name, parsePattern(member)] as const);
  if (members.length === 0) throw new ScenarioError(`${node.where}: {} expects nothing; write !any object`);
  return { kind: 'members', members: new Map(members) };
};

/** A pattern in words, as a failing step prints it. */
export const describe = (pattern: Pattern): string => {
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

type TagReader = (node: SourceNode) => Pattern;

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

const parseTagged = (node: SourceNode): Pattern => {
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

const parseChoices = (node: SourceNode): readonly Pattern[] => {
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
