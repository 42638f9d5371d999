/** A copy of the project in which mutants are switched on one at a time, and the tests that reach them are run. */

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { CodeMutant, Drawn } from './draw.ts';

/** How one test file met the mutants while none was switched on. */
export interface Coverage {
  /** Relative to the root of the copy. */
  readonly file: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** Mutants that its tests reach, and mutants reached while modules were loaded. */
  readonly reached: readonly string[];
  readonly loaded: readonly string[];
}

/** What became of a mutant. */
export interface Outcome {
  readonly verdict: 'noticed' | 'timeout' | 'survived' | 'unreached';
  /** The test file that noticed it. */
  readonly by?: string;
  /** The number of test files that were allowed to notice it. */
  readonly related: number;
}

const config = 'mutants.vitest.config.ts';

/** The copy of a commit, in a folder that is made when it is not there. */
export function createSandbox(root: string, revision: string, folder: string): string {
  const copy = join(folder, 'tree');
  if (existsSync(join(copy, config))) return copy;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  execFileSync('sh', ['-c', `git -C '${root}' archive ${revision} | tar -x -C '${copy}'`]);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('npm', ['run', 'build'], { cwd: copy, stdio: 'ignore' });
  const here = dirname(new URL(import.meta.url).pathname);
  for (const name of [config, 'mutants-setup.ts']) cpSync(join(here, `${name}.txt`), join(copy, name));
  return copy;
}

/** Puts the instrumented files in place. */
export function instrumentSandbox(copy: string, { files }: Drawn): void {
  for (const { file, text } of files) writeFileSync(join(copy, file), text);
}

/** Runs all tests once, and notes which of them reach which mutant. */
export async function measureCoverage(copy: string): Promise<readonly Coverage[]> {
  const notes = join(copy, 'coverage.jsonl');
  const report = join(copy, 'coverage.json');
  rmSync(notes, { force: true });
  await runVitest(copy, ['--reporter=json', `--outputFile=${report}`], { MUTANTS_COVERAGE: notes }, 3_600_000);
  const results = new Map(
    (JSON.parse(readFileSync(report, 'utf8')) as { testResults: readonly { name: string; status: string }[] }).testResults.map(
      ({ name, status }) => [name, status === 'passed'],
    ),
  );
  return readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Omit<Coverage, 'passed'>)
    .map((note) => ({ ...note, file: note.file.slice(copy.length + 1), passed: results.get(note.file) ?? false }));
}

/** Switches a mutant on, and runs the tests that reach it until one fails. */
export async function tryMutant(copy: string, mutant: CodeMutant, coverage: readonly Coverage[], slot: number): Promise<Outcome> {
  const related = relatedTests(copy, mutant, coverage);
  if (related.length === 0) return { verdict: 'unreached', related: 0 };
  const files = related.map(({ file }) => file);
  const usual = related.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const report = join(copy, `mutant-${slot}.json`);
  rmSync(report, { force: true });
  const env = { __STRYKER_ACTIVE_MUTANT__: mutant.id, MUTANTS_ORDER: JSON.stringify(files) };
  const args = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`, ...files];
  const ended = await runVitest(copy, args, env, 30_000 + 3 * usual);
  if (!ended) return { verdict: 'timeout', related: related.length };
  const { testResults, success } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly success: boolean;
    readonly testResults: readonly { name: string; status: string }[];
  };
  if (success) return { verdict: 'survived', related: related.length };
  const by = testResults.find(({ status }) => status === 'failed')?.name.slice(copy.length + 1);
  return { verdict: 'noticed', related: related.length, ...(by === undefined ? {} : { by }) };
}

/** The nearest first: those named after the mutated file, then those that reach few mutants, then the quick ones. */
function relatedTests(copy: string, { id, file }: CodeMutant, coverage: readonly Coverage[]): readonly Coverage[] {
  const isLoaded = coverage.some(({ loaded }) => loaded.includes(id));
  const importers = isLoaded ? importersOf(copy, file) : new Set<string>();
  const name = basename(file, '.ts');
  const rank = (test: Coverage): number =>
    (basename(test.file).startsWith(name) ? 0 : 1000) + test.durationMs / 1000 + test.reached.length / 10;
  return coverage
    .filter((test) => test.passed && (test.reached.includes(id) || importers.has(test.file)))
    .toSorted((left, right) => rank(left) - rank(right));
}

const imported = new Map<string, readonly string[]>();

/** Every file that imports a file, at any distance. */
function importersOf(copy: string, file: string): ReadonlySet<string> {
  const found = new Set([file]);
  const files = ['core', 'generators', 'mocks', 'contracts', 'reports', 'cli', 'test'].flatMap((top) =>
    readdirSync(join(copy, top), { recursive: true, encoding: 'utf8' })
      .filter((each) => each.endsWith('.ts'))
      .map((each) => join(top, each)),
  );
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const each of files) if (importsOf(copy, each).some((target) => found.has(target))) found.add(each);
  }
  return found;
}

function importsOf(copy: string, file: string): readonly string[] {
  const known = imported.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(copy, file), 'utf8');
  const targets = [...text.matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map((match) => join(dirname(file), match[1] ?? ''));
  imported.set(file, targets);
  return targets;
}

/** Runs vitest in the copy; false when it had to be stopped. */
function runVitest(copy: string, args: readonly string[], env: Readonly<Record<string, string>>, limitMs: number): Promise<boolean> {
  const command = join(copy, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [command, 'run', '--config', config, ...args], {
    cwd: copy,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined, ...env },
  });
  return new Promise((resolve, reject) => {
    const stop = setTimeout(() => {
      process.kill(-Number(child.pid), 'SIGKILL');
      resolve(false);
    }, limitMs);
    child.once('error', reject);
    child.once('exit', () => {
      clearTimeout(stop);
      resolve(true);
    });
  });
}

/** How many mutants are tried at the same time. */
export const slots: number = availableParallelism();
