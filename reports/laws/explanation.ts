/** One law for a terminal, or for a program: what it says, where the contract states it, and how to see it fail. */

import { printPlace } from '../../core/errors.ts';
import type { LawClause, LawExplanation } from '../../core/law-description.ts';
import { createInk, type Ink } from '../ink.ts';
import { printable, wrap } from '../layout.ts';
import { factsOf } from './facts.ts';

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
  const facts = factsOf(law).flatMap(({ label, items }) => items.flatMap((item, index) => renderItem(index === 0 ? label : '', item)));
  return [
    ink.strong(`${law.id}  ${law.title}`),
    ...wrap(printable(law.why), '  '),
    '',
    ...facts,
    ...law.clauses.flatMap((clause, index) => renderClause(clause, index === 0 ? 'Stated at' : '', ink)),
    ...law.seeing.map((line, index) => `${heading(index === 0 ? 'See it fail' : '')}${line}`),
  ];
}

function renderClause({ contract, operation, place, lines }: LawClause, label: string, ink: Ink): readonly string[] {
  return [
    `${heading(label)}${printPlace(place)} for ${printable(operation)} of ${printable(contract)}`,
    ...lines.map((line) => ink.faint(`${indent}  ${printable(line)}`)),
  ];
}

function renderItem(label: string, item: string): readonly string[] {
  return wrap(printable(item), `${indent}  `, heading(label));
}

function heading(label: string): string {
  return `  ${label.padEnd(labelWidth)}`;
}
