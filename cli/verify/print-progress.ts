/** Shows the progress of a run at each event: one line rewritten in place on a terminal, or one line for each phase in a log. */

import { capitalize } from '../../core/capitalize.ts';
import { countNoun } from '../../core/count-noun.ts';
import type { RunEvent } from '../../core/results/run-result.ts';
import { printable } from '../../reports/printable-text.ts';

/** Output settings of the progress. */
interface ProgressOptions {
  readonly title: string;
  readonly print: (text: string) => void;
  /** Width of the terminal for a line that is rewritten in place; `undefined` for one line per phase. */
  readonly columns: number | undefined;
  /** True to print the stacks of errors. */
  readonly debug?: boolean;
}

/** Prints the events of a run. */
interface Progress {
  readonly onEvent: (event: RunEvent) => void;
  /** Removes the line that is rewritten in place. */
  readonly end: () => void;
}

interface ProgressState {
  budget: number;
  requests: number;
  phase: string;
  lastRequest: string;
  /** Seconds since the last event of the run. */
  silentSeconds: number;
}

/** Number of seconds without any event after which the line says that the target is silent. */
const patienceSeconds = 3;

/** Escape sequence that moves to the start of the line and clears it. */
const rewind = '\r\u001b[K';

/** Creates the progress of a run. */
export function createProgress({ title, print, columns, debug = false }: ProgressOptions): Progress {
  const state: ProgressState = { budget: 0, requests: 0, phase: '', lastRequest: '', silentSeconds: 0 };
  let hasOpenLine = false;
  const printLine = (line: string): void => {
    print(`${hasOpenLine ? rewind : ''}${line}\n`);
    hasOpenLine = false;
  };
  const rewrite = (): void => {
    if (columns === undefined || state.phase === '') return;
    print(`${rewind}${shortenLine(describeProgress(state), columns)}`);
    hasOpenLine = true;
  };
  let lastPhase = '';
  const printPhase = ({ title: phase, done, of, unit = 'check' }: Extract<RunEvent, { kind: 'phase' }>): void => {
    state.phase = `${phase}, ${done} of ${countNoun(of, unit)}`;
    if (columns === undefined && phase !== lastPhase) printLine(`${capitalize(phase)}: ${countNoun(of, unit)}, ${describeUsed(state)}.`);
    lastPhase = phase;
  };
  // Only a line that is rewritten counts the seconds without news; a log gets no line for them.
  const timer = setInterval(() => {
    state.silentSeconds += 1;
    if (state.silentSeconds >= patienceSeconds) rewrite();
  }, 1000).unref();
  const showEvent = (event: RunEvent): void => {
    state.silentSeconds = 0;
    if (event.kind === 'started') {
      state.budget = event.budget;
      state.phase = 'connecting to the target';
      printLine(
        `Verifying ${title} at ${event.target}: at most ${countNoun(event.budget, 'request')}, ${countNoun(event.checks, 'check')}.`,
      );
    } else if (event.kind === 'phase') printPhase(event);
    else if (event.kind === 'request') {
      state.requests = event.number;
      state.lastRequest = `${event.method} ${printable(event.target)} ${event.status ?? 'no response'}`;
    } else if (event.kind === 'waiting') printLine(describeWait(event));
    else if (event.kind === 'failed' && debug) printLine(event.error.stack ?? event.error.message);
    rewrite();
  };
  return {
    onEvent: showEvent,
    end: () => {
      clearInterval(timer);
      if (hasOpenLine) print(rewind);
      hasOpenLine = false;
    },
  };
}

function describeWait({ seconds, because }: Extract<RunEvent, { kind: 'waiting' }>): string {
  return seconds > 0 ? `Waiting ${seconds} s: ${because}.` : `Note: ${because}.`;
}

function describeProgress(state: ProgressState): string {
  const silence = state.silentSeconds < patienceSeconds ? '' : `no response for ${state.silentSeconds} s`;
  return [capitalize(state.phase), silence, describeUsed(state), state.lastRequest].filter((part) => part !== '').join('  ');
}

function describeUsed({ requests, budget }: ProgressState): string {
  return `${requests} of at most ${countNoun(budget, 'request')}`;
}

/** Shortens a line to the width of the terminal. A wrapped line could not be rewritten. */
function shortenLine(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
}
