/**
 * The session of `touchstone mock`: handles keys, and reloads the mock when its files change. `mock-command.ts` runs one session, between the start and
 * the stop of the mock; `proxy-command.ts` uses its line buffer. It serves nothing.
 */

import { printInstant } from '../../mocks/clock.ts';
import type { RunningMock } from '../../mocks/start.ts';
import type { Keyboard, Terminal } from '../command.ts';
import { interruptKey } from './keyboard.ts';
import { watchFiles } from './mock-watch.ts';

/** Settings of a session. */
interface SessionStyle {
  readonly isJson: boolean;
  /** True if single keys are read. */
  readonly hasKeys: boolean;
  /** True to print the stacks of errors. */
  readonly debug: boolean;
  /** Text for a cleared screen. */
  readonly screen: () => string;
}

/** Handles keys and file changes until a key or a signal stops the mock. */
export async function runSession(mock: RunningMock, terminal: Terminal, style: SessionStyle): Promise<void> {
  let quit = (): void => undefined;
  const isQuit = new Promise<void>((resolve) => {
    quit = resolve;
  });
  const reload = (changed: readonly string[]): Promise<void> => reloadAndReport(mock, terminal, style, changed);
  const stopWatching = watchFiles({
    files: () => mock.files,
    onChange: reload,
    onError: (error) =>
      terminal.error(`touchstone: files can no longer be watched (${error.message}); press r or restart the mock after a change\n`),
  });
  const { keyboard, out, error } = terminal;
  const readsKeys = keyboard !== undefined && style.hasKeys && !style.isJson;
  const release = readsKeys
    ? listenToKeys(keyboard, { mock, out, error, screen: style.screen, reload: () => reload([]), quit })
    : undefined;
  try {
    await Promise.race([terminal.interrupted, isQuit]);
  } finally {
    release?.();
    stopWatching();
  }
}

/** Reloads the files. A mistake in them is reported, and the mock continues with the previous version. */
async function reloadAndReport(mock: RunningMock, terminal: Terminal, style: SessionStyle, changed: readonly string[]): Promise<void> {
  try {
    await mock.reload();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const stack = style.debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
    if (style.isJson) terminal.out(`${JSON.stringify({ event: 'reload-failed', files: changed, message })}\n`);
    terminal.error(`touchstone: ${message}\n${stack}The mock continues with the previous version. Correct the file and save it.\n`);
    return;
  }
  if (style.isJson) terminal.out(`${JSON.stringify({ event: 'reload', files: changed })}\n`);
  else terminal.out(changed.length === 0 ? 'Reloaded.\n' : `Reloaded after a change of ${changed.join(' and ')}.\n`);
}

/** Objects that the keys act on. */
interface KeyTargets {
  readonly mock: Pick<RunningMock, 'clock' | 'chaos' | 'journal'>;
  readonly out: Terminal['out'];
  readonly error: Terminal['error'];
  /** Text for a cleared screen. */
  readonly screen: () => string;
  readonly reload: () => Promise<void>;
  readonly quit: () => void;
}

/** A key and its action. */
interface Binding {
  readonly keys: readonly string[];
  readonly about: string;
  readonly act: () => void;
}

/** Rules that the key `x` switches on if the mock has none. */
export const defaultChaos = '503 10%; latency 100ms..400ms';

const hour = 3_600_000;
const clearScreen = '\u001b[2J\u001b[3J\u001b[H';

/** Handles keys until the returned function is called. Unknown keys are ignored. */
export function listenToKeys(keyboard: Keyboard, targets: KeyTargets): () => void {
  const bindings = listBindings(targets);
  return keyboard((key) => {
    try {
      bindings.find(({ keys }) => keys.includes(key))?.act();
    } catch (error) {
      // The remembered chaos rules may name an operation that a reload removed from the contract.
      targets.error(`touchstone: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  });
}

function listBindings(targets: KeyTargets): readonly Binding[] {
  const { mock, out, screen, reload, quit } = targets;
  const advance = (milliseconds: number): void => {
    mock.clock.advance(milliseconds);
    out(`The clock is at ${printInstant(mock.clock.now())}.\n`);
  };
  const clear = (): void => {
    mock.journal.clear();
    out(`${clearScreen}${screen()}`);
  };
  const bindings: readonly Binding[] = [
    { keys: ['h', '?'], about: 'show these keys', act: () => out(renderKeys(bindings)) },
    { keys: ['t'], about: 'move the clock forward by an hour', act: () => advance(hour) },
    { keys: ['T'], about: 'move the clock forward by a day', act: () => advance(24 * hour) },
    { keys: ['x'], about: 'switch chaos on or off', act: createChaosSwitch(mock.chaos, out) },
    { keys: ['r'], about: 'reload the files', act: () => void reload() },
    { keys: ['c'], about: 'clear the screen and the journal', act: clear },
    { keys: ['q', interruptKey], about: 'stop the mock, like Ctrl-C', act: quit },
  ];
  return bindings;
}

/** Switches chaos off and on. It returns with the last rules, or with the default rules if the mock had none. */
function createChaosSwitch(chaos: RunningMock['chaos'], out: Terminal['out']): () => void {
  let lastRules: readonly string[] = [defaultChaos];
  return () => {
    const rules = chaos.list();
    if (rules.length > 0) {
      lastRules = rules;
      chaos.clear();
      out('Chaos is off.\n');
      return;
    }
    chaos.set(lastRules);
    out(`Chaos is on: ${chaos.list().join('; ')}.\n`);
  };
}

function renderKeys(bindings: readonly Binding[]): string {
  return `${['', ...bindings.map(({ keys, about }) => `  ${keys[0] ?? ''}  ${about}`), ''].join('\n')}\n`;
}

/** Buffer that prints lines in order, after a short delay. */
interface LineBuffer {
  readonly print: (line: string) => void;
  /** Prints the buffered lines now. */
  readonly flush: () => void;
}

/** Time in which lines are collected into one write. */
const delayMs = 20;

/** Creates a buffer in front of an output. One write for many lines is much cheaper than one for each line. */
export function createLineBuffer(out: (text: string) => void): LineBuffer {
  let buffered = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = buffered;
    buffered = '';
    if (text !== '') out(text);
  };
  return {
    print: (line) => {
      buffered += line;
      timer ??= setTimeout(flush, delayMs);
    },
    flush,
  };
}

/** Returns a terminal that flushes the buffer before each output, to keep the order of the lines. */
export function flushingBefore(terminal: Terminal, { flush }: LineBuffer): Terminal {
  const flushFirst =
    (print: (text: string) => void) =>
    (text: string): void => {
      flush();
      print(text);
    };
  return { ...terminal, out: flushFirst(terminal.out), error: flushFirst(terminal.error) };
}
