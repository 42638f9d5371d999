/** One change in a comment of a pull request: in full with its witness, or as a row of a table. */

import type { Change } from '../../core/change.ts';
import { type Place, printPlace } from '../../core/errors.ts';
import { clip } from '../excerpt.ts';
import { cellCode, codeSpan, escapeMarkdown, fence } from '../markdown-text.ts';
import { compareLines, toUnified } from './compared-lines.ts';
import { describeWitness } from './witness-lines.ts';
import { describeReach, describeReason, describeText, describeVerdictSentence, nameOperations } from './words.ts';

const nameMax = 200;
const sentenceMax = 500;
const lineMax = 160;
/** A command line is copied whole as long as that is reasonable. */
const commandMax = 1000;
const valueLinesMax = 20;
const witnessLinesMax = 30;

/** A change in full: what, who breaks, where in both files, before and after, and what shows it. */
export function renderMarkdownChange(change: Change): string {
  const { id, location, reason, before, after, fingerprint } = change;
  const reach = describeReach(change);
  const verdict = describeVerdictSentence(change);
  const rows = toUnified(compareLines(before.value, after.value, valueLinesMax)).map((row) => clip(row, lineMax));
  const name = location === '' ? '' : ` at ${codeSpan(location, nameMax)}`;
  const sentences = [
    escapeMarkdown(describeText(change), sentenceMax),
    ...(reason === '' ? [] : [escapeMarkdown(describeReason(change), sentenceMax)]),
    ...(reach === undefined ? [] : [escapeMarkdown(`It ${reach}.`, sentenceMax)]),
  ];
  const paragraphs = [
    `**${codeSpan(id, nameMax)}**${name}`,
    sentences.join('<br>\n'),
    `Before: ${renderPlace(before.place)}, after: ${renderPlace(after.place)}, fingerprint ${codeSpan(fingerprint, nameMax)}`,
    ...(rows.length === 0 ? [] : [fence(rows, 'diff').join('\n')]),
    ...(verdict === undefined ? [] : [escapeMarkdown(verdict, sentenceMax)]),
    ...renderWitness(change),
  ];
  return paragraphs.join('\n\n');
}

/** A change as a row: where, what. */
export function renderMarkdownRow({ operation, operations, location, text, after }: Change): string {
  const where = operations.length > 1 ? nameOperations(operations) : (operation ?? '');
  const code = (name: string): string => (name === '' ? '' : cellCode(name, nameMax));
  return `| ${code(where)} | ${code(location)} | ${escapeMarkdown(text, sentenceMax)} | ${code(printPlace(after.place))} |`;
}

/** The heading of a table of rows. */
export const markdownRowsHeading = '| Operation | Where | What | Line |\n| --- | --- | --- | --- |';

function renderPlace(place: Place): string {
  return codeSpan(printPlace(place), nameMax);
}

function renderWitness({ witness }: Change): readonly string[] {
  if (witness === undefined) return [];
  const { request, response, records, finding } = describeWitness(witness, 'brief');
  const lines = [...request.map((line) => clip(line, commandMax)), ...response.map((line) => clip(line, lineMax))];
  const cut =
    lines.length > witnessLinesMax ? [...lines.slice(0, witnessLinesMax), `… ${lines.length - witnessLinesMax} more lines`] : lines;
  // What it shows stands in the block too, so that it is copied along.
  return [fence([...cut, ...[...records, ...finding].map((line) => `# ${clip(line, commandMax)}`)], '').join('\n')];
}
