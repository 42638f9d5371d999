/** The assertions about the items of a list inside an answer, or of the list that a walk gathered. */
import type { CheckReader } from './check.ts';
import { listAt, noList, readAt, readFlag, required } from './list-place.ts';
import { difference, match } from './match.ts';
import { describe, parsePattern } from './pattern.ts';
import { knownMembersOf } from './source.ts';

/** `each: { at, has, may be empty }`: every item matches a pattern; an empty list proves nothing and fails unless allowed. */
export const readEach: CheckReader = (node) => {
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
export const readSome: CheckReader = (node) => {
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
export const readCount: CheckReader = (node) => {
  const members = knownMembersOf(node, 'count', ['at', 'is']);
  const place = readAt(members);
  const pattern = parsePattern(required(members, 'is', node));
  return (outcome, saved) => {
    const list = listAt(outcome, place);
    return list === undefined ? [noList(outcome, place)] : match(pattern, list.length, `number of items in ${place}`, saved);
  };
};
