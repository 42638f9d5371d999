/** The assertions that relate the gathered list of a walk to the lists that earlier steps saved; items count by their `id` or `slug`. */
import { type CheckReader, identityOf } from './check.ts';
import { readFlag, required } from './list-place.ts';
import { type Difference, difference, match } from './match.ts';
import { parsePattern } from './pattern.ts';
import { recall, type Saved } from './saved.ts';
import { itemsOf, knownMembersOf, ScenarioError, textOf, yesOf } from './source.ts';
import { show } from './value.ts';

/** `no repetition: yes`: no item is gathered twice. */
export const readNoRepetition: CheckReader = (node) => {
  yesOf(node, 'no repetition');
  return ({ body }) => {
    const identities = asList(body, 'the gathered list').map(identityOf);
    const repeated = [...new Set(identities.filter((identity, index) => identities.indexOf(identity) !== index))];
    return repeated.length === 0 ? [] : [difference('gathered list', 'each item once', `these more than once: ${show(repeated)}`)];
  };
};

/** `same set as: NAME`: the same items, in whatever order. */
export const readSameSetAs: CheckReader = (node) => {
  const name = textOf(node, 'same set as');
  return ({ body }, saved) => compareSets(body, savedList(saved, name), `saved as "${name}"`);
};

/** `union of: [NAME, NAME]`: the items of all the named lists together, and no other. */
export const readUnionOf: CheckReader = (node) => {
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
export const readSelectionOf: CheckReader = (node) => {
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
