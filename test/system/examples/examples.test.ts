/** Each folder of examples/ works: the command of its README, or the commands of its pipeline with a mock as the server. */

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { fixture } from '../../helpers/judged-mock.ts';
import { build, type Ending, endAll, finish, program, run, watch } from '../../helpers/program.ts';
import { repository } from '../../helpers/tree.ts';

vi.setConfig({ testTimeout: 120_000 });
afterAll(endAll);

const examples = join(repository, 'examples');
const read = (path: string): string => readFileSync(join(examples, path), 'utf8');

/** Variables that would tell a test runner that it runs inside another one. */
const outside = Object.fromEntries(Object.keys(process.env).flatMap((name) => (/VITEST|^NODE_ENV$/.test(name) ? [[name, undefined]] : [])));

/** Runs a command line to its end. */
function type(command: string, folder = repository, environment: Readonly<Record<string, string>> = {}): Promise<Ending> {
  build();
  return watch(spawn('bash', ['-ec', command], { cwd: folder, env: { ...process.env, ...outside, ...environment } })).ended;
}

/** The one command of a README. */
function commandOf(example: string): string {
  const [command = '', ...others] = [...read(`${example}/README.md`).matchAll(/```sh\n(.*)\n```/g)].map((match) => match[1] ?? '');
  expect(others).toEqual([]);
  return command;
}

describe('examples/', () => {
  it('lists its folders, each with one command', () => {
    const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'client');
    expect(folders.length).toBeGreaterThan(5);
    for (const { name } of folders) {
      expect(read('README.md')).toContain(`[${name}](${name}/README.md)`);
      expect(commandOf(name)).not.toBe('');
    }
  });
});

describe('a client under a test runner', () => {
  it.each([
    ['vitest', /5 passed/],
    ['node-test', /pass 4/],
  ])('%s', async (example, passed) => {
    const { code, out, error } = await type(commandOf(example));
    expect(out + error).toMatch(passed);
    expect(code).toBe(0);
  });

  const isInstalled = existsSync(join(examples, 'jest/node_modules/jest'));
  it.skipIf(!isInstalled)('jest (needs Jest; skipped where examples/jest is not installed)', async () => {
    const { code, error } = await type(commandOf('jest').replace('install-test', 'test'));
    expect(error).toContain('4 passed');
    expect(code).toBe(0);
  });

  const hasGenerators = existsSync(join(examples, 'generated-clients/node_modules/orval'));
  it.skipIf(!hasGenerators)(
    'generated clients (need their generators; skipped where examples/generated-clients is not installed)',
    async () => {
      const { code, out, error } = await type(commandOf('generated-clients').replace('install-test', 'test'));
      expect(out + error).toContain(' pass 6');
      expect(code).toBe(0);
    },
  );

  it('fails when the client stops after the first page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-example-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(repository, join(folder, 'node_modules/touchstone'), 'junction');
      for (const name of ['client', 'node-test']) cpSync(join(examples, name), join(folder, name), { recursive: true });
      const client = join(folder, 'client/order-copy.js');
      writeFileSync(client, read('client/order-copy.js').replace('page.has_more ?', 'page.has_more && false ?'));
      const { code, out } = await type(`node --test --test-reporter tap ${folder}/node-test/order-copy.test.js`);
      expect([code, out]).toEqual([1, expect.stringContaining('not ok 1 - reads all orders, page by page')]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a client in an exam', () => {
  it('passes every scenario of a usual exam', async () => {
    const { code, out } = await type(commandOf('exam'));
    expect(out).toContain('10 scenarios: 10 passed. Exit code 0.');
    expect(code).toBe(0);
  });
});

describe('an API of your own', () => {
  it('is served and verified', async () => {
    const { code, out } = await type(commandOf('own-api'));
    expect(out).toMatch(/^holds +filters\/sound in listBooks/m);
    expect(out).toContain('The mock of the bookshop: holds');
    expect(code).toBe(0);
  });
});

describe("a vendor's API", () => {
  it.each([
    ['zendesk', '404 GET /api/v2/users/', 'The mock of Zendesk: holds'],
    ['digitalocean', '404 GET /v2/volumes/', 'The mock of DigitalOcean: holds'],
  ])('%s remembers and is verified', async (example, forgotten, verdict) => {
    const { code, out } = await type(commandOf(example));
    expect(out).toContain(forgotten);
    expect(out).toContain(verdict);
    expect(code).toBe(0);
  });
});

/** A command of a pipeline, and the variables that its step sets. */
interface Step {
  readonly command: string;
  readonly variables: readonly string[];
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[] }>
  >;
}

/** The last command of a job of the GitHub workflow; the others install. */
function githubStep(job: string): Step {
  const steps = (parse(read('github/touchstone.yml')) as Workflow).jobs[job]?.steps ?? [];
  const commands = steps.flatMap(({ run: command, env = {} }) => (command === undefined ? [] : [{ command, variables: Object.keys(env) }]));
  expect(commands.map(({ command }) => command).slice(0, -1)).toEqual(['npm ci']);
  return commands.at(-1) ?? { command: '', variables: [] };
}

/** The script of a job of the GitLab pipeline. */
function gitlabStep(job: string): Step {
  const jobs = parse(read('gitlab/.gitlab-ci.yml')) as Readonly<Record<string, { readonly script: readonly string[] }>>;
  return { command: jobs[job]?.script.join('\n') ?? '', variables: [] };
}

describe.each([
  ['GitHub', githubStep, ['touchstone.html', 'summary.md'], [0, 1]],
  // Its commands differ in their reports alone, so one outcome of each is enough.
  ['GitLab', gitlabStep, ['touchstone.html', 'touchstone.xml'], [1]],
] as const)('the pipeline for %s', (_name, stepOf, reports, outcomes: readonly number[]) => {
  let project: string;
  let file: string;
  let mock: RunningMock | undefined;
  const environment = (): Readonly<Record<string, string>> => ({
    PATH: `${join(project, 'bin')}:${process.env['PATH']}`,
    TARGET_URL: mock?.url ?? '',
    FULL_KEY: mock?.keys['full'] ?? '',
    BASE: 'origin/main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'origin/main',
    GITHUB_STEP_SUMMARY: join(project, 'summary.md'),
  });

  /** Runs a step with the variables that the pipeline gives it. */
  async function runStep({ command, variables }: Step): Promise<Ending> {
    // A value that is written into the script would not be quoted.
    expect(command).not.toContain('${{');
    expect(Object.keys(environment())).toEqual(expect.arrayContaining([...variables]));
    return await type(command, project, environment());
  }

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'touchstone-pipeline-'));
    // The command is on trial, so a small contract is enough.
    file = join(project, 'specs/business.openapi.yaml');
    mkdirSync(join(project, 'specs'));
    cpSync(fixture('parcels'), file);
    mkdirSync(join(project, 'bin'));
    // Packages installed in the project.
    writeFileSync(join(project, 'bin/npx'), `#!/bin/sh\nshift\nexec node '${program}' "$@"\n`, { mode: 0o755 });
  });
  afterEach(async () => {
    await mock?.close();
    mock = undefined;
    rmSync(project, { recursive: true, force: true });
  });

  const deployments: readonly (readonly [title: string, mutants: readonly string[], code: number])[] = [
    ['passes for a deployment that keeps its contract', [], 0],
    ['fails for one that does not', ['field-of-unknown-value:listParcels.state'], 1],
  ];
  it.each(deployments.filter(([, , code]) => outcomes.includes(code)))('%s', async (_title, mutants, expected) => {
    mock = await startMock({ contracts: [file], mutants });
    const { code } = await runStep(stepOf('verify'));
    expect(code).toBe(expected);
    for (const report of reports) expect(readFileSync(join(project, report), 'utf8').length).toBeGreaterThan(100);
  });

  const requests: readonly (readonly [title: string, from: string, to: string, code: number])[] = [
    ['passes for a pull request that breaks nothing', 'operationId: readParcel', 'operationId: showParcel', 0],
    ['fails for one that breaks clients', 'enum: [waiting, delivered]', 'enum: [waiting]', 1],
  ];
  it.each(requests.filter(([, , , code]) => outcomes.includes(code)))('%s', async (_title, from, to, expected) => {
    const commit = 'git -c user.name=a -c user.email=a@example.com commit --quiet --message first';
    const { code: prepared } = await type(
      `git init --quiet && git add specs && ${commit} && git update-ref refs/remotes/origin/main HEAD`,
      project,
    );
    expect(prepared).toBe(0);
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    const { code } = await runStep(stepOf('diff'));
    expect(code).toBe(expected);
  });
});

describe('Docker Compose', () => {
  interface Service {
    readonly image: string;
    readonly build: { readonly context: string; readonly dockerfile: string };
    readonly command: readonly string[];
  }
  const { services } = parse(read('docker-compose/compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<'mock' | 'client', Service>>;
  };

  it('builds the image of containers/', () => {
    for (const { build: from } of Object.values(services)) {
      expect(existsSync(join(examples, 'docker-compose', from.context, from.dockerfile))).toBe(true);
    }
  });

  it('starts a mock that its client can verify', async () => {
    // Outside a container, the mock takes a free port of this machine.
    const place = (words: readonly string[], port: number): readonly string[] =>
      words.map((word) => word.replace('0.0.0.0', '127.0.0.1').replace('//mock:', '//127.0.0.1:').replace('4010', String(port)));
    const mock = run([...place(services.mock.command, 0), '--json']);
    const [line = ''] = await mock.lines(1);
    const { port } = new URL((JSON.parse(line) as { readonly url: string }).url);
    expect(services.client.command.join(' ')).toContain('//mock:4010');
    const { code, out } = await finish(place(services.client.command, Number(port)));
    expect(out).toContain('Holds');
    expect(code).toBe(0);
    mock.process.kill();
    expect((await mock.ended).code).toBe(0);
  });
});
