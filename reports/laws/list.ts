/** All laws as a table for a terminal, or as lines for a program. */

import type { LawListing } from '../../core/law-description.ts';
import { createInk } from '../ink.ts';
import { count } from '../layout.ts';
import { groupOf } from './words.ts';

/** The laws in their groups: id, strength, at how many operations, and what holds. */
export function renderLawList(laws: readonly LawListing[], decorated: boolean): string {
  const ink = createInk(decorated);
  const groups = [...new Set(laws.map(groupOf))];
  const idWidth = Math.max(0, ...laws.map(({ id }) => id.length));
  const lines = groups.flatMap((group) => [
    ink.strong(group),
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
