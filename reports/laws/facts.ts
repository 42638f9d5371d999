/** The facts about a law as labelled items: the reference prints them as Markdown, the terminal as columns. */

import type { LawClause, LawExplanation, LawOperation } from '../../core/law-description.ts';
import { describeSource, describeStrength } from './words.ts';

/** Something that is known of a law. */
export interface LawFact {
  readonly label: 'Strength' | 'Source' | 'Quick runs' | 'About' | 'Needs' | 'Rivals' | 'Faults';
  readonly items: readonly string[];
}

/** How many items of a kind are told; a report for programs has all of them. */
const most = 12;

/** Everything about a law that fits in items, without what is empty. */
export function factsOf(law: LawExplanation): readonly LawFact[] {
  const facts: readonly LawFact[] = [
    { label: 'Strength', items: [describeStrength(law)] },
    { label: 'Source', items: [describeSource(law)] },
    { label: 'Quick runs', items: law.slow === true ? ['leave it out'] : [] },
    { label: 'About', items: nameOperations(law.clauses) },
    { label: 'Needs', items: needsOf(law) },
    { label: 'Rivals', items: rivalsOf(law) },
    { label: 'Faults', items: law.faults.map(({ id, contract, title }) => `${id} (${contract}): ${title}`) },
  ];
  return facts.filter(({ items }) => items.length > 0).map(({ label, items }) => ({ label, items: shorten(items) }));
}

/** Operations by contract, a line each: `notes: listNotes, getNote`. */
export function nameOperations(operations: readonly LawOperation[]): readonly string[] {
  const contracts = [...new Set(operations.map(({ contract }) => contract))];
  return contracts.map((contract) => {
    const names = operations.filter((each) => each.contract === contract).map(({ operation }) => operation);
    return `${contract}: ${names.join(', ')}`;
  });
}

function needsOf({ clauses }: LawExplanation): readonly string[] {
  const wanting = clauses.filter(({ needs }) => needs !== undefined);
  return [...new Set(wanting.map(({ needs = '' }) => needs))].map(
    (needs) =>
      `${needs}${where(
        clauses,
        wanting.filter((clause) => clause.needs === needs),
      )}`,
  );
}

/** What is said of a rival that nothing but requests is needed for; a reader may take it for granted. */
const nothingSpecial = 'room in the budget';

/** Each rival once, with what the data must have to tell it from the truth. */
function rivalsOf({ clauses }: LawExplanation): readonly string[] {
  const titles = [...new Set(clauses.flatMap(({ rivals }) => rivals.map(({ title }) => title)))];
  return titles.map((title) => {
    const at = clauses.filter(({ rivals }) => rivals.some((rival) => rival.title === title));
    const all = at.flatMap(({ rivals }) => rivals.filter((rival) => rival.title === title).map(({ missing }) => missing));
    const needed = [...new Set(all)].filter((missing) => missing !== nothingSpecial);
    return `as if ${title}${where(clauses, at)}${needed.length === 0 ? '' : `; the data must have ${needed.join(', or ')}`}`;
  });
}

/** At which operations, where that is not all of them. */
function where(all: readonly LawClause[], some: readonly LawClause[]): string {
  const names = [...new Set(some.map(({ operation }) => operation))];
  return some.length === all.length ? '' : ` (at ${names.join(', ')})`;
}

function shorten(items: readonly string[]): readonly string[] {
  return items.length <= most + 1 ? items : [...items.slice(0, most), `and ${items.length - most} more`];
}
