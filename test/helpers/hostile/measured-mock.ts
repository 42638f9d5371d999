/** The built mock in another process, which measures the longest block of its event loop and its memory. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build, program } from '../program.ts';

/** The highest values since the last call. */
export interface Pulse {
  /** The longest block of the event loop in milliseconds. */
  readonly blockMs: number;
  /** Peak memory (resident set) in MB. */
  readonly rssMb: number;
}

/** A mock with measurements. */
export interface MeasuredMock {
  readonly port: number;
  readonly keys: Readonly<Record<string, string>>;
  /** Measurements since the last call. */
  readonly measure: () => Promise<Pulse>;
  readonly close: () => Promise<void>;
}

const pulse = fileURLToPath(new URL('./pulse.mjs', import.meta.url));

/** Starts the built mock of some contracts; by default all contracts of the package. */
export async function startMeasuredMock(contracts: readonly string[] = []): Promise<MeasuredMock> {
  build();
  const child = fork(program, ['mock', ...contracts, '--port', '0', '--json'], {
    execArgv: ['--import', pulse],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = await once(child.stdout ?? child, 'data');
  const { url, keys } = JSON.parse(String(line).split('\n')[0] ?? '') as { readonly url: string; readonly keys: MeasuredMock['keys'] };
  child.stdout?.resume();
  return { port: Number(new URL(url).port), keys, measure: () => ask(child), close: () => end(child) };
}

async function ask(child: ChildProcess): Promise<Pulse> {
  const answered = once(child, 'message');
  child.send('pulse');
  return (await answered)[0] as Pulse;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
