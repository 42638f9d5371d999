/**
 * The session of `touchstone mock`: handles keyboard keys, and reloads the mock when its files change. `mock-command.ts` runs one between the start and the
 * stop of the mock, unless the mock runs a client. It serves nothing.
 */

import type { RunningMock } from '../../mocks/start-mock.ts';
import type { Terminal } from '../command.ts';
import { listenToKeys } from './key-bindings.ts';
import { watchFiles } from './watch-files.ts';

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
  const quitByKey = new Promise<void>((resolve) => {
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
  const hasKeyboard = keyboard !== undefined && style.hasKeys && !style.isJson;
  const releaseKeys = hasKeyboard
    ? listenToKeys(keyboard, { mock, out, error, screen: style.screen, reload: () => reload([]), quit })
    : undefined;
  try {
    await Promise.race([terminal.interrupted, quitByKey]);
  } finally {
    releaseKeys?.();
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
