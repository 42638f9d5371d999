/** What each key does while `touchstone mock` runs. */

import { printInstant } from '../../core/query/instants.ts';
import type { RunningMock } from '../../mocks/start-mock.ts';
import type { Keyboard, Terminal } from '../command.ts';
import { interruptKey } from './keyboard.ts';

/** Objects that the shortcuts act on. */
interface ShortcutTargets {
  readonly mock: Pick<RunningMock, 'clock' | 'chaos' | 'journal'>;
  readonly out: Terminal['out'];
  readonly error: Terminal['error'];
  /** Text for a cleared screen. */
  readonly screen: () => string;
  readonly reload: () => Promise<void>;
  readonly quit: () => void;
}

/** A key and its action. */
interface Shortcut {
  readonly keys: readonly string[];
  readonly about: string;
  readonly act: () => void;
}

/** Rules that the key `x` switches on if the mock has none. */
const defaultChaos = '503 10%; latency 100ms..400ms';

const hourMs = 3_600_000;
const clearScreen = '\u001b[2J\u001b[3J\u001b[H';

/** Handles keys until the returned function is called. Unknown keys are ignored. */
export function listenToKeys(keyboard: Keyboard, targets: ShortcutTargets): () => void {
  const shortcuts = listShortcuts(targets);
  return keyboard((key) => {
    try {
      shortcuts.find(({ keys }) => keys.includes(key))?.act();
    } catch (error) {
      // The remembered chaos rules may name an operation that a reload removed from the contract.
      targets.error(`touchstone: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  });
}

function listShortcuts(targets: ShortcutTargets): readonly Shortcut[] {
  const { mock, out, screen, reload, quit } = targets;
  const advance = (milliseconds: number): void => {
    mock.clock.advance(milliseconds);
    out(`The clock is at ${printInstant(mock.clock.now())}.\n`);
  };
  const clear = (): void => {
    mock.journal.clear();
    out(`${clearScreen}${screen()}`);
  };
  const shortcuts: readonly Shortcut[] = [
    { keys: ['h', '?'], about: 'show these keys', act: () => out(renderShortcuts(shortcuts)) },
    { keys: ['t'], about: 'move the clock forward by an hour', act: () => advance(hourMs) },
    { keys: ['T'], about: 'move the clock forward by a day', act: () => advance(24 * hourMs) },
    { keys: ['x'], about: 'switch chaos on or off', act: createChaosSwitch(mock.chaos, out) },
    { keys: ['r'], about: 'reload the files', act: () => void reload() },
    { keys: ['c'], about: 'clear the screen and the journal, and forget the clients', act: clear },
    { keys: ['q', interruptKey], about: 'stop the mock, like Ctrl-C', act: quit },
  ];
  return shortcuts;
}

/** Switches chaos off, and on again with the last rules, or with default rules if the mock had none. */
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

function renderShortcuts(shortcuts: readonly Shortcut[]): string {
  return `${['', ...shortcuts.map(({ keys, about }) => `  ${keys[0] ?? ''}  ${about}`), ''].join('\n')}\n`;
}
