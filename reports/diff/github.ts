/** The report of a comparison as workflow commands of GitHub Actions: each change beside the line of the new file that it is about. */

import type { Change, ContractComparison, Level } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import { clip } from '../excerpt.ts';
import { type AnnotationLevel, renderAnnotation } from '../workflow-command.ts';
import { describeWitness } from './witness-lines.ts';
import { describeReach, describeReason, describeText, describeVerdict, openChanges } from './words.ts';

/** The gravest first: GitHub shows only the first few of each kind. */
const commands: readonly (readonly [Level, AnnotationLevel])[] = [
  ['breaking', 'error'],
  ['risky', 'warning'],
  ['compatible', 'notice'],
];
const sentenceMax = 1000;

/** Renders a comparison; empty when there is nothing to say. */
export function renderDiffGithub(comparison: ContractComparison): string {
  const annotations = commands.flatMap(([level, command]) =>
    openChanges(comparison, level).map((change) => annotate(change, level, command)),
  );
  const notes = comparison.notes.map((note) => renderAnnotation('notice', 'Comparison of contracts', [line(note)]));
  return [...annotations, ...notes].join('');
}

function annotate(change: Change, level: Level, command: AnnotationLevel): string {
  const title = `${level}: ${[change.operation ?? 'the contract', change.location].filter((part) => part !== '').join(', ')}`;
  return renderAnnotation(command, line(title), describe(change), change.after.place);
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
  return clip(text, sentenceMax);
}
