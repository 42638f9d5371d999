/** A mock that runs in front of somebody: keys act on it, and it follows its files. */

import type { RunningMock } from '../mocks/start.ts';
import type { Terminal } from './command.ts';
import { listenToKeys } from './mock-keys.ts';
import { watchFiles } from './mock-watch.ts';

/** How a session speaks. */
export interface SessionStyle {
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
