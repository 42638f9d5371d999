/** TypeScript programs of a page: they type-check and run as in a project that has the package installed. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { Outcome } from './terminal.ts';

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
};

/** Checks and runs a program. Complaints of the type checker count as a failure of the program. */
export async function runProgram(text: string, repository: string, timeoutMs = 60_000): Promise<Outcome> {
  const project = createProject(text, repository);
  try {
    const file = join(project, 'example.ts');
    writeFileSync(file, text);
    const complaints = checkTypes(file, project);
    if (complaints !== '') return { exitCode: 1, stdout: '', stderr: complaints };
    const { outputText } = ts.transpileModule(text, { compilerOptions: { ...options, module: ts.ModuleKind.ES2022 }, fileName: file });
    writeFileSync(join(project, 'example.js'), outputText);
    return await runNode(project, timeoutMs);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** A project with links to the package and to what else the program imports. */
function createProject(text: string, repository: string): string {
  const project = mkdtempSync(join(tmpdir(), 'touchstone-example-'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
  link(repository, join(project, 'node_modules/touchstone'));
  for (const name of ['@types/node', ...listPackages(text)]) {
    const installed = join(repository, 'node_modules', name);
    if (existsSync(installed)) link(installed, join(project, 'node_modules', name));
  }
  return project;
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

/** What was read outside of the projects, by name: the libraries are nearly all that there is to read, and the same for every program. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function checkTypes(file: string, project: string): string {
  const plain = ts.createCompilerHost(options);
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, ...how) => {
    if (name.startsWith(project)) return plain.getSourceFile(name, ...how);
    if (!libraries.has(name)) libraries.set(name, plain.getSourceFile(name, ...how));
    return libraries.get(name);
  };
  const host = { ...plain, getSourceFile, getCurrentDirectory: () => project };
  const program = ts.createProgram([file], { ...options, noEmit: true }, host);
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host);
}

async function runNode(project: string, timeoutMs: number): Promise<Outcome> {
  const run = promisify(execFile)(process.execPath, ['example.js'], { cwd: project, timeout: timeoutMs });
  return await run.then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    (error: { readonly code?: number; readonly stdout: string; readonly stderr: string }) => ({ ...error, exitCode: error.code ?? 1 }),
  );
}
