/** The report of a comparison as workflow commands of GitHub Actions: each change beside the line of the new file that it is about. */

import type { Change, ContractComparison, Level } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import { printable } from '../layout.ts';
import { clip } from './excerpt.ts';
import { describeWitness } from './witness-lines.ts';
import { describeReach, describeReason, describeText, describeVerdict, openChanges } from './words.ts';

/** The gravest first: GitHub shows only the first few of each kind. */
const commands: readonly (readonly [Level, string])[] = [
  ['breaking', 'error'],
  ['risky', 'warning'],
  ['compatible', 'notice'],
];
const sentenceMax = 1000;

/** Renders a comparison; empty when there is nothing to say. */
export function renderDiffGithub(comparison: ContractComparison): string {
  const annotations = commands.flatMap(([level, command]) =>
    openChanges(comparison, level).map((change) => renderAnnotation(change, level, command)),
  );
  const notes = comparison.notes.map((note) => `::notice title=${escapeProperty('Comparison of contracts')}::${escapeData(line(note))}`);
  return [...annotations, ...notes].map((command) => `${command}\n`).join('');
}

function renderAnnotation(change: Change, level: Level, command: string): string {
  const { file, line: row, column } = change.after.place;
  const title = line(`${level}: ${[change.operation ?? 'the contract', change.location].filter((part) => part !== '').join(', ')}`);
  const properties = [`file=${escapeProperty(printable(file))}`, `line=${row}`, `col=${column}`, `title=${escapeProperty(title)}`];
  return `::${command} ${properties.join(',')}::${escapeData(describe(change).join('\n'))}`;
}

function describe(change: Change): readonly string[] {
  const [verdict, reach] = [describeVerdict(change), describeReach(change)];
  const {
    request = [],
    response = [],
    records = [],
    finding = [],
  } = change.witness === undefined ? {} : describeWitness(change.witness, 'brief');
  return [
    line(describeText(change)),
    ...(change.reason === '' ? [] : [line(describeReason(change))]),
    ...(verdict === undefined ? [] : [verdict]),
    ...[...request, ...response, ...records, ...finding].map((part) => clip(part, sentenceMax)),
    ...(reach === undefined ? [] : [line(reach)]),
    line(`${change.id}, before: ${printPlace(change.before.place)}, fingerprint ${change.fingerprint}`),
  ];
}

function line(text: string): string {
  return printable(clip(text, sentenceMax));
}

/** What follows the second `::` ends at the end of the line. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property ends at a comma too, and all of them at a colon. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
