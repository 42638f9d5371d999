/** Mutants of the source code, drawn by a seed: which of them the related tests notice. `--files contracts/verify/rules` draws from a folder. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Campaign, defineCampaign, digestOfSources, type Judged, type Options, root } from './campaign.ts';
import { type CodeMutant, type Drawn, drawMutants } from './code-mutants/draw.ts';
import { type Coverage, createSandbox, measureCoverage, type Outcome, tryMutant } from './code-mutants/sandbox.ts';

/** The mutants of a run, and what each test file reaches of them. */
interface Prepared {
  readonly mutants: readonly CodeMutant[];
  readonly coverage: readonly Coverage[];
}

type Result = CodeMutant & Outcome;

const plan = defineCampaign<
  { readonly key: string; readonly mutant: CodeMutant; readonly coverage: readonly Coverage[]; readonly tree: string },
  Result
>({
  prepare: async (_, options) => {
    const folder = folderOf(options);
    if (existsSync(join(folder, 'prepared.json'))) return;
    const { size, seed, files } = withDefaults(options);
    console.log(`draws ${size} mutants from ${files.join(', ')} by the seed ${seed}; runs all tests once to see which mutants they reach`);
    rmSync(folder, { recursive: true, force: true });
    const drawn = await drawMutants(root, files.flatMap(listSources).toSorted(), seed, size);
    const prepared = await prepare(root, join(folder, 'tree'), listTracked(), drawn);
    writeFileSync(join(folder, 'prepared.json'), JSON.stringify(prepared));
  },
  items: (_, options) => {
    const { mutants, coverage } = JSON.parse(readFileSync(join(folderOf(options), 'prepared.json'), 'utf8')) as Prepared;
    return mutants.map((mutant) => ({ key: keyOf(mutant), mutant, coverage, tree: join(folderOf(options), 'tree') }));
  },
  judge: async ({ tree, mutant, coverage }) => ({ ...mutant, ...(await tryMutant(tree, mutant, coverage)) }),
  // A surviving mutant is not an error by itself: the page lists them, and readers compare the shares.
  complaints: () => [],
  smoke: (items) => items,
  renderPage,
});

/** The smoke test draws from a small project made for it: a mutant of tested code is noticed, one of unreached code is not. */
export const campaign: Campaign = {
  ...plan,
  smoke: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-mutants-'));
    try {
      const project = writeProject(join(folder, 'project'));
      const drawn = await drawMutants(project, ['core/sign.ts'], 1, 100);
      const { mutants, coverage } = await prepare(project, join(folder, 'tree'), Object.keys(smallProject), drawn);
      const verdictOf = async (line: number): Promise<string> => {
        const mutant = mutants.find((each) => each.line === line);
        return mutant === undefined ? 'not drawn' : (await tryMutant(join(folder, 'tree'), mutant, coverage)).verdict;
      };
      const verdicts = [await verdictOf(2), await verdictOf(6)].join(', ');
      return verdicts === 'noticed, unreached' ? [] : [`the mutants of the small project are ${verdicts}`];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const smallProject: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es5"], "types": [] } }',
  'vitest.config.ts': 'export default { test: { include: ["test/*.test.ts"], pool: "threads" } };',
  'core/sign.ts':
    'export function sign(value: number): number {\n  return value * 2;\n}\n\nexport function other(value: number): number {\n  return value - 1;\n}\n',
  'test/sign.test.ts': `import { expect, test } from 'vitest';\nimport { sign } from '../core/sign.ts';\n\ntest('doubles', () => expect(sign(3)).toBe(6));\n`,
};

function writeProject(folder: string): string {
  for (const [file, text] of Object.entries(smallProject)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function prepare(project: string, tree: string, files: readonly string[], drawn: Drawn): Promise<Prepared> {
  createSandbox(project, tree, files, drawn);
  return { mutants: drawn.mutants, coverage: await measureCoverage(tree) };
}

function withDefaults({ size = 200, seed = 20, files = ['core', 'contracts', 'mocks'] }: Options): Required<Options> {
  return { size, seed, files };
}

/** Each choice of mutants, and each state of code and tests, has a folder of its own. */
function folderOf(options: Options): string {
  const { size, seed, files } = withDefaults(options);
  return join(root, '.touchstone/code-mutants', [digestOfSources(), seed, size, ...files].join('-').replaceAll('/', '_'));
}

function listTracked(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
}

function listSources(path: string): readonly string[] {
  if (path.endsWith('.ts')) return [path];
  const inside = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
  return inside.filter((file) => file.endsWith('.ts')).map((file) => join(path, file));
}

function keyOf({ file, line, column, replacement }: CodeMutant): string {
  return `${file}:${line}:${column} ${replacement.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
}

function renderPage(results: readonly Judged<Result>[]): string {
  const all = results.map(({ result }) => result);
  const folders = [...new Set(all.map(({ file }) => dirname(file)))].toSorted();
  const alive = all.filter(({ verdict }) => verdict === 'survived' || verdict === 'unreached');
  return `# Mutants of the source code

Generated by \`npm run campaign -- code-mutants\`: small changes of the code are drawn by a seed. They are Stryker's,
without those of texts and patterns, and without those that the type checker refuses. Each is judged by the tests that reach it, the nearest first, up to a minute of tests.

**${percent(all)} % of ${all.length} mutants are noticed.**

| folder | mutants | noticed | % |
|---|---:|---:|---:|
${folders
  .map((folder) =>
    renderRow(
      folder,
      all.filter(({ file }) => dirname(file) === folder),
    ),
  )
  .join('\n')}

## Alive

Each is a change that no related test notices. Some change nothing that anybody could see; the others are tests to be written.

${alive.map(({ file, line, column, original, replacement, verdict }) => `- \`${file}:${line}:${column}\` ${code(original)} → ${code(replacement)}${verdict === 'unreached' ? ' (no test comes here)' : ''}`).join('\n')}
`;
}

function renderRow(folder: string, results: readonly Result[]): string {
  return `| ${folder} | ${results.length} | ${countNoticed(results)} | ${percent(results)} |`;
}

function countNoticed(results: readonly Result[]): number {
  return results.filter(({ verdict }) => verdict === 'noticed' || verdict === 'timeout').length;
}

function percent(results: readonly Result[]): string {
  return ((100 * countNoticed(results)) / Math.max(1, results.length)).toFixed(1);
}

function code(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const short = flat.length > 90 ? `${flat.slice(0, 88)} …` : flat;
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``;
}
