/** Rules in words: as a table, and explained one by one, for a terminal and for programs. The reference in docs/ is made of the same facts. */

import { formatLocation } from '../../core/errors.ts';
import type { RuleClause, RuleDescription, RuleExplanation, RuleListing, RuleOperation } from '../../core/results/rule-description.ts';
import type { Strength } from '../../core/results/run-result.ts';
import { count, createInk, type Ink } from '../layout.ts';

/** The rules in their groups: id, strength, at how many operations, and what holds. */
export function renderRuleList(rules: readonly RuleListing[], decorated: boolean): string {
  const ink = createInk(decorated);
  const groups = [...new Set(rules.map(groupOf))];
  const idWidth = Math.max(0, ...rules.map(({ id }) => id.length));
  const lines = groups.flatMap((group) => [
    ink.line({ text: group, as: 'strong' }),
    ...rules
      .filter((rule) => groupOf(rule) === group)
      .map((rule) => `  ${rule.id.padEnd(idWidth)}  ${rule.strength.padEnd(8)}  ${at(rule).padEnd(16)}  ${rule.title}`),
    '',
  ]);
  const checks = rules.reduce((sum, { operations }) => sum + operations.length, 0);
  return `${[...lines, `${count(rules.length, 'rule')}, ${count(checks, 'check')}`].join('\n')}\n`;
}

/** The rules for a program: a JSON object a line. */
export function renderRuleLines(rules: readonly RuleListing[]): string {
  return rules.map((rule) => `${JSON.stringify(rule)}\n`).join('');
}

function at({ operations }: RuleListing): string {
  return operations.length === 0 ? 'nowhere' : `at ${count(operations.length, 'operation')}`;
}

/** An explanation, with the commands that show how the rule fails. */
export interface ShownExplanation extends RuleExplanation {
  /** Commands to type one after the other; none where no mutant of a mock breaks the rule. */
  readonly seeing: readonly string[];
}

const labelWidth = 13;
const indent = ' '.repeat(2 + labelWidth);

/** Explanations for a terminal, one after the other. */
export function renderExplanations(rules: readonly ShownExplanation[], decorated: boolean): string {
  const ink = createInk(decorated);
  return rules.map((rule) => `${renderExplanation(rule, ink).join('\n')}\n`).join('\n');
}

/** Explanations for a program: a JSON object a line. */
export function renderExplanationLines(rules: readonly ShownExplanation[]): string {
  return rules.map((rule) => `${JSON.stringify(rule)}\n`).join('');
}

function renderExplanation(rule: ShownExplanation, ink: Ink): readonly string[] {
  const facts = factsOf(rule).flatMap(({ label, items }) =>
    items.flatMap((item, index) => ink.wrap(item, `${indent}  `, heading(index === 0 ? label : ''))),
  );
  return [
    ink.line({ text: `${rule.id}  ${rule.title}`, as: 'strong' }),
    ...ink.wrap(rule.why, '  '),
    '',
    ...facts,
    ...rule.clauses.flatMap((clause, index) => renderClause(clause, index === 0 ? 'Stated at' : '', ink)),
    ...rule.seeing.map((line, index) => `${heading(index === 0 ? 'See it fail' : '')}${line}`),
  ];
}

function renderClause({ contract, operation, place, lines }: RuleClause, label: string, ink: Ink): readonly string[] {
  return [
    `${heading(label)}${ink.line(`${formatLocation(place)} for ${operation} of ${contract}`)}`,
    ...lines.map((line) => ink.line({ text: `${indent}  ${line}`, as: 'faint' })),
  ];
}

function heading(label: string): string {
  return `  ${label.padEnd(labelWidth)}`;
}

/** Something that is known of a rule. */
export interface RuleFact {
  readonly label: 'Strength' | 'Source' | 'Quick runs' | 'About' | 'Needs' | 'Mutants' | 'Mock mutants';
  readonly items: readonly string[];
}

/** How many items of a kind are told; a report for programs has all of them. */
const most = 12;

/** Everything about a rule that fits in items, without what is empty. */
export function factsOf(rule: RuleExplanation): readonly RuleFact[] {
  const facts: readonly RuleFact[] = [
    { label: 'Strength', items: [describeStrength(rule)] },
    { label: 'Source', items: [describeSource(rule)] },
    { label: 'Quick runs', items: rule.slow === true ? ['leave it out'] : [] },
    { label: 'About', items: nameOperations(rule.clauses) },
    { label: 'Needs', items: needsOf(rule) },
    { label: 'Mutants', items: mutantsOf(rule) },
    { label: 'Mock mutants', items: rule.mutants.map(({ id, contract, title }) => `${id} (${contract}): ${title}`) },
  ];
  return facts.filter(({ items }) => items.length > 0).map(({ label, items }) => ({ label, items: shorten(items) }));
}

/** Operations by contract, a line each: `notes: listNotes, getNote`. */
function nameOperations(operations: readonly RuleOperation[]): readonly string[] {
  const contracts = [...new Set(operations.map(({ contract }) => contract))];
  return contracts.map((contract) => {
    const names = operations.filter((each) => each.contract === contract).map(({ operation }) => operation);
    return `${contract}: ${names.join(', ')}`;
  });
}

function needsOf({ clauses }: RuleExplanation): readonly string[] {
  const wanting = clauses.filter(({ needs }) => needs !== undefined);
  return [...new Set(wanting.map(({ needs = '' }) => needs))].map(
    (needs) =>
      `${needs}${where(
        clauses,
        wanting.filter((clause) => clause.needs === needs),
      )}`,
  );
}

/** What is said of a mutant that nothing but requests is needed for; a reader may take it for granted. */
const nothingSpecial = 'room in the budget';

/** Each mutant once, with what the data must have to tell it from the truth. */
function mutantsOf({ clauses }: RuleExplanation): readonly string[] {
  const titles = [...new Set(clauses.flatMap(({ mutants }) => mutants.map(({ title }) => title)))];
  return titles.map((title) => {
    const at = clauses.filter(({ mutants }) => mutants.some((mutant) => mutant.title === title));
    const all = at.flatMap(({ mutants }) => mutants.filter((mutant) => mutant.title === title).map(({ missing }) => missing));
    const needed = [...new Set(all)].filter((missing) => missing !== nothingSpecial);
    return `as if ${title}${where(clauses, at)}${needed.length === 0 ? '' : `. The data must have ${needed.join('. Or it must have ')}`}`;
  });
}

/** At which operations, where that is not all of them. */
function where(all: readonly RuleClause[], some: readonly RuleClause[]): string {
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

/** The group of a rule: what stands before the slash. */
export function groupOf({ id }: Pick<RuleDescription, 'id'>): string {
  return id.split('/')[0] ?? id;
}

/** The strength of a rule, with what it means. */
function describeStrength({ strength }: RuleDescription): string {
  return `${strength}, since ${strengths[strength]}`;
}

/** Where a rule comes from. */
function describeSource({ rfc }: RuleDescription): string {
  return rfc ?? 'the place of the contract that states it';
}
