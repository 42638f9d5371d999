/** The assertions of a step: about one answer, its lists, or the gathered list of a pagination. A step without any is an error. */

import { type Difference, describe, difference, match, parsePattern } from './expected-pattern.ts';
import { itemsOf, knownMembersOf, type MapNode, membersOf, ScenarioError, type SourceNode, textOf, yesOf } from './scenario-source.ts';
import {
  compareValues,
  type OutcomePlace,
  parsePlace,
  readPlace,
  readPointer,
  recall,
  recordOf,
  type Saved,
  type StepOutcome,
  show,
} from './scenario-values.ts';

/** An assertion, ready to judge; it answers with everything that is not as expected. */
export type Assertion = (outcome: StepOutcome, saved: Saved) => readonly Difference[];

/** Reads one key of `expect`. */
type AssertionReader = (node: SourceNode) => Assertion;

/** Identity of an item of a list: its `id`, or its `slug`. */
const identityOf = (item: unknown): string | number => {
  const identity = readPointer(item, '/id') ?? readPointer(item, '/slug');
  if (typeof identity === 'string' || typeof identity === 'number') return identity;
  throw new Error('an item has neither an "id" nor a "slug", so it cannot be told from others');
};

/** The keys of an assertion, by name. */
type AssertionKeys = MapNode['members'];

/** The list an assertion looks at: the place named by `at`, or the whole body. */
const readAt = (members: AssertionKeys): OutcomePlace => {
  const at = members.get('at');
  return at === undefined ? 'body' : parsePlace(textOf(at, 'at'), at.where);
};

/** A key that an assertion cannot do without. */
const required = (members: AssertionKeys, key: string, node: SourceNode): SourceNode => {
  const member = members.get(key);
  if (member === undefined) throw new ScenarioError(`${node.where}: the key "${key}" is missing`);
  return member;
};

/** A switch that is off unless it says `yes`. */
const readFlag = (members: AssertionKeys, key: string): boolean => {
  const member = members.get(key);
  return member !== undefined && yesOf(member, key);
};

/** The list at a place, or undefined when something else is there. */
const listAt = (outcome: StepOutcome, place: OutcomePlace): readonly unknown[] | undefined => {
  const value = readPlace(outcome, place);
  return Array.isArray(value) ? value : undefined;
};

/** The difference to report when there is no list. */
const noList = (outcome: StepOutcome, place: OutcomePlace): Difference => difference(place, 'a list', show(readPlace(outcome, place)));

/** `status: 422`, `status: 4xx` or a pattern such as `!one-of [401, 403, 404]`. */
const readStatus: AssertionReader = (node) => {
  const family = /^([1-5])xx$/.exec(node.kind === 'scalar' && node.tag === '' ? textOf(node, 'status') : '')?.[1];
  if (family === undefined) {
    const pattern = parsePattern(node);
    return ({ answer }, saved) => match(pattern, answer?.status, 'status', saved);
  }
  return ({ answer }) => (String(answer?.status).startsWith(family) ? [] : [difference('status', `${family}xx`, show(answer?.status))]);
};

/** `headers:` a map of header names to patterns; names in any case. */
const readHeaders: AssertionReader = (node) => {
  const patterns = [...membersOf(node, 'headers')].map(([name, member]) => [name.toLowerCase(), parsePattern(member)] as const);
  if (patterns.length === 0) throw new ScenarioError(`${node.where}: headers expects nothing`);
  return ({ answer }, saved) => patterns.flatMap(([name, pattern]) => match(pattern, answer?.headers[name], `header ${name}`, saved));
};

/** `body:` a pattern for the parsed body, or for the gathered list of a pagination. */
const readBody: AssertionReader = (node) => {
  const pattern = parsePattern(node);
  return ({ body }, saved) => match(pattern, body, '', saved);
};

/** `record:` a pattern for the record of a single read, wherever the body carries it. */
const readRecord: AssertionReader = (node) => {
  const pattern = parsePattern(node);
  return ({ body }, saved) => match(pattern, recordOf(body), 'record ', saved);
};

/** `empty body: yes`: not a single byte. */
const readEmptyBody: AssertionReader = (node) => {
  yesOf(node, 'empty body');
  return ({ answer }) => (answer?.raw.length === 0 ? [] : [difference('body', 'no byte at all', `${answer?.raw.length ?? 0} bytes`)]);
};

/** `echoes no key: yes`: the key that went out is nowhere in the headers or the body, as it is or encoded. */
const readEchoesNoKey: AssertionReader = (node) => {
  yesOf(node, 'echoes no key');
  return ({ answer, sentKeys }) => {
    if (sentKeys.length === 0) throw new Error('"echoes no key" needs a step that sends a key');
    const said = `${JSON.stringify(answer?.headers ?? {})}\n${answer?.text ?? ''}`;
    return sentKeys.some((key) => spellingsOf(key).some((spelling) => said.includes(spelling)))
      ? [difference('answer', 'no trace of the key', 'the key, in its headers or its body')]
      : [];
  };
};

/** The ways in which an answer could spell a key. */
export const spellingsOf = (key: string): readonly string[] => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  Buffer.from(key).toString('base64').replace(/=+$/, ''),
  Buffer.from(key).toString('base64url'),
];

/** `each: { at, has, may be empty }`: every item matches a pattern; an empty list proves nothing and fails unless allowed. */
const readEach: AssertionReader = (node) => {
  const members = knownMembersOf(node, 'each', ['at', 'has', 'may be empty']);
  const place = readAt(members);
  const pattern = parsePattern(required(members, 'has', node));
  const emptyAllowed = readFlag(members, 'may be empty');
  return (outcome, saved) => {
    const list = listAt(outcome, place);
    if (list === undefined) return [noList(outcome, place)];
    if (list.length === 0 && !emptyAllowed) return [difference(place, 'at least one item to look at', 'an empty list')];
    return list.flatMap((item, index) => match(pattern, item, `${place === 'body' ? '' : place}/${index}`, saved));
  };
};

/** `some: { at, has }`: at least one item matches a pattern. */
const readSome: AssertionReader = (node) => {
  const members = knownMembersOf(node, 'some', ['at', 'has']);
  const place = readAt(members);
  const pattern = parsePattern(required(members, 'has', node));
  return (outcome, saved) => {
    const list = listAt(outcome, place);
    if (list === undefined) return [noList(outcome, place)];
    const found = list.some((item) => match(pattern, item, '', saved).length === 0);
    return found ? [] : [difference(place, `at least one item with ${describe(pattern)}`, `none among ${list.length}`)];
  };
};

/** `count: { at, is }`: how long a list is. */
const readCount: AssertionReader = (node) => {
  const members = knownMembersOf(node, 'count', ['at', 'is']);
  const place = readAt(members);
  const pattern = parsePattern(required(members, 'is', node));
  return (outcome, saved) => {
    const list = listAt(outcome, place);
    return list === undefined ? [noList(outcome, place)] : match(pattern, list.length, `number of items in ${place}`, saved);
  };
};

/** `no repetition: yes`: no item is gathered twice. */
const readNoRepetition: AssertionReader = (node) => {
  yesOf(node, 'no repetition');
  return ({ body }) => {
    const identities = asList(body, 'the gathered list').map(identityOf);
    const repeated = [...new Set(identities.filter((identity, index) => identities.indexOf(identity) !== index))];
    return repeated.length === 0 ? [] : [difference('gathered list', 'each item once', `these more than once: ${show(repeated)}`)];
  };
};

/** `same set as: NAME`: the same items, in whatever order. */
const readSameSetAs: AssertionReader = (node) => {
  const name = textOf(node, 'same set as');
  return ({ body }, saved) => compareSets(body, savedList(saved, name), `saved as "${name}"`);
};

/** `union of: [NAME, NAME]`: the items of all the named lists together, and no other. */
const readUnionOf: AssertionReader = (node) => {
  const names = itemsOf(node, 'union of').map((item) => textOf(item, 'a name in "union of"'));
  if (names.length === 0) throw new ScenarioError(`${node.where}: "union of" names no list`);
  return ({ body }, saved) =>
    compareSets(
      body,
      names.flatMap((name) => savedList(saved, name)),
      `the union of ${names.join(', ')}`,
    );
};

/** `selection of: { from, where, may be empty }`: exactly those items of a saved list that match a pattern. */
const readSelectionOf: AssertionReader = (node) => {
  const members = knownMembersOf(node, 'selection of', ['from', 'where', 'may be empty']);
  const name = textOf(required(members, 'from', node), 'from');
  const pattern = parsePattern(required(members, 'where', node));
  const emptyAllowed = readFlag(members, 'may be empty');
  return ({ body }, saved) => {
    const selected = savedList(saved, name).filter((item) => match(pattern, item, '', saved).length === 0);
    if (selected.length === 0 && !emptyAllowed) return [difference(`the matching items of "${name}"`, 'at least one', 'none')];
    return compareSets(body, selected, `the matching items of "${name}"`);
  };
};

const compareSets = (actual: unknown, expected: readonly unknown[], meaning: string): readonly Difference[] => {
  const came = new Set(asList(actual, 'the gathered list').map(identityOf));
  const wanted = new Set(expected.map(identityOf));
  const missing = [...wanted].filter((identity) => !came.has(identity));
  const surplus = [...came].filter((identity) => !wanted.has(identity));
  if (missing.length === 0 && surplus.length === 0) return [];
  const actualText = `${came.size}; missing: ${show(missing.slice(0, 10))}, too many: ${show(surplus.slice(0, 10))}`;
  return [difference('gathered list', `the ${wanted.size} items ${meaning}`, actualText)];
};

const savedList = (saved: Saved, name: string): readonly unknown[] => asList(recall(saved, name), `"${name}"`);

const asList = (value: unknown, what: string): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  throw new Error(`${what} is no list but ${show(value)}`);
};

/** `sorted: { at, by, with ties }`: neighbours are in order; an `either` direction must be the same throughout. */
const readSorted: AssertionReader = (node) => {
  const members = knownMembersOf(node, 'sorted', ['at', 'by', 'with ties']);
  const place = readAt(members);
  const order = itemsOf(required(members, 'by', node), 'by').map(readSortKey);
  if (order.length === 0) throw new ScenarioError(`${node.where}: "by" names no field`);
  const tiesRequired = readFlag(members, 'with ties');
  return (outcome) => {
    const list = listAt(outcome, place);
    if (list === undefined) return [noList(outcome, place)];
    if (list.length < 2) return [difference(place, 'at least two items, to see an order', `${list.length}`)];
    return [...bestReading(list, order), ...(tiesRequired ? missingTies(list, order) : [])];
  };
};

interface SortKey {
  readonly field: string;
  readonly directions: readonly (1 | -1)[];
}

const DIRECTIONS: Readonly<Record<string, readonly (1 | -1)[]>> = { ascending: [1], descending: [-1], either: [1, -1] };

const readSortKey = (node: SourceNode): SortKey => {
  const members = knownMembersOf(node, 'by', ['field', 'direction']);
  const direction = textOf(required(members, 'direction', node), 'direction');
  const directions = Object.hasOwn(DIRECTIONS, direction) ? DIRECTIONS[direction] : undefined;
  if (directions === undefined)
    throw new ScenarioError(`${node.where}: direction "${direction}" is none of: ${Object.keys(DIRECTIONS).join(', ')}`);
  return { field: textOf(required(members, 'field', node), 'field'), directions };
};

// The first key may allow both directions: the reading with the fewest misplaced neighbours is the one to report.
const bestReading = (list: readonly unknown[], order: readonly SortKey[]): readonly Difference[] => {
  const readings = order.reduce<readonly (readonly (1 | -1)[])[]>(
    (signs, key) => signs.flatMap((sign) => key.directions.map((direction) => [...sign, direction])),
    [[]],
  );
  return readings.map((signs) => misplaced(list, order, signs)).reduce((best, other) => (other.length < best.length ? other : best));
};

const misplaced = (list: readonly unknown[], order: readonly SortKey[], signs: readonly (1 | -1)[]): readonly Difference[] =>
  list.slice(1).flatMap((item, index) => {
    const first = sortKeyOf(list[index], order);
    const second = sortKeyOf(item, order);
    const verdict = signs.map((sign, key) => (compareValues(first[key], second[key]) ?? Number.NaN) * sign).find((sign) => sign !== 0) ?? 0;
    return verdict <= 0 ? [] : [difference(`/${index + 1}`, `an item that may follow ${show(first)}`, show(second))];
  });

const sortKeyOf = (item: unknown, order: readonly SortKey[]): readonly unknown[] => order.map(({ field }) => readPointer(item, field));

const missingTies = (list: readonly unknown[], order: readonly SortKey[]): readonly Difference[] => {
  const tied = list.some(
    (item, index) => index > 0 && compareValues(sortKeyOf(item, order)[0], sortKeyOf(list[index - 1], order)[0]) === 0,
  );
  return tied ? [] : [difference('list', `two neighbours with the same ${order[0]?.field ?? 'value'}, to see how ties are broken`, 'none')];
};

type Readers = Readonly<Record<string, AssertionReader>>;

const LIST_READERS: Readers = { each: readEach, some: readSome, count: readCount, sorted: readSorted };

/** The assertions about a single answer. */
export const ANSWER_READERS: Readers = {
  status: readStatus,
  headers: readHeaders,
  body: readBody,
  record: readRecord,
  'empty body': readEmptyBody,
  'echoes no key': readEchoesNoKey,
  ...LIST_READERS,
};

/** The assertions about the list that a pagination gathered. */
export const PAGINATION_READERS: Readers = {
  ...LIST_READERS,
  'no repetition': readNoRepetition,
  'same set as': readSameSetAs,
  'union of': readUnionOf,
  'selection of': readSelectionOf,
};

/** Reads the `expect` of a step. */
export const parseExpectation = (node: SourceNode | undefined, step: SourceNode, readers: Readers): readonly Assertion[] => {
  const members = node === undefined ? new Map<string, SourceNode>() : knownMembersOf(node, 'expect', Object.keys(readers));
  const checks = [...members].flatMap(([key, member]) => readers[key]?.(member) ?? []);
  if (checks.length === 0)
    throw new ScenarioError(`${step.where}: a step that asserts nothing; give it an "expect" with at least a status`);
  return checks;
};
