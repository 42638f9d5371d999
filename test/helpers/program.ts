/** Runs the built program, each time in a new process. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The program's file. */
export const program: string = join(repository, 'dist/cli/main.js');

/** A running program. */
export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  /** Output so far. */
  readonly printed: () => { readonly out: string; readonly error: string };
  /** Waits until standard output has this number of lines. Rejects if the program ends before. */
  readonly lines: (count: number) => Promise<readonly string[]>;
  /** Waits until standard output holds a text. */
  readonly until: (text: string) => Promise<string>;
  /** Resolves when the program has ended. */
  readonly ended: Promise<Ending>;
}

/** Exit and output of a program. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
}

/** Variables that colour output or change the behaviour of Node.js. They are removed unless a test sets them. */
const cleared = { NO_COLOR: undefined, FORCE_COLOR: undefined, NODE_OPTIONS: undefined, NODE_DISABLE_COLORS: undefined };

const started = new Set<ChildProcessWithoutNullStreams>();

/** Starts the built program. Builds it first if there is no build. */
export function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  build();
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...cleared, ...environment } });
  started.add(child);
  return watch(child);
}

/** Watches a process that the test started. */
export function watch(child: ChildProcessWithoutNullStreams): Running {
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString();
  });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      started.delete(child);
      resolve({ code, signal, out, error });
    });
  });
  const waitFor = <T>(what: string, find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found !== undefined) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      child.once('close', () => reject(new Error(`the program ended before it printed ${what}:\n${out}${error}`)));
    });
  const lines = (count: number): Promise<readonly string[]> =>
    waitFor(`${count} lines`, () => {
      const complete = out.split('\n').slice(0, -1);
      return complete.length >= count ? complete : undefined;
    });
  const until = (text: string): Promise<string> => waitFor(text, () => (out.includes(text) ? out : undefined));
  return { process: child, printed: () => ({ out, error }), lines, until, ended };
}

/** Runs the program to its end. */
export function finish(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ending> {
  return run(args, environment).ended;
}

/** Kills the programs that a test left running. */
export function endAll(): void {
  for (const child of started) child.kill('SIGKILL');
}

/**
 * Builds the program if there is no build. Builds into another folder and moves it, so that test files that run at the same time never see a
 * half-written build.
 */
export function build(): void {
  if (existsSync(program)) return;
  const folder = join(repository, `node_modules/.touchstone-build-${process.pid}`);
  const config = ts.getParsedCommandLineOfConfigFile(
    join(repository, 'tsconfig.build.json'),
    { outDir: folder },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (config === undefined) throw new Error('tsconfig.build.json cannot be read');
  ts.createProgram(config.fileNames, config.options).emit();
  if (existsSync(program)) rmSync(folder, { recursive: true });
  else renameSync(folder, join(repository, 'dist'));
}

function fail(diagnostic: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
}
