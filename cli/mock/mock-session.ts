/** A mock that runs in front of somebody: keys act on it, and it follows its files. */

import { printInstant } from '../../mocks/clock.ts';
import type { RunningMock } from '../../mocks/start.ts';
import type { Keyboard, Terminal } from '../command.ts';
import { interruptKey } from './keyboard.ts';
import { watchFiles } from './mock-watch.ts';

/** How a session speaks. */
interface SessionStyle {
  readonly isJson: boolean;
  readonly hasKeys: boolean;
  /** Whether the stack of an error is wanted. */
  readonly debug: boolean;
  /** What stands on a screen that was cleared. */
  readonly screen: () => string;
}

/** Attends to a mock until it is to stop: by a key, or by an interruption. */
export async function attend(mock: RunningMock, terminal: Terminal, style: SessionStyle): Promise<void> {
  let quit = (): void => undefined;
  const isQuit = new Promise<void>((resolve) => {
    quit = resolve;
  });
  const reload = (changed: readonly string[]): Promise<void> => reloadAndTell(mock, terminal, style, changed);
  const stopWatching = watchFiles({
    files: () => mock.files,
    onChange: reload,
    onError: (error) =>
      terminal.error(
        `touchstone: changes of files are not noticed any more (${error.message}); press r, or start it again, after a change\n`,
      ),
  });
  const { keyboard, out, error } = terminal;
  const isKeyed = keyboard !== undefined && style.hasKeys && !style.isJson;
  const release = isKeyed ? listenToKeys(keyboard, { mock, out, error, screen: style.screen, reload: () => reload([]), quit }) : undefined;
  try {
    await Promise.race([terminal.interrupted, isQuit]);
  } finally {
    release?.();
    stopWatching();
  }
}

/** Reads the files again. What is wrong with them is told, and the mock goes on with what it has. */
async function reloadAndTell(mock: RunningMock, terminal: Terminal, style: SessionStyle, changed: readonly string[]): Promise<void> {
  try {
    await mock.reload();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const stack = style.debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
    if (style.isJson) terminal.out(`${JSON.stringify({ event: 'reload-failed', files: changed, message })}\n`);
    terminal.error(`touchstone: ${message}\n${stack}The mock goes on as it was before; save the file again when it is mended.\n`);
    return;
  }
  if (style.isJson) terminal.out(`${JSON.stringify({ event: 'reload', files: changed })}\n`);
  else terminal.out(changed.length === 0 ? 'Reloaded.\n' : `Reloaded, since ${changed.join(' and ')} changed.\n`);
}

/** What keys act on. */
interface KeyTargets {
  readonly mock: Pick<RunningMock, 'clock' | 'chaos' | 'journal'>;
  readonly out: Terminal['out'];
  readonly error: Terminal['error'];
  /** What stands on a screen that was cleared. */
  readonly screen: () => string;
  readonly reload: () => Promise<void>;
  readonly quit: () => void;
}

/** A key with what it does. */
interface Binding {
  readonly keys: readonly string[];
  readonly about: string;
  readonly act: () => void;
}

/** What `x` brings where no rule was given. */
export const customaryChaos = '503 10%; latency 100ms..400ms';

const hour = 3_600_000;
const clearScreen = '\u001b[2J\u001b[3J\u001b[H';

/** Lets keys act until the answer is called. Keys that mean nothing do nothing. */
export function listenToKeys(keyboard: Keyboard, targets: KeyTargets): () => void {
  const bindings = listBindings(targets);
  return keyboard((key) => {
    try {
      bindings.find(({ keys }) => keys.includes(key))?.act();
    } catch (error) {
      // Rules that were right once may name an operation that a changed contract does not have any more.
      targets.error(`touchstone: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  });
}

function listBindings(targets: KeyTargets): readonly Binding[] {
  const { mock, out, screen, reload, quit } = targets;
  const advance = (milliseconds: number): void => {
    mock.clock.advance(milliseconds);
    out(`The clock shows ${printInstant(mock.clock.now())}.\n`);
  };
  const clear = (): void => {
    mock.journal.clear();
    out(`${clearScreen}${screen()}`);
  };
  const bindings: readonly Binding[] = [
    { keys: ['h', '?'], about: 'show these keys', act: () => out(renderKeys(bindings)) },
    { keys: ['t'], about: 'move the clock on by an hour', act: () => advance(hour) },
    { keys: ['T'], about: 'move the clock on by a day', act: () => advance(24 * hour) },
    { keys: ['x'], about: 'switch chaos on or off', act: createSwitch(mock.chaos, out) },
    { keys: ['r'], about: 'read the files again', act: () => void reload() },
    { keys: ['c'], about: 'clear the screen and the journal', act: clear },
    { keys: ['q', interruptKey], about: 'stop the mock, as Ctrl-C does', act: quit },
  ];
  return bindings;
}

/** Chaos is switched off and on again with the rules that it had; one who had none is given the customary ones. */
function createSwitch(chaos: RunningMock['chaos'], out: Terminal['out']): () => void {
  let kept: readonly string[] = [customaryChaos];
  return () => {
    const rules = chaos.list();
    if (rules.length > 0) {
      kept = rules;
      chaos.clear();
      out('Chaos is off.\n');
      return;
    }
    chaos.set(kept);
    out(`Chaos is on: ${chaos.list().join('; ')}.\n`);
  };
}

function renderKeys(bindings: readonly Binding[]): string {
  return `${['', ...bindings.map(({ keys, about }) => `  ${keys[0] ?? ''}  ${about}`), ''].join('\n')}\n`;
}

/** Prints lines soon, in their order. */
interface Lines {
  readonly print: (line: string) => void;
  /** Hands over what is waiting. */
  readonly flush: () => void;
}

/** How long a line waits for others; nobody sees the difference. */
const patienceMs = 20;

/** Lines on their way to an output. */
export function createLines(out: (text: string) => void): Lines {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') out(text);
  };
  return {
    print: (line) => {
      waiting += line;
      timer ??= setTimeout(flush, patienceMs);
    },
    flush,
  };
}

/** A terminal that shows the lines which came before whatever is said on it. */
export function afterLines(terminal: Terminal, { flush }: Lines): Terminal {
  const after =
    (print: (text: string) => void) =>
    (text: string): void => {
      flush();
      print(text);
    };
  return { ...terminal, out: after(terminal.out), error: after(terminal.error) };
}
