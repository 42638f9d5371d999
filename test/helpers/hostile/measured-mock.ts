/** The built mock in a process of its own, which tells how long its event loop was blocked and how much memory it took. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build, program } from '../program.ts';

/** The worst of a span of time. */
export interface Pulse {
  /** The longest time that the event loop worked on one thing, in milliseconds. */
  readonly blockMs: number;
  /** The most memory (resident set), in MB. */
  readonly rssMb: number;
}

/** A mock that is measured. */
export interface MeasuredMock {
  readonly port: number;
  readonly keys: Readonly<Record<string, string>>;
  /** Measurements since the last call. */
  readonly measure: () => Promise<Pulse>;
  readonly close: () => Promise<void>;
}

const pulse = fileURLToPath(new URL('./pulse.mjs', import.meta.url));

/** Starts the built mock of some contracts; all that are shipped without one. */
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
