/** What the assertions about lists have in common: which list is meant, and what to say when there is none. */
import { type Difference, difference } from './match.ts';
import { type Outcome, type OutcomePlace, parsePlace, readPlace } from './place.ts';
import { type MapNode, ScenarioError, type SourceNode, textOf, yesOf } from './source.ts';
import { show } from './value.ts';

/** The keys of an assertion, by name. */
export type Members = MapNode['members'];

/** The list an assertion looks at: the place named by `at`, or the whole body. */
export const readAt = (members: Members): OutcomePlace => {
  const at = members.get('at');
  return at === undefined ? 'body' : parsePlace(textOf(at, 'at'), at.where);
};

/** A key that an assertion cannot do without. */
export const required = (members: Members, key: string, node: SourceNode): SourceNode => {
  const member = members.get(key);
  if (member === undefined) throw new ScenarioError(`${node.where}: the key "${key}" is missing`);
  return member;
};

/** A switch that is off unless it says `yes`. */
export const readFlag = (members: Members, key: string): boolean => {
  const member = members.get(key);
  return member !== undefined && yesOf(member, key);
};

/** The list at a place, or undefined when something else is there. */
export const listAt = (outcome: Outcome, place: OutcomePlace): readonly unknown[] | undefined => {
  const value = readPlace(outcome, place);
  return Array.isArray(value) ? value : undefined;
};

/** The difference to report when there is no list. */
export const noList = (outcome: Outcome, place: OutcomePlace): Difference => difference(place, 'a list', show(readPlace(outcome, place)));
