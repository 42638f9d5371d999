/** Broken and extreme files: each is served, or refused with one clear paragraph and its place, within bounds of time and memory. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareLoadedContracts } from '../../contracts/diff/compare-contracts.ts';
import { loadContractPair } from '../../contracts/diff/load-contract-pair.ts';
import { SpecError, UsageError } from '../../core/errors.ts';
import { loadContract } from '../../core/openapi/contract.ts';
import { rawOf } from '../../core/openapi/raw-document.ts';
import { contractFile, listShipped } from '../../core/shipped-files.ts';
import { startMock } from '../../mocks/start-mock.ts';
import { openContract } from '../helpers/exchange-judge.ts';
import { brokenReports, drawBroken, extremeFiles } from '../helpers/hostile/broken-files.ts';
import { ask } from '../helpers/plain-client.ts';
import { run } from '../helpers/program.ts';
import { type Campaign, defineCampaign, type Item, type Judged, root } from './campaign.ts';

/** Limits of a command, and of the processor time for reading one drawn file. */
const bounds = { seconds: 60, rssMb: 1500, workedMs: 15_000 } as const;

interface Result {
  readonly complaints: readonly string[];
  /** `refused`, or `served`. */
  readonly outcome: string;
  readonly seconds: number;
  readonly rssMb: number;
}

interface BrokenFile extends Item {
  readonly kind: string;
  readonly judge: () => Promise<Result>;
}

async function listItems(size = 600, { seed = 1 }: { readonly seed?: number } = {}): Promise<readonly BrokenFile[]> {
  const contracts = await Promise.all(listShipped().map((name) => openContract(contractFile(name))));
  const drawn = Array.from({ length: size }, (_, index): BrokenFile => {
    const { document } = contracts[index % contracts.length] as (typeof contracts)[number];
    const { kind, text } = drawBroken(readFileSync(document.file, 'utf8'), rawOf(document).root, seed + index);
    return { key: `drawn ${seed + index}: ${kind}`, kind, judge: () => judgeDrawn(document.file, text) };
  });
  const extreme = Object.entries(extremeFiles).flatMap(([title, [expected, text]]) =>
    commands.map(
      ([command, args]): BrokenFile => ({
        key: `${command} of ${title}`,
        kind: `extreme files at ${command}`,
        // `diff` compares what it can read of a file; the other commands judge whether the file is a contract.
        judge: () => judgeCommand(text(), command === 'diff' ? 'either' : expected, args),
      }),
    ),
  );
  const reports = Object.entries(brokenReports).map(
    ([title, text]): BrokenFile => ({
      key: `replay of ${title}`,
      kind: 'reports at replay',
      judge: () => judgeCommand(text, 'refused', (file) => ['replay', file, '--target', dead]),
    }),
  );
  const special = (['a folder', 'a pipe', 'nothing there'] as const).flatMap((what) =>
    [...commands, ...others].map(
      ([command, args]): BrokenFile => ({
        key: `${command} of ${what}`,
        kind: 'no files',
        judge: () => judgeCommand(what, 'refused', args),
      }),
    ),
  );
  return [...extreme, ...reports, ...special, ...drawn];
}

/** Nothing listens there. */
const dead = 'http://127.0.0.1:1';

const commands: readonly (readonly [command: string, args: (file: string) => readonly string[]])[] = [
  ['mock', (file) => ['mock', file, '--port', '0', '--json']],
  ['verify', (file) => ['verify', file, '--target', dead]],
  ['diff', (file) => ['diff', contractFile('wiki'), file]],
];

/** Commands that read files of other kinds. */
const others: typeof commands = [
  ['replay', (file) => ['replay', file, '--target', dead]],
  ['verify --waivers', (file) => ['verify', 'wiki', '--target', dead, '--waivers', file]],
  ['verify --config', (file) => ['verify', 'wiki', '--target', dead, '--config', file]],
  ['verify --baseline', (file) => ['verify', 'wiki', '--target', dead, '--baseline', file]],
  ['mock --data', (file) => ['mock', 'wiki', '--port', '0', '--data', file]],
  ['mock --profile', (file) => ['mock', 'wiki', '--port', '0', '--profile', file]],
  ['pact check', (file) => ['pact', 'check', 'wiki', file]],
];

/** Reads, serves and compares a file in this process. */
async function judgeDrawn(name: string, text: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-broken-'));
  const file = join(folder, name.endsWith('.json') || text.startsWith('{') ? 'contract.json' : 'contract.yaml');
  writeFileSync(file, text);
  const before = process.cpuUsage();
  const complaints: string[] = [];
  const outcome = await loadContract(file).then(
    () => 'served',
    (error: unknown) => {
      complaints.push(...complaintsAboutError(error, file));
      return 'refused';
    },
  );
  try {
    if (outcome === 'served') complaints.push(...(await serve(file)), ...(await compare(name, file)));
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { user, system } = process.cpuUsage(before);
  const workedMs = (user + system) / 1000;
  if (workedMs > bounds.workedMs) complaints.push(`it takes ${Math.round(workedMs)} ms`);
  return { complaints, outcome, seconds: workedMs / 1000, rssMb: 0 };
}

function complaintsAboutError(error: unknown, file: string): readonly string[] {
  if (!(error instanceof SpecError || error instanceof UsageError))
    return [`it ends with ${error instanceof Error ? error.stack : String(error)}`];
  return [
    ...(error instanceof SpecError && !/^\S+:\d+:\d+: /.test(error.message) ? [`no place: ${error.message.slice(0, 300)}`] : []),
    ...(/\n|undefined|\[object/.test(error.message.slice(file.length)) || error.message.length > 1500
      ? [`an odd message: ${error.message.slice(0, 1600)}`]
      : []),
  ];
}

async function serve(file: string): Promise<readonly string[]> {
  const errors: unknown[] = [];
  try {
    await using mock = await startMock({ contracts: [file], onError: (error) => errors.push(error) });
    for (const { method, path, id } of mock.contracts[0]?.operations ?? []) {
      const { status, text } = await ask(
        mock,
        encodeURI(path.replaceAll(/\{[^}]*\}/g, '1')),
        { 'x-service-api-key': mock.keys['full'] ?? '' },
        method,
      );
      if (status === 500) errors.push(`${id} is answered 500: ${text.slice(0, 400)}`);
    }
  } catch (error) {
    if (!(error instanceof SpecError || error instanceof UsageError)) errors.push(error);
  }
  return errors.map((error) => `the mock: ${error instanceof Error ? error.stack : String(error)}`);
}

async function compare(old: string, file: string): Promise<readonly string[]> {
  try {
    await compareLoadedContracts(await loadContractPair(old, file));
    return [];
  } catch (error) {
    return error instanceof SpecError || error instanceof UsageError
      ? []
      : [`diff: ${error instanceof Error ? error.stack : String(error)}`];
  }
}

const pulse = fileURLToPath(new URL('../helpers/hostile/pulse.mjs', import.meta.url));

/** Runs a command in a process of its own. A mock that starts is told to end. */
async function judgeCommand(
  content: string | Buffer,
  expected: 'refused' | 'either',
  args: (file: string) => readonly string[],
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-broken-'));
  const [file, memory] = [join(folder, 'contract.yaml'), join(folder, 'memory')];
  if (content === 'a folder') mkdirSync(file);
  else if (content === 'a pipe') spawnSync('mkfifo', [file]);
  else if (content !== 'nothing there') writeFileSync(file, content);
  const before = performance.now();
  const running = run(args(file), { NODE_OPTIONS: `--import ${pulse}`, TOUCHSTONE_PULSE: memory });
  running.process.stdout.once('data', () => args(file)[0] === 'mock' && running.process.kill('SIGTERM'));
  const late = setTimeout(() => running.process.kill('SIGKILL'), bounds.seconds * 1000);
  const { code, signal, out, error } = await running.ended;
  clearTimeout(late);
  const seconds = (performance.now() - before) / 1000;
  const rssMb = Number(readOr(memory, '0'));
  rmSync(folder, { recursive: true });
  const all = `${out}${error}`;
  const allowed = expected === 'refused' ? [2] : [0, 1, 2, 3, 4];
  const complaints = [
    ...(code === null || !allowed.includes(code) ? [`it ends with ${code ?? signal}: ${all.slice(0, 500)}`] : []),
    ...(/[Ii]nternal error: |\n\s+at (?:\S+ \(|async |file:|node:)|TypeError|RangeError/.test(all)
      ? [`it shows a mistake of its own: ${all.slice(0, 600)}`]
      : []),
    ...(code === 2 && (error.trimEnd().includes('\n') || error.length > 2000) ? [`more than a paragraph: ${error.slice(0, 600)}`] : []),
    ...(rssMb > bounds.rssMb ? [`it takes ${Math.round(rssMb)} MB`] : []),
  ];
  return { complaints, outcome: code === 2 ? 'refused' : 'served', seconds, rssMb };
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A killed program writes nothing, and its exit code shows that.
    return otherwise;
  }
}

export const campaign: Campaign = defineCampaign<BrokenFile, Result>({
  // `--size` is how many files are drawn.
  items: listItems,
  prepare: async () => void spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' }),
  judge: ({ judge }) => judge(),
  complaints: ({ complaints }) => complaints,
  smoke: (items) => items.filter(({ key }) => /^(drawn 2:|mock of a byte order mark)/.test(key)),
  renderPage,
});

function renderPage(results: readonly Judged<Result>[], items: readonly BrokenFile[]): string {
  const rowOf = (title: string, isOfRow: (item: BrokenFile) => boolean): string => {
    const own = results.filter((_, index) => isOfRow(items[index] as BrokenFile)).map(({ result }) => result);
    const count = (outcome: string): number => own.filter((each) => each.outcome === outcome).length;
    const worst = (pick: (result: Result) => number): number => Math.ceil(Math.max(0, ...own.map(pick)));
    return `| ${[title, own.length, count('refused'), count('served'), worst(({ seconds }) => seconds), worst(({ rssMb }) => rssMb)].join(' | ')} |`;
  };
  return `# Broken files

Generated by \`npm run campaign -- broken-files\`: mutations of the shipped contracts, drawn by a seed, and a table of extreme files and reports. Each is refused
with exit code 2 and one paragraph that names its place, or read, served and compared. No command takes more than ${bounds.seconds} s and ${bounds.rssMb} MB.

| Kind | Items | Refused | Served | Longest in s | Most memory in MB |
|---|---:|---:|---:|---:|---:|
${[...new Set(items.map(({ kind }) => kind))].map((kind) => rowOf(kind, (item) => item.kind === kind)).join('\n')}
${rowOf('together', () => true)}

Files that are drawn are read in the process of the campaign: their time is processor time, and their memory is not measured.
`;
}
