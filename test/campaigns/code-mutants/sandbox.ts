/** A copy of the project in which mutants are switched on one at a time, and the tests that reach them are run. */

import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CodeMutant, Drawn } from './draw.ts';

/** Result of one test file while no mutant is active. */
export interface Coverage {
  /** Relative to the root of the copy. */
  readonly file: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** Mutants that its tests reach, and mutants reached while modules were loaded. */
  readonly reached: readonly string[];
  readonly loaded: readonly string[];
}

/** Fate of a mutant. */
export interface Outcome {
  readonly verdict: 'noticed' | 'timeout' | 'survived' | 'unreached';
  /** The test file that noticed it. */
  readonly by?: string;
  /** The number of test files that were allowed to notice it. */
  readonly related: number;
}

/** Time for all related tests of a mutant together; the nearest come first. */
const relatedMs = 60_000;

const config = 'mutants.vitest.config.ts';

/** Makes a copy of some files of a project, with the instrumented files in place. The built program in dist/ stays as it is. */
export function createSandbox(project: string, tree: string, files: readonly string[], drawn: Drawn): void {
  for (const file of files) cpSync(join(project, file), join(tree, file));
  if (existsSync(join(project, 'dist'))) cpSync(join(project, 'dist'), join(tree, 'dist'), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(tree, 'node_modules'));
  for (const { file, text } of drawn.files) writeFileSync(join(tree, file), text);
  const templates = fileURLToPath(new URL('.', import.meta.url));
  for (const name of [config, 'mutants-setup.ts']) cpSync(join(templates, `${name}.txt`), join(tree, name));
}

/** Runs all tests once, and notes which of them reach which mutant. */
export async function measureCoverage(tree: string): Promise<readonly Coverage[]> {
  const notes = join(tree, 'coverage.jsonl');
  const report = join(tree, 'coverage.json');
  rmSync(notes, { force: true });
  await runVitest(tree, ['--reporter=json', `--outputFile=${report}`], { MUTANTS_COVERAGE: notes }, 3_600_000);
  const results = new Map(
    (JSON.parse(readFileSync(report, 'utf8')) as { testResults: readonly { name: string; status: string }[] }).testResults.map(
      ({ name, status }) => [name, status === 'passed'],
    ),
  );
  return readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Omit<Coverage, 'passed'>)
    .map((note) => ({ ...note, file: note.file.slice(tree.length + 1), passed: results.get(note.file) ?? false }));
}

/** Switches a mutant on, and runs the tests that reach it until one fails. */
export async function tryMutant(tree: string, mutant: CodeMutant, coverage: readonly Coverage[]): Promise<Outcome> {
  const related = relatedTests(tree, mutant, coverage);
  if (related.length === 0) return { verdict: 'unreached', related: 0 };
  const files = related.map(({ file }) => file);
  const usual = related.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const report = join(tree, `mutant-${mutant.id}.json`);
  rmSync(report, { force: true });
  const env = { __STRYKER_ACTIVE_MUTANT__: mutant.id, MUTANTS_ORDER: JSON.stringify(files) };
  const args = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`, ...files];
  const ended = await runVitest(tree, args, env, 120_000 + 4 * usual);
  if (!ended) return { verdict: 'timeout', related: related.length };
  const { testResults, success } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly success: boolean;
    readonly testResults: readonly { name: string; status: string }[];
  };
  if (success) return { verdict: 'survived', related: related.length };
  const by = testResults.find(({ status }) => status === 'failed')?.name.slice(tree.length + 1);
  return { verdict: 'noticed', related: related.length, ...(by === undefined ? {} : { by }) };
}

/** The nearest first: those named after the mutated file, then those that reach few mutants, then the quick ones. */
function relatedTests(tree: string, { id, file }: CodeMutant, coverage: readonly Coverage[]): readonly Coverage[] {
  const isLoaded = coverage.some(({ loaded }) => loaded.includes(id));
  const importers = isLoaded ? importersOf(tree, file) : new Set<string>();
  const name = basename(file, '.ts');
  const rank = (test: Coverage): number =>
    (basename(test.file).startsWith(name) ? 0 : 1000) + test.durationMs / 1000 + test.reached.length / 10;
  const nearest = coverage
    .filter((test) => test.passed && (test.reached.includes(id) || importers.has(test.file)))
    .toSorted((left, right) => rank(left) - rank(right));
  let totalMs = 0;
  return nearest.filter(({ durationMs }) => {
    totalMs += durationMs;
    return totalMs - durationMs < relatedMs;
  });
}

const imported = new Map<string, readonly string[]>();

/** Every file that imports a file, at any distance. */
function importersOf(tree: string, file: string): ReadonlySet<string> {
  const found = new Set([file]);
  const folders = ['core', 'generators', 'mocks', 'contracts', 'reports', 'cli', 'test'].filter((top) => existsSync(join(tree, top)));
  const files = folders.flatMap((top) =>
    readdirSync(join(tree, top), { recursive: true, encoding: 'utf8' })
      .filter((each) => each.endsWith('.ts'))
      .map((each) => join(top, each)),
  );
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const each of files) if (importsOf(tree, each).some((target) => found.has(target))) found.add(each);
  }
  return found;
}

function importsOf(tree: string, file: string): readonly string[] {
  const known = imported.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(tree, file), 'utf8');
  const targets = [...text.matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map((match) => join(dirname(file), match[1] ?? ''));
  imported.set(file, targets);
  return targets;
}

/** Runs vitest in the copy; false when it had to be stopped. */
function runVitest(tree: string, args: readonly string[], env: Readonly<Record<string, string>>, limitMs: number): Promise<boolean> {
  const command = join(tree, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [command, 'run', '--config', config, ...args], {
    cwd: tree,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      VITEST: undefined,
      VITEST_POOL_ID: undefined,
      VITEST_WORKER_ID: undefined,
      TOUCHSTONE_CAMPAIGN: undefined,
      ...env,
    },
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
