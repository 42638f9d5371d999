/** What keys do to a mock that runs in a terminal. */

import { printInstant } from '../mocks/clock.ts';
import type { RunningMock } from '../mocks/start.ts';
import type { Keyboard, Terminal } from './command.ts';
import { interruptKey } from './keyboard.ts';

/** What keys act on. */
export interface KeyTargets {
  readonly mock: Pick<RunningMock, 'clock' | 'trouble' | 'journal'>;
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
export const customaryTrouble = '503 10%; latency 100ms..400ms';

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
    { keys: ['x'], about: 'switch trouble on or off', act: createSwitch(mock.trouble, out) },
    { keys: ['r'], about: 'read the files again', act: () => void reload() },
    { keys: ['c'], about: 'clear the screen and the journal', act: clear },
    { keys: ['q', interruptKey], about: 'stop the mock, as Ctrl-C does', act: quit },
  ];
  return bindings;
}

/** Trouble is switched off and on again with the rules that it had; one who had none is given the customary ones. */
function createSwitch(trouble: RunningMock['trouble'], out: Terminal['out']): () => void {
  let kept: readonly string[] = [customaryTrouble];
  return () => {
    const rules = trouble.list();
    if (rules.length > 0) {
      kept = rules;
      trouble.clear();
      out('Trouble is off.\n');
      return;
    }
    trouble.set(kept);
    out(`Trouble is on: ${trouble.list().join('; ')}.\n`);
  };
}

function renderKeys(bindings: readonly Binding[]): string {
  return `${['', ...bindings.map(({ keys, about }) => `  ${keys[0] ?? ''}  ${about}`), ''].join('\n')}\n`;
}
