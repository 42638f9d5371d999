/** The package as readers use it: programs are type-checked and run as in a project that has it installed, and so is its command line. */

import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { Outcome } from './terminal.ts';

/** The package, installed for a few pages. */
export interface Installed {
  /** Checks and runs one of the programs. Complaints of the type checker count as a failure of the program. */
  runProgram(text: string, translate: (text: string) => string): Promise<Outcome>;
  /** Notes that the real npx has found the program. From then on, a function stands in for it, which is faster. */
  prove(): void;
  isProven(): boolean;
  /** A function for the shell: `npx touchstone` without a new process. */
  npx(): Promise<string>;
  /** Throws when a command or a program has failed late, or left something open. */
  close(): Promise<void>;
}

/** The strictest settings that a reader may have. Libraries are checked as they are, the package's own declarations are what is tried. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
  noEmit: true,
};

/** Time limit of a program. */
const programTimeoutMs = 60_000;

/** Installs the package of a repository for some programs. After the last command and program, all must be closed within `patienceMs`. */
export function install(repository: string, programs: readonly string[], patienceMs = 10_000): Installed {
  const project = mkdtempSync(join(tmpdir(), 'touchstone-example-'));
  let checked: readonly string[] | undefined;
  let host: Promise<Host> | undefined;
  let isProven = false;
  const startedHost = (): Promise<Host> => {
    host ??= startHost([repository, join(project, 'host.socket'), String(patienceMs)]);
    return host;
  };
  return {
    runProgram: async (text, translate) => {
      const at = programs.indexOf(text);
      checked ??= checkPrograms(createProject(project, programs, repository), project);
      const complaints = checked[at] ?? 'the program was not announced';
      if (complaints !== '') return { exitCode: 1, stdout: '', stderr: complaints };
      const file = join(project, `example-${at}.js`);
      const compilerOptions = { ...options, module: ts.ModuleKind.ES2022 };
      writeFileSync(file, ts.transpileModule(translate(text), { compilerOptions, fileName: file }).outputText);
      // The output of a test arrives when its process ends.
      return /from 'node:test'/.test(text) ? await runAlone(file) : await (await startedHost()).runProgram(file);
    },
    prove: () => {
      isProven = true;
    },
    isProven: () => isProven,
    npx: async () => toFunction(await startedHost(), project),
    close: async () => {
      try {
        await (await host)?.close();
      } finally {
        rmSync(project, { recursive: true, force: true });
      }
    },
  };
}

/** A project with links to the package and to what else the programs import; the files of the programs. */
function createProject(project: string, programs: readonly string[], repository: string): readonly string[] {
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
  link(repository, join(project, 'node_modules/touchstone'));
  for (const name of ['@types/node', ...programs.flatMap(listPackages)]) {
    const installed = join(repository, 'node_modules', name);
    if (existsSync(installed)) link(installed, join(project, 'node_modules', name));
  }
  return programs.map((text, at) => {
    writeFileSync(join(project, `example-${at}.ts`), text);
    return join(project, `example-${at}.ts`);
  });
}

function listPackages(text: string): readonly string[] {
  const specifiers = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  const names = specifiers.filter((specifier) => !/^(\.|node:|touchstone(\/|$))/.test(specifier));
  return names.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
}

function link(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

/** Library files by name, shared by all programs, since they are nearly all that the compiler reads. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** The complaints about each file. */
function checkPrograms(files: readonly string[], project: string): readonly string[] {
  const plain = ts.createCompilerHost(options);
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, ...how) => {
    if (name.startsWith(project)) return plain.getSourceFile(name, ...how);
    if (!libraries.has(name)) libraries.set(name, plain.getSourceFile(name, ...how));
    return libraries.get(name);
  };
  // Comments say nothing about types in TypeScript, and are a third of what there is to read.
  const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const host = { ...plain, getSourceFile, jsDocParsingMode, getCurrentDirectory: () => project };
  const program = ts.createProgram(files, options, host);
  return files.map((file) => ts.formatDiagnostics(ts.getPreEmitDiagnostics(program, program.getSourceFile(file)), host));
}

/** Runs a program in a process of its own. */
async function runAlone(file: string): Promise<Outcome> {
  return await promisify(execFile)(process.execPath, [file], { cwd: dirname(file), timeout: programTimeoutMs }).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { readonly code?: number; readonly stdout: string; readonly stderr: string }) => ({
      exitCode: code ?? 1,
      stdout,
      stderr,
    }),
  );
}

/** The process in which commands and programs run. */
interface Host {
  readonly socket: string;
  runProgram(file: string): Promise<Outcome>;
  close(): Promise<void>;
}

async function startHost([repository, socket, patience]: readonly [string, string, string]): Promise<Host> {
  const child = fork(fileURLToPath(new URL('host.mjs', import.meta.url)), [repository, socket, patience], { silent: true, execArgv: [] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'exit');
  const receive = async (): Promise<unknown> => {
    const answer = once(child, 'message').then(([message]) => message as unknown);
    const failure = ended.then(() => ({ exitCode: 1, stdout: '', stderr: `the process of the program ended:\n${printed}` }));
    const late = delay(programTimeoutMs, undefined, { ref: false });
    return (await Promise.race([answer, failure, late])) ?? { exitCode: 1, stdout: '', stderr: 'the program did not end' };
  };
  await receive();
  return {
    socket,
    runProgram: async (file) => {
      child.send(file);
      return (await receive()) as Outcome;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
      if (child.exitCode !== 0) throw new Error(`the process of commands and programs ended with ${child.exitCode}:\n${printed}`);
    },
  };
}

/** Hands the command to the host with the folder, the variables and the arguments, each ended by NUL. */
function toFunction({ socket }: Host, folder: string): string {
  return `npx() {
  [ "$1" = touchstone ] || { command npx "$@"; return; }
  shift
  local file="${folder}/$BASHPID-$RANDOM"
  { printf '%s\\0' "$PWD" "$file" "$#" "$@"; env -0; } | command curl -sSN --unix-socket '${socket}' --data-binary @- http://host/ || return
  cat "$file.err" >&2
  return "$(cat "$file.code")"
}`;
}
