/** The report of a run as a comment of a pull request: the verdict, what is violated with the requests that show it, and all else folded. */

import { printPlace } from '../../core/errors.ts';
import type { LawResult, Observation, RunResult } from '../../core/verdict.ts';
import { clip } from '../excerpt.ts';
import { takeFitting } from '../fitting.ts';
import { describeLaws, type Gap, gatherGaps } from '../gaps.ts';
import { cellCode, codeSpan, escapeMarkdown, fence } from '../markdown-text.ts';
import {
  describeEffort,
  describeEnd,
  describeFacts,
  describeFurther,
  describeRun,
  describeWaiver,
  groupByOperation,
  lawsIn,
  placeOf,
  type State,
  stateOf,
  states,
  stateWords,
} from './words.ts';

/** A comment may have 65,536 characters on GitHub; so many are for each part, and what does not fit is counted. */
const room = {
  violations: 9000,
  details: 18_000,
  waived: 5000,
  doubts: 5000,
  gaps: 4000,
  settings: 3000,
  operations: 6000,
  observations: 5000,
  notes: 4000,
};
const nameMax = 200;
const sentenceMax = 500;
/** A command line is copied whole as long as that is reasonable; a walk through a list may have hundreds. */
const commandMax = 1000;
const commandsMax = 5;

/** Renders a run. */
export function renderVerifyMarkdown(result: RunResult): string {
  const { contract, unavailable, laws, notes = [] } = result;
  const [violated, waived, doubtful] = [lawsIn(result, 'violated'), lawsIn(result, 'waived'), lawsIn(result, 'blocked', 'inconclusive')];
  const sections = [
    `## ${escapeMarkdown(contract.name, nameMax)}: ${escapeMarkdown(describeEnd(result), sentenceMax)}`,
    `${escapeMarkdown(describeRun(result), sentenceMax)}: ${describeEffort(result)}. Exit code ${result.exitCode}.`,
    ...(unavailable === undefined ? [] : [escapeMarkdown(unavailable, 2000)]),
    ...section('### Notes', notes, (note) => `- ${escapeMarkdown(note, sentenceMax)}`, room.notes),
    ...table('### Violated', '| Law | Operation | Expected | Actual | Line |', violated, renderRow, room.violations),
    ...fold('What shows it', violated.length, takeBlocks(violated, renderViolation, room.details)),
    ...fold('Waived', waived.length, takeLines(waived, renderWaived, room.waived)),
    ...fold('Blocked or inconclusive', doubtful.length, takeLines(doubtful, renderDoubt, room.doubts)),
    ...foldGaps('Not exercised, for lack of', gatherGaps(lawsIn(result, 'not-exercised')), room.gaps),
    ...foldGaps('Not testable without', gatherGaps(lawsIn(result, 'not-testable')), room.settings),
    ...renderOperations(laws),
    ...fold('Observed', result.observations.length, takeLines(result.observations, renderObservation, room.observations)),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderRow(law: LawResult): string {
  const { id, operation, counterexample, message } = law;
  const place = placeOf(law);
  const [expected, actual] = counterexample === undefined ? ['', message] : [counterexample.expected, counterexample.actual];
  const cells = [
    cellCode(id, nameMax),
    cellCode(operation, nameMax),
    escapeMarkdown(expected, sentenceMax),
    escapeMarkdown(actual, sentenceMax),
    place === undefined ? escapeMarkdown(law.source, nameMax) : cellCode(printPlace(place), nameMax),
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderViolation(law: LawResult): string {
  const { counterexample, title, diagnosis, fingerprint, further = [] } = law;
  const curl = counterexample?.curl ?? [];
  const more = curl.length - commandsMax;
  const commands = [
    ...curl.slice(0, commandsMax).map((command) => clip(command, commandMax)),
    ...(more <= 0 ? [] : [`# … and ${more} more requests`]),
  ];
  return [
    `**${codeSpan(law.id, nameMax)}** at ${codeSpan(law.operation, nameMax)}${fingerprint === undefined ? '' : `, fingerprint ${codeSpan(fingerprint, nameMax)}`}`,
    escapeMarkdown(title, sentenceMax),
    ...(diagnosis === undefined ? [] : [escapeMarkdown(diagnosis, sentenceMax)]),
    ...(further.length === 0 ? [] : [further.map((each) => `- also: ${escapeMarkdown(describeFurther(each), sentenceMax)}`).join('\n')]),
    ...(commands.length === 0 ? [] : [fence(commands, 'sh').join('\n')]),
  ].join('\n\n');
}

function renderWaived(law: LawResult): string {
  const reason = law.waiver === undefined ? '' : describeWaiver(law.waiver);
  const facts = describeFacts(law).map(([label, text]) => `${label}: ${text}`);
  return `- ${renderName(law)}: ${escapeMarkdown(reason, sentenceMax)}<br>\n  ${facts.map((fact) => escapeMarkdown(fact, sentenceMax)).join('<br>\n  ')}`;
}

function renderDoubt(law: LawResult): string {
  return `- ${renderName(law)} is ${stateWords[stateOf(law)]}: ${escapeMarkdown(law.message, sentenceMax)}`;
}

function renderName({ id, operation }: LawResult): string {
  return `${codeSpan(id, nameMax)} at ${codeSpan(operation, nameMax)}`;
}

function renderOperations(laws: readonly LawResult[]): readonly string[] {
  const groups = groupByOperation(laws);
  const present = states.filter((state) => laws.some((law) => stateOf(law) === state));
  const heading = `| Operation |${present.map((state) => ` ${capital(state)} |`).join('')}\n| --- |${' ---: |'.repeat(present.length)}`;
  const rows = takeFitting(
    groups,
    ({ operation, members }) =>
      `| ${cellCode(operation, nameMax)} |${present.map((state) => ` ${members.filter((law) => stateOf(law) === state).length} |`).join('')}`,
    room.operations,
  );
  return fold('Verdicts by operation', groups.length, [[heading, ...rows.kept].join('\n'), ...rows.left]);
}

function renderObservation({ id, question, answers, evidence }: Observation): string {
  const answer = answers.length === 0 ? 'open' : answers.join(' or ');
  return `- ${codeSpan(id, nameMax)}: ${escapeMarkdown([question, answer, evidence].filter((part) => part !== '').join(' – '), sentenceMax)}`;
}

function foldGaps(title: string, gaps: readonly Gap[], most: number): readonly string[] {
  const write = ({ missing, laws }: Gap): string =>
    `- ${escapeMarkdown(missing, sentenceMax)}: ${escapeMarkdown(describeLaws(laws), sentenceMax)}`;
  return fold(title, gaps.length, takeLines(gaps, write, most));
}

function table<T>(title: string, heading: string, items: readonly T[], write: (item: T) => string, most: number): readonly string[] {
  if (items.length === 0) return [];
  const { kept, left } = takeFitting(items, write, most);
  const columns = heading.split('|').length - 2;
  return [title, [heading, `|${' --- |'.repeat(columns)}`, ...kept].join('\n'), ...left];
}

function section<T>(title: string, items: readonly T[], write: (item: T) => string, most: number): readonly string[] {
  return items.length === 0 ? [] : [title, ...takeLines(items, write, most)];
}

function takeLines<T>(items: readonly T[], write: (item: T) => string, most: number): readonly string[] {
  const { kept, left } = takeFitting(items, write, most);
  return [kept.join('\n'), ...left];
}

function takeBlocks<T>(items: readonly T[], write: (item: T) => string, most: number): readonly string[] {
  const { kept, left } = takeFitting(items, write, most);
  return [...kept, ...left];
}

function fold(title: string, number: number, blocks: readonly string[]): readonly string[] {
  return number === 0 ? [] : [`<details>\n<summary>${title}: ${number}</summary>`, ...blocks, '</details>'];
}

function capital(state: State): string {
  const word = stateWords[state];
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
