/** One change in a terminal: in full, with who breaks and what shows it, or in a line. */

import type { Change } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import { clip, showValue } from '../excerpt.ts';
import type { Ink } from '../ink.ts';
import { cut, printable, width, wrap } from '../layout.ts';
import { compareLines, toUnified } from './compared-lines.ts';
import { describeWitness } from './witness-lines.ts';
import { describeAffected, describeReach, describeText, describeVerdict } from './words.ts';

/** The words before the facts of a change stand in one column. */
const labelWidth = 11;
const indent = ' '.repeat(4 + labelWidth);
/** Sentences of the files can be of any length. */
const sentenceMax = 600;
/** So many lines of JSON are shown of values that do not fit into one. */
const valueLinesMax = 14;

/** A change with everything that a reviewer asks: what, where in both files, who breaks and how, what shows it, and how to name it. */
export function renderChange(change: Change, ink: Ink): readonly string[] {
  const paint = change.level === 'breaking' ? ink.bad : ink.doubtful;
  const verdict = describeVerdict(change);
  const reach = describeReach(change);
  const { verb, who } = describeAffected(change);
  return [
    `  ${paint(printable(change.id))}${change.location === '' ? '' : `  ${printable(clip(change.location, sentenceMax))}`}`,
    ...wrap(printable(clip(describeText(change), sentenceMax)), '    '),
    ...renderSides(change),
    ...fact([verb, who === undefined ? change.reason : `${who}: ${change.reason}`]),
    ...(reach === undefined ? [] : fact(['reaches', reach.replace(/^reaches /, '')])),
    ...(verdict === undefined ? [] : fact(['verdict', verdict])),
    ...renderWitness(change),
    ink.faint(`${label('accept as')}${printable(change.id)}, fingerprint ${printable(change.fingerprint)}`),
  ];
}

/** A change in one line. */
export function renderChangeLine(change: Change, ink: Ink): string {
  const reach = describeReach(change);
  const location = change.location === '' ? '' : `${change.location}: `;
  const line = cut(
    `  ${printable(`${location}${change.text}${reach === undefined ? '' : ` (${reach})`}  ${printPlace(change.after.place)}`)}`,
  );
  const paint = change.level === 'breaking' ? ink.bad : change.level === 'risky' ? ink.doubtful : (text: string): string => text;
  return paint(line);
}

/** `before → after` in a line where both fit; else the lines of JSON that changed. Then where both stand. */
function renderSides({ before, after }: Change): readonly string[] {
  const places = `${label('at')}${printable(`${printPlace(before.place)} → ${printPlace(after.place)}`)}`;
  if (before.value === undefined && after.value === undefined) return [places];
  const room = width - indent.length;
  const line = printable(`${showValue(before.value, room)} → ${showValue(after.value, room)}`);
  if (line.length <= room) return [`${label('changed')}${line}`, places];
  const rows = toUnified(compareLines(before.value, after.value, valueLinesMax));
  return [...rows.map((row, index) => `${index === 0 ? label('changed') : indent}${printable(clip(row, room))}`), places];
}

function renderWitness({ witness }: Change): readonly string[] {
  if (witness === undefined) return [];
  const { request, response, records, finding } = describeWitness(witness, 'brief');
  // A command line is copied whole, and a record is no sentence, so they are neither broken nor cut.
  const whole = [...request, ...response.map((line) => clip(line, width)), ...records];
  const lines = [...whole.map((line) => `${indent}${line}`), ...finding.flatMap((line) => wrap(line, indent))];
  return lines.map((line, index) => (index === 0 ? `${label('witness')}${line.slice(indent.length)}` : line));
}

function fact([name, text]: readonly [string, string]): readonly string[] {
  return wrap(printable(clip(text, sentenceMax)), indent, label(name));
}

function label(name: string): string {
  return `    ${name.padEnd(labelWidth)}`;
}
