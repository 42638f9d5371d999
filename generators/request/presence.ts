/** Which parameters a request sends: the required ones always, the others as they come, and of exclusive ones exactly one. */

import { type Arbitrary, constantFrom, subarray, tuple } from 'fast-check';
import type { Operation } from '../../core/operation.ts';
import { Unsatisfiable } from '../outcome.ts';

/** Wishes about which parameters are sent. */
export interface Focus {
  /** Parameters that must be sent. */
  readonly with?: readonly string[];
  /** Parameters that must not be sent. */
  readonly without?: readonly string[];
}

/**
 * The sets of parameters (`key`) that an operation allows together, out of those that can be sent. The smallest set comes first.
 * @throws {Unsatisfiable} when its rules and the wishes allow no set.
 */
export function presenceFor(operation: Operation, sendable: readonly string[], focus: Focus = {}): Arbitrary<ReadonlySet<string>> {
  const { with: wanted = [], without: unwanted = [] } = focus;
  const possible = sendable.filter((key) => !unwanted.includes(key));
  const required = operation.parameters.filter((parameter) => parameter.required && possible.includes(parameter.key));
  const certain = [...new Set([...required.map((parameter) => parameter.key), ...wanted])];
  const choices = exclusiveChoices(operation, possible, certain);
  if (choices.length === 0) {
    const why = `its parameter rules leave no set of parameters to send${wanted.length === 0 ? '' : ` with ${wanted.join(' and ')}`}`;
    throw new Unsatisfiable(operation.pointer, why);
  }
  const exclusive = new Set(exclusiveRules(operation).flatMap((rule) => rule.parameters));
  const free = possible.filter((key) => !exclusive.has(key) && !certain.includes(key));
  return tuple(constantFrom(...choices), subarray(free)).map(([chosen, extra]) =>
    withoutConflict(operation, new Set([...certain, ...chosen, ...extra]), wanted),
  );
}

function exclusiveRules({ rules }: Operation): Operation['rules'] {
  return rules.filter(({ rule }) => rule === 'exactly-one-of');
}

/** The ways to pick one parameter of each exclusive group; groups may overlap, and what is certain is already picked. */
function exclusiveChoices(operation: Operation, possible: readonly string[], certain: readonly string[]): readonly (readonly string[])[] {
  const rules = exclusiveRules(operation);
  let picks: readonly (readonly string[])[] = [[]];
  for (const { parameters } of rules) {
    const members = parameters.filter((key) => possible.includes(key));
    picks = picks.flatMap((pick) => members.map((member) => [...pick, member]));
  }
  return picks.filter((pick) =>
    rules.every(({ parameters }) => parameters.filter((key) => pick.includes(key) || certain.includes(key)).length === 1),
  );
}

/** A cursor that is known comes from a list without filters, so it is sent without them: they must not change from page to page. */
function withoutConflict(
  { collection, parameters }: Operation,
  present: ReadonlySet<string>,
  wanted: readonly string[],
): ReadonlySet<string> {
  const page = collection?.page;
  if (page?.style !== 'cursor' || !present.has(page.cursor)) return present;
  const isFirm = (key: string): boolean => wanted.includes(key) || parameters.some((each) => each.key === key && each.required);
  const fixed = page.fixed.filter((key) => present.has(key));
  const dropped = fixed.some(isFirm) && !isFirm(page.cursor) ? [page.cursor] : fixed.filter((key) => !isFirm(key));
  return new Set([...present].filter((key) => !dropped.includes(key)));
}
