/** Renders rules for `touchstone rules` and `touchstone explain`, which need no run. */

import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import type { RuleClause, RuleDescription, RuleExplanation, RuleListing, RuleOperation } from '../../core/results/rule-description.ts';
import { groupOf } from '../../core/results/rule-id.ts';
import type { Strength } from '../../core/results/run-result.ts';
import { alignColumns, createInk, type Ink } from '../terminal-text.ts';

/** Renders rules by group: id, strength, number of operations, and statement. */
export function renderRuleList(rules: readonly RuleListing[], decorated: boolean): string {
  const ink = createInk(decorated);
  const groups = [...new Set(rules.map(({ id }) => groupOf(id) ?? ''))];
  const rows = alignColumns(rules.map((rule) => [rule.id, rule.strength, countOperations(rule), rule.title]));
  const lines = groups.flatMap((group) => [
    ink.line({ text: group, as: 'strong' }),
    ...rows.flatMap((row, index) => (groupOf(rules[index]?.id ?? '') === group ? [`  ${row}`] : [])),
    '',
  ]);
  const checks = rules.reduce((sum, { operations }) => sum + operations.length, 0);
  return `${[...lines, `${countNoun(rules.length, 'rule')}, ${countNoun(checks, 'check')}`].join('\n')}\n`;
}

function countOperations({ operations }: RuleListing): string {
  return operations.length === 0 ? 'nowhere' : `for ${countNoun(operations.length, 'operation')}`;
}

/** An explanation, with the commands that show how the rule fails. */
interface ShownExplanation extends RuleExplanation {
  /** Commands to run in order; empty if no mutant of the mock breaks the rule. */
  readonly seeing: readonly string[];
}

const labelWidth = 13;
const indent = ' '.repeat(2 + labelWidth);

/** Renders explanations for a terminal. */
export function renderExplanations(rules: readonly ShownExplanation[], decorated: boolean): string {
  const ink = createInk(decorated);
  return rules.map((rule) => `${renderExplanation(rule, ink).join('\n')}\n`).join('\n');
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

/** A labelled fact about a rule. */
interface RuleFact {
  readonly label: 'Strength' | 'Source' | 'Quick runs' | 'Applies to' | 'Needs' | 'Mutants' | 'Mock mutants';
  readonly items: readonly string[];
}

/** Maximum number of items per fact; the JSON output has all of them. */
const maxItems = 12;

/** Lists the facts about a rule, without empty ones. */
function factsOf(rule: RuleExplanation): readonly RuleFact[] {
  const facts: readonly RuleFact[] = [
    { label: 'Strength', items: [describeStrength(rule)] },
    { label: 'Source', items: [describeSource(rule)] },
    { label: 'Quick runs', items: rule.slow === true ? ['skip this rule'] : [] },
    { label: 'Applies to', items: nameOperations(rule.clauses) },
    { label: 'Needs', items: needsOf(rule) },
    { label: 'Mutants', items: mutantsOf(rule) },
    { label: 'Mock mutants', items: rule.mutants.map(({ id, contract, title }) => `${id} (${contract}): ${title}`) },
  ];
  return facts.filter(({ items }) => items.length > 0).map(({ label, items }) => ({ label, items: limitItems(items) }));
}

/** Lists operations by contract, one line each: `notes: listNotes, getNote`. */
function nameOperations(operations: readonly RuleOperation[]): readonly string[] {
  const contracts = [...new Set(operations.map(({ contract }) => contract))];
  return contracts.map((contract) => {
    const names = operations.filter((each) => each.contract === contract).map(({ operation }) => operation);
    return `${contract}: ${names.join(', ')}`;
  });
}

function needsOf({ clauses }: RuleExplanation): readonly string[] {
  const clausesWithNeeds = clauses.filter(({ needs }) => needs !== undefined);
  return [...new Set(clausesWithNeeds.map(({ needs = '' }) => needs))].map(
    (needs) =>
      `${needs}${describePlaces(
        clauses,
        clausesWithNeeds.filter((clause) => clause.needs === needs),
      )}`,
  );
}

/** Lists each mutant once, with the data that is required to kill it. */
function mutantsOf({ clauses }: RuleExplanation): readonly string[] {
  const titles = [...new Set(clauses.flatMap(({ mutants }) => mutants.map(({ title }) => title)))];
  return titles.map((title) => {
    const clausesWithMutant = clauses.filter(({ mutants }) => mutants.some((mutant) => mutant.title === title));
    const missingTexts = clausesWithMutant.flatMap(({ mutants }) =>
      mutants.filter((mutant) => mutant.title === title).map(({ missing }) => missing),
    );
    const requirements = [...new Set(missingTexts)].filter((missing) => missing !== undefined);
    return `${title}${describePlaces(clauses, clausesWithMutant)}${requirements.length === 0 ? '' : ` (needs ${requirements.join(', or ')})`}`;
  });
}

/** Names the operations, unless they are all. */
function describePlaces(allClauses: readonly RuleClause[], someClauses: readonly RuleClause[]): string {
  const names = [...new Set(someClauses.map(({ operation }) => operation))];
  return someClauses.length === allClauses.length ? '' : ` (for ${names.join(', ')})`;
}

function limitItems(items: readonly string[]): readonly string[] {
  return items.length <= maxItems + 1 ? items : [...items.slice(0, maxItems), `and ${items.length - maxItems} more`];
}

/** Meaning of each strength. */
const strengths: Readonly<Record<Strength, string>> = {
  stated: 'the API documentation states it',
  required: 'an RFC requires it',
  implied: 'it follows from what the API documentation states',
};

/** Describes the strength of a rule. */
function describeStrength({ strength }: RuleDescription): string {
  return `${strength}: ${strengths[strength]}`;
}

/** Describes the source of a rule. */
function describeSource({ rfc }: RuleDescription): string {
  return rfc ?? 'the contract, at the lines below';
}
