/** What a run says while it goes on: one line that is rewritten on a terminal, and a line for each phase elsewhere. */

import type { RunEvent } from '../../core/results/run-result.ts';

/** Where progress is printed. */
export interface ProgressOptions {
  readonly title: string;
  readonly print: (text: string) => void;
  /** How wide a line may be that is rewritten in place; `undefined` for lines that stay. */
  readonly columns: number | undefined;
  /** Whether the stack of what failed is printed. */
  readonly debug?: boolean;
}

/** Hears of a run. */
export interface Progress {
  readonly hear: (event: RunEvent) => void;
  /** Takes away the line that was being rewritten. */
  readonly end: () => void;
}

interface State {
  budget: number;
  requests: number;
  phase: string;
  last: string;
}

/** Back to the start of the line, and the line emptied. */
const rewind = '\r\u001b[K';

/** Starts to tell of a run. */
export function createProgress({ title, print, columns, debug = false }: ProgressOptions): Progress {
  const state: State = { budget: 0, requests: 0, phase: '', last: '' };
  let isOpen = false;
  const keep = (line: string): void => {
    print(`${isOpen ? rewind : ''}${line}\n`);
    isOpen = false;
  };
  const rewrite = (): void => {
    if (columns === undefined || state.phase === '') return;
    print(`${rewind}${shorten(describe(state), columns)}`);
    isOpen = true;
  };
  let told = '';
  const tellPhase = ({ title: phase, done, of }: Extract<RunEvent, { kind: 'phase' }>): void => {
    state.phase = `${phase}, ${done} of ${count(of, 'check')}`;
    if (columns === undefined && phase !== told) keep(`${capital(phase)}: ${count(of, 'check')}, ${used(state)}.`);
    told = phase;
  };
  const hear = (event: RunEvent): void => {
    if (event.kind === 'started') {
      state.budget = event.budget;
      state.phase = 'reaching the target';
      keep(`Verifying ${title} at ${event.target}: at most ${count(event.budget, 'request')}, ${count(event.checks, 'check')}.`);
    } else if (event.kind === 'phase') tellPhase(event);
    else if (event.kind === 'request') {
      state.requests = event.number;
      state.last = `${event.method} ${printable(event.target)} ${event.status ?? 'no answer'}`;
    } else if (event.kind === 'waiting') keep(describeWait(event));
    else if (event.kind === 'failed' && debug) keep(event.error.stack ?? event.error.message);
    rewrite();
  };
  return {
    hear,
    end: () => {
      if (isOpen) print(rewind);
      isOpen = false;
    },
  };
}

function describeWait({ seconds, because }: Extract<RunEvent, { kind: 'waiting' }>): string {
  return seconds > 0 ? `Waiting ${seconds} s: ${because}.` : `${capital(because)}.`;
}

function describe(state: State): string {
  return [capital(state.phase), used(state), state.last].filter((part) => part !== '').join('  ');
}

function used({ requests, budget }: State): string {
  return `${requests} of at most ${count(budget, 'request')}`;
}

/** A line that is wider than the terminal would wrap, and only its last row be rewritten. */
function shorten(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
}

/** A request target may hold anything; what a terminal would act on is shown as it is escaped in JSON. */
function printable(target: string): string {
  return JSON.stringify(target).slice(1, -1);
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
