/** Runs the client under test as a child process, with the address and the keys of a mock in its environment, until it ends. Judges nothing. */

import { type ChildProcess, spawn } from 'node:child_process';
import { UsageError } from '../../core/errors.ts';
import type { ExamRunEnd } from '../../mocks/exam/exam.ts';
import type { RunningMock } from '../../mocks/start-mock.ts';

/** Environment variables for a client: the address of the mock, and its keys. */
export function environmentOf({ url, keys }: RunningMock): Readonly<Record<string, string>> {
  const entries = Object.entries(keys).map(([role, key]) => [`API_KEY_${role.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`, key] as const);
  return {
    ...Object.fromEntries(entries),
    API_URL: url,
    API_CONTROL_URL: `${url}/__mock`,
    ...(keys['full'] === undefined ? {} : { API_KEY: keys['full'] }),
  };
}

/** The end of a client. Its output is empty if it was not captured. */
export interface EndOfClient extends ExamRunEnd {
  readonly isInterrupted: boolean;
}

/** The command of a client, and the settings of its process. */
interface ClientProcess {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when the user asks to stop. */
  readonly interrupted: Promise<void>;
  /** Kills the client at once. */
  readonly killed?: AbortSignal;
  /** Time after which the client is stopped. With a limit, its output is captured; without one, it goes to the streams of this process. */
  readonly timeoutMs?: number;
}

/** Time for a client to stop after an interruption, before it is killed. */
const graceMs = 1500;

/** Exit codes of a client that a signal ended, as shells report it, and of one that took too long, as `timeout` reports it. */
const [signalCode, timeoutCode] = [128, 124];

/** Maximum number of captured characters. */
const outputMax = 4000;

/**
 * Runs a client until it ends, and judges nothing.
 * @throws {UsageError} if it cannot be started.
 */
export function runClientProcess({ command, environment, interrupted, killed, timeoutMs }: ClientProcess): Promise<EndOfClient> {
  const [program = '', ...args] = command;
  const isCaptured = timeoutMs !== undefined;
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    // A captured client has a process group of its own, so that the programs that it started end with it.
    const child = spawn(program, args, { stdio: isCaptured ? ['ignore', 'pipe', 'pipe'] : 'inherit', env, detached: isCaptured });
    const end = { isInterrupted: false, isLate: false, output: '' };
    const stop = (): void => {
      signal(child, isCaptured, 'SIGTERM');
      setTimeout(() => signal(child, isCaptured, 'SIGKILL'), graceMs).unref();
    };
    const timer = isCaptured
      ? setTimeout(() => {
          end.isLate = true;
          stop();
        }, timeoutMs)
      : undefined;
    killed?.addEventListener('abort', () => signal(child, isCaptured, 'SIGKILL'));
    void interrupted.then(() => {
      end.isInterrupted = true;
      stop();
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        end.output = `${end.output}${text}`.slice(-outputMax);
      });
    child.once('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(
        new UsageError(
          `the command ${program} cannot be started (${cause.code ?? cause.message}); write a program and its arguments, as in -- npm run sync`,
          { cause },
        ),
      );
    });
    // A program that the client left behind may keep the streams open.
    child.once('exit', () => setTimeout(() => closeStreams(child), graceMs).unref());
    child.once('close', (code) => {
      clearTimeout(timer);
      const { isInterrupted, isLate, output } = end;
      const lateNote = isLate ? `\nThe client was stopped after ${(timeoutMs ?? 0) / 1000} s; --timeout allows more.` : '';
      resolve({ code: isLate ? timeoutCode : (code ?? signalCode), isInterrupted, output: `${output}${lateNote}`.trim() });
    });
  });
}

function closeStreams({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

/** Sends a signal to a client, or to its process group, unless it has ended. */
function signal(child: ChildProcess, hasGroup: boolean, name: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  if (hasGroup && process.platform !== 'win32') process.kill(-child.pid, name);
  else child.kill(name);
}
