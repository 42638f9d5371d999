/** Laws in words: as a table, and explained one by one, for a terminal and for programs. The reference in docs/ is made of the same facts. */

import { formatLocation } from '../../core/errors.ts';
import type { LawClause, LawDescription, LawExplanation, LawListing, LawOperation } from '../../core/results/rule-description.ts';
import type { Strength } from '../../core/results/run-result.ts';
import { count, createInk, type Ink } from '../layout.ts';

/** The laws in their groups: id, strength, at how many operations, and what holds. */
export function renderLawList(laws: readonly LawListing[], decorated: boolean): string {
  const ink = createInk(decorated);
  const groups = [...new Set(laws.map(groupOf))];
  const idWidth = Math.max(0, ...laws.map(({ id }) => id.length));
  const lines = groups.flatMap((group) => [
    ink.line({ text: group, as: 'strong' }),
    ...laws
      .filter((law) => groupOf(law) === group)
      .map((law) => `  ${law.id.padEnd(idWidth)}  ${law.strength.padEnd(8)}  ${at(law).padEnd(16)}  ${law.title}`),
    '',
  ]);
  const checks = laws.reduce((sum, { operations }) => sum + operations.length, 0);
  return `${[...lines, `${count(laws.length, 'law')}, ${count(checks, 'check')}`].join('\n')}\n`;
}

/** The laws for a program: a JSON object a line. */
export function renderLawLines(laws: readonly LawListing[]): string {
  return laws.map((law) => `${JSON.stringify(law)}\n`).join('');
}

function at({ operations }: LawListing): string {
  return operations.length === 0 ? 'nowhere' : `at ${count(operations.length, 'operation')}`;
}

/** An explanation, with the commands that show how the law fails. */
export interface ShownExplanation extends LawExplanation {
  /** Commands to type one after the other; none where no fault of a mock breaks the law. */
  readonly seeing: readonly string[];
}

const labelWidth = 13;
const indent = ' '.repeat(2 + labelWidth);

/** Explanations for a terminal, one after the other. */
export function renderExplanations(laws: readonly ShownExplanation[], decorated: boolean): string {
  const ink = createInk(decorated);
  return laws.map((law) => `${renderExplanation(law, ink).join('\n')}\n`).join('\n');
}

/** Explanations for a program: a JSON object a line. */
export function renderExplanationLines(laws: readonly ShownExplanation[]): string {
  return laws.map((law) => `${JSON.stringify(law)}\n`).join('');
}

function renderExplanation(law: ShownExplanation, ink: Ink): readonly string[] {
  const facts = factsOf(law).flatMap(({ label, items }) =>
    items.flatMap((item, index) => ink.wrap(item, `${indent}  `, heading(index === 0 ? label : ''))),
  );
  return [
    ink.line({ text: `${law.id}  ${law.title}`, as: 'strong' }),
    ...ink.wrap(law.why, '  '),
    '',
    ...facts,
    ...law.clauses.flatMap((clause, index) => renderClause(clause, index === 0 ? 'Stated at' : '', ink)),
    ...law.seeing.map((line, index) => `${heading(index === 0 ? 'See it fail' : '')}${line}`),
  ];
}

function renderClause({ contract, operation, place, lines }: LawClause, label: string, ink: Ink): readonly string[] {
  return [
    `${heading(label)}${ink.line(`${formatLocation(place)} for ${operation} of ${contract}`)}`,
    ...lines.map((line) => ink.line({ text: `${indent}  ${line}`, as: 'faint' })),
  ];
}

function heading(label: string): string {
  return `  ${label.padEnd(labelWidth)}`;
}

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
function nameOperations(operations: readonly LawOperation[]): readonly string[] {
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

/** Why a strength binds, for whoever has to decide about a violation. */
const strengths: Readonly<Record<Strength, string>> = {
  stated: 'the documents of the API say so',
  required: 'an RFC requires it',
  implied: 'it follows from what the documents say',
};

/** The group of a law: what stands before the slash. */
export function groupOf({ id }: Pick<LawDescription, 'id'>): string {
  return id.split('/')[0] ?? id;
}

/** The strength of a law, with what it means. */
function describeStrength({ strength }: LawDescription): string {
  return `${strength}, since ${strengths[strength]}`;
}

/** Where a law comes from. */
function describeSource({ rfc }: LawDescription): string {
  return rfc ?? 'the place of the contract that states it';
}
