/** The report of a run for people: what is wrong first, then what could not be shown and what it takes to show it. */

import type { LawResult, Observation, RunResult } from '../core/verdict.ts';
import { describeLaws, type Gap, gatherGaps } from './gaps.ts';
import { createInk, type Ink } from './ink.ts';
import { count, cut, printable, wrap } from './layout.ts';
import { renderLine, renderViolation, renderWaived } from './terminal-law.ts';
import { describeEnd, lawsIn, type State, stateOf, states, stateWords } from './verify/words.ts';

/** How to render. */
export interface TerminalOptions {
  /** Whether colours are wanted. */
  readonly decorated: boolean;
  /** The files that hold the whole result. */
  readonly reports?: readonly string[];
  /** The exit code of the command, where it is another than the result's: a report could not be written. */
  readonly exitCode?: number;
}

/** So many violations are shown in full, and each further one in a line. */
const fullViolations = 10;
/** So many lines a list of what was lacking has, and so many both of them have together. */
const longestList = 8;
const longestLists = 10;
/** So many of them are for keys and settings when the data lacks much too. */
const leastForSettings = 4;
/** So many laws that the target or moving data kept from being judged are named. */
const longestDoubts = 6;

/** So many lines tell what was observed. */
const longestObservations = 3;

/** So many waived violations and so many notes are told. */
const longestWaived = 4;
const longestNotes = 6;

/** Renders a run as the summary that stands at its end. */
export function renderTerminal(result: RunResult, options: TerminalOptions): string {
  const ink = createInk(options.decorated);
  const whole = options.reports?.[0] ?? '--report json=FILE';
  const having = (...kinds: readonly State[]): readonly LawResult[] => lawsIn(result, ...kinds);
  const [data, settings] = [gatherGaps(having('not-exercised')), gatherGaps(having('not-testable'))];
  const settingLines = Math.min(settings.length, Math.max(leastForSettings, longestLists - data.length), longestList);
  const sections = [
    [renderHeader(result, ink)],
    result.unavailable === undefined ? [] : wrap(printable(result.unavailable), ''),
    renderCounts(result.laws, ink),
    renderViolations(having('violated'), ink),
    renderWaivers(having('waived'), ink, whole),
    renderDoubts(having('blocked', 'inconclusive'), ink, whole),
    renderGaps('Not exercised, for lack of', data, longestLists - settingLines, ink, whole),
    renderGaps('Not testable without', settings, settingLines, ink, whole),
    renderObservations(result.observations, ink, whole),
    renderNotes(result.notes ?? [], ink, whole),
    [renderEffort(result, options.reports ?? []), renderVerdict(result, options.exitCode ?? result.exitCode, ink)],
  ];
  return `\n${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')}`;
}

function renderHeader({ contract, target, seed, laws }: RunResult, ink: Ink): string {
  const idle = laws.filter(({ verdict, strength }) => verdict === 'not-exercised' && strength === 'stated').length;
  const gap = idle === 0 ? '' : `; ${ink.doubtful(`${count(idle, 'stated check')} not exercised`)}`;
  return `${ink.strong(printable(`${contract.title} ${contract.version}`.trim()))} at ${printable(target)}${ink.faint(`, seed ${seed}`)}${gap}`;
}

function renderCounts(laws: readonly LawResult[], ink: Ink): readonly string[] {
  if (laws.length === 0) return [];
  const counted = states.flatMap((state) => {
    const found = laws.filter((law) => stateOf(law) === state);
    return found.length === 0 ? [] : [inkOf(state, ink)(`${found.length} ${state === 'holds' ? 'hold' : stateWords[state]}`)];
  });
  const weak = laws.filter((law) => law.verdict === 'holds' && law.open.length > 0).length;
  return [`${count(laws.length, 'check')}: ${counted.join(', ')}${weak === 0 ? '' : ink.faint(` (${weak} with rivals left open)`)}`];
}

function renderViolations(laws: readonly LawResult[], ink: Ink): readonly string[] {
  if (laws.length === 0) return [];
  const full = laws.slice(0, fullViolations).flatMap((law, index) => [...(index === 0 ? [] : ['']), ...renderViolation(law, ink)]);
  const rest = laws.slice(fullViolations).map((law) => renderLine(law, ink));
  return [ink.strong('Violated'), ...full, ...(rest.length === 0 ? [] : ['', ...rest])];
}

function renderWaivers(laws: readonly LawResult[], ink: Ink, whole: string): readonly string[] {
  if (laws.length === 0) return [];
  const shown = laws.slice(0, longestWaived).map((law) => renderWaived(law, ink));
  return [ink.strong('Violated and waived'), ...shown, ...renderMore(laws.length - longestWaived, whole)];
}

function renderDoubts(laws: readonly LawResult[], ink: Ink, whole: string): readonly string[] {
  if (laws.length === 0) return [];
  return [
    ink.strong('Blocked or inconclusive'),
    ...laws.slice(0, longestDoubts).map((law) => renderLine(law, ink)),
    ...renderMore(laws.length - longestDoubts, whole),
  ];
}

function renderGaps(title: string, gaps: readonly Gap[], room: number, ink: Ink, whole: string): readonly string[] {
  if (gaps.length === 0) return [];
  const most = Math.min(room, longestList);
  const lines = gaps.map((gap) => ({ missing: `  ${printable(gap.missing)}`, laws: printable(describeLaws(gap.laws)) }));
  // The line that says how many are left out takes a place too.
  const shown = lines.length <= most ? lines : lines.slice(0, most - 1);
  return [
    ink.strong(title),
    ...shown.map(({ missing, laws: decided }) => {
      const line = cut(`${missing}  ${decided}`);
      return `${line.slice(0, missing.length)}${ink.faint(line.slice(missing.length))}`;
    }),
    ...renderMore(lines.length - shown.length, whole),
  ];
}

function renderMore(number: number, whole: string): readonly string[] {
  return number <= 0 ? [] : [`  and ${number} more: see ${whole}`];
}

/** Answers, as many as fit into a few lines, and how many questions no answer was seen to. */
function renderObservations(observations: readonly Observation[], ink: Ink, whole: string): readonly string[] {
  if (observations.length === 0) return [];
  const facts = observations.flatMap(({ id, answers }) => (answers.length === 0 ? [] : [printable(`${id}: ${answers.join(' or ')}`)]));
  const open = observations.length - facts.length;
  const left = open === 0 ? [] : [`${count(open, 'question')} of the contract ${open === 1 ? 'stays' : 'stay'} open`];
  const layOut = (shown: number): readonly string[] => {
    const more = facts.length - shown;
    return wrap([...facts.slice(0, shown), ...(more === 0 ? [] : [`${more} more answers: see ${whole}`]), ...left].join('; '), '  ');
  };
  const counts = facts.map((_, index) => facts.length - index);
  const shown = counts.find((number) => layOut(number).length <= longestObservations) ?? 0;
  return [ink.strong('Observed'), ...layOut(shown)];
}

function renderNotes(notes: readonly string[], ink: Ink, whole: string): readonly string[] {
  if (notes.length === 0) return [];
  const shown = notes.slice(0, longestNotes).flatMap((note) => wrap(printable(note), '    ', '  '));
  return [ink.strong('Notes'), ...shown, ...renderMore(notes.length - longestNotes, whole)];
}

function renderEffort({ requests, budget, durationMs }: RunResult, reports: readonly string[]): string {
  const written = reports.length === 0 ? '' : ` Written: ${reports.join(', ')}.`;
  return `${requests} of at most ${count(budget, 'request')} in ${describeTime(durationMs)}.${written}`;
}

function describeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** The last line: the verdict in words, and what the exit code says to programs. */
function renderVerdict(result: RunResult, exitCode: number, ink: Ink): string {
  const paint = exitCode === 1 ? ink.bad : exitCode === 0 ? ink.good : ink.doubtful;
  return `${paint(`${printable(describeEnd(result))}.`)} ${ink.faint(`Exit code ${exitCode}.`)}`;
}

function inkOf(state: State, ink: Ink): (text: string) => string {
  if (state === 'violated') return ink.bad;
  if (state === 'holds') return ink.good;
  return state === 'blocked' || state === 'inconclusive' || state === 'waived' ? ink.doubtful : ink.faint;
}
