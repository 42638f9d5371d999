/** The report of a verification of pacts for people: what failed first, then what was not exercised and why, then what passed, in a line for each consumer. */

import { printPlace } from '../../core/errors.ts';
import type { InteractionResult, PactVerification } from '../../core/pact-verdict.ts';
import { createInk, type Ink } from '../ink.ts';
import { count, cut, printable, wrap } from '../layout.ts';
import { countResults, describeEnd, describeFailure, groupByConsumer } from './verify-words.ts';

/** How to render. */
export interface PactTerminalOptions {
  /** Whether colours are wanted. */
  readonly decorated: boolean;
  /** The files that hold the whole result. */
  readonly reports?: readonly string[];
  /** The exit code of the command, where it is another than the result's: a report could not be written. */
  readonly exitCode?: number;
}

/** So many failures are shown in full, and each further one in a line. */
const fullFailures = 12;
/** So many differences of one interaction are shown, and so many interactions that were not exercised. */
const differencesMost = 6;
const leftOutMost = 20;

const labelWidth = 11;
const indent = ' '.repeat(4 + labelWidth);

/** Renders a verification as the summary that stands at its end. */
export function renderPactTerminal(
  result: PactVerification,
  { decorated, reports = [], exitCode = result.exitCode }: PactTerminalOptions,
): string {
  const ink = createInk(decorated);
  const having = (verdict: InteractionResult['verdict'], isPending?: boolean): readonly InteractionResult[] =>
    result.interactions.filter((each) => each.verdict === verdict && (isPending === undefined || each.isPending === isPending));
  const sections = [
    [`${ink.strong('Pacts')} at ${printable(result.target)}`],
    ...result.unavailable.map(({ contract, reason }) => wrap(printable(`${contract}: ${reason}`), '')),
    renderFailures('Failed', having('failed', false), ink),
    renderFailures('Failed, and pending', having('failed', true), ink),
    renderLeftOut(having('not-exercised'), ink, reports[0] ?? '--report json=FILE'),
    renderNotes(having('passed'), ink),
    renderCounts(result, ink),
    [renderEffort(result, reports), renderVerdict(result, exitCode, ink)],
  ];
  return `\n${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')}`;
}

function renderFailures(title: string, failed: readonly InteractionResult[], ink: Ink): readonly string[] {
  if (failed.length === 0) return [];
  const full = failed.slice(0, fullFailures).flatMap((each, index) => [...(index === 0 ? [] : ['']), ...renderFailure(each, ink)]);
  const rest = failed.slice(fullFailures).map((each) => cut(`  ${printable(nameOf(each))}`));
  return [ink.strong(title), ...full, ...(rest.length === 0 ? [] : ['', ...rest])];
}

function renderFailure(result: InteractionResult, ink: Ink): readonly string[] {
  const { states, failures, notes, curl, place } = result;
  const left = failures.length - differencesMost;
  return [
    `  ${ink.bad(printable(result.description))}  ${ink.faint(printable(result.consumer))}`,
    ...(states.length === 0 ? [] : fact('given', states.join(', '))),
    ...failures.slice(0, differencesMost).flatMap((failure) => {
      const { title, expected, actual } = describeFailure(failure);
      return [...fact('finding', title), ...fact('expected', expected), ...fact('actual', actual)];
    }),
    ...(left > 0 ? fact('', `and ${count(left, 'more difference')}`) : []),
    ...notes.flatMap((note) => fact('note', note)),
    ...fact('pact', printPlace(place)),
    // A command line is copied whole, so it is neither broken nor cut.
    ...(curl === undefined ? [] : [`${label('try')}${printable(curl)}`]),
  ];
}

function renderLeftOut(left: readonly InteractionResult[], ink: Ink, whole: string): readonly string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, left.length <= leftOutMost ? leftOutMost : leftOutMost - 1);
  const more = left.length - shown.length;
  return [
    ink.strong('Not exercised'),
    ...shown.flatMap((each) => wrap(printable(`${nameOf(each)}: ${each.reason ?? ''}`), '    ', '  ')),
    ...(more === 0 ? [] : [`  and ${more} more: see ${whole}`]),
  ];
}

/** What was seen in answers that are as the consumer expects them. */
function renderNotes(passed: readonly InteractionResult[], ink: Ink): readonly string[] {
  const noted = passed.filter(({ notes }) => notes.length > 0);
  if (noted.length === 0) return [];
  return [
    ink.strong('Passed, with notes'),
    ...noted.flatMap((each) => wrap(printable(`${nameOf(each)}: ${each.notes.join('; ')}`), '    ', '  ')),
  ];
}

function renderCounts({ interactions }: PactVerification, ink: Ink): readonly string[] {
  return groupByConsumer(interactions).map(({ consumer, provider, members }) => {
    const { passed, failed, notExercised } = countResults(members);
    const parts = [
      ...(failed === 0 ? [] : [ink.bad(`${failed} failed`)]),
      ...(notExercised === 0 ? [] : [ink.doubtful(`${notExercised} not exercised`)]),
      ...(passed === 0 ? [] : [ink.good(`${passed} passed`)]),
    ];
    return `${printable(consumer)} of ${printable(provider)}, ${count(members.length, 'interaction')}: ${parts.join(', ')}`;
  });
}

function renderEffort({ requests, budget, durationMs }: PactVerification, reports: readonly string[]): string {
  const written = reports.length === 0 ? '' : ` Written: ${reports.join(', ')}.`;
  return `${requests} of at most ${count(budget, 'request')} in ${(durationMs / 1000).toFixed(1)} s.${written}`;
}

function renderVerdict(result: PactVerification, exitCode: number, ink: Ink): string {
  const paint = exitCode === 1 ? ink.bad : exitCode === 0 ? ink.good : ink.doubtful;
  return `${paint(`${describeEnd(result)}.`)} ${ink.faint(`Exit code ${exitCode}.`)}`;
}

function nameOf({ description, consumer }: InteractionResult): string {
  return `${description} (${consumer})`;
}

function fact(name: string, text: string): readonly string[] {
  return wrap(printable(text), indent, label(name));
}

function label(name: string): string {
  return `    ${name.padEnd(labelWidth)}`;
}
