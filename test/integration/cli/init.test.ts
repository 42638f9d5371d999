/** `touchstone init`: the written files work, and no existing file is lost. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../cli/read-config.ts';
import { run } from '../../../cli/run-command.ts';
import { parseYaml } from '../../../core/openapi/loading/yaml.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { startMock } from '../../../mocks/start-mock.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-init-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const configFile = (): string => join(folder, 'touchstone.config.yaml');
const workflowFile = (): string => join(folder, '.github/workflows/touchstone.yml');

async function type(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  const code = await run(args, '0.0.0', terminal);
  return { code, ...terminal.printed() };
}

describe('touchstone init', () => {
  it('writes a configuration that verifies the mock', async () => {
    const { code, out } = await type('init', folder);
    expect(code).toBe(0);
    expect(out).toContain(`Written: ${configFile()}\nWritten: ${workflowFile()}\n\nNext:\n  1. Write the address`);
    await using mock = await startMock();
    vi.stubEnv('FULL_KEY', mock.keys['full'] ?? '');
    const text = readFileSync(configFile(), 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\S+\/config\.schema\.json\n/);
    writeFileSync(configFile(), text.replace('http://127.0.0.1:4010', mock.url));
    const verified = await type('verify', '--config', configFile(), '--target', 'local', '--only', 'keys/missing');
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining(`Written: ${join(folder, 'touchstone-report.json')}.`) });
    expect(existsSync(join(folder, 'touchstone-report.json'))).toBe(true);
  });

  it('writes commented settings that work without the comment signs', async () => {
    await type('init', folder);
    // Every comment that is a member or an entry, made one.
    const text = readFileSync(configFile(), 'utf8')
      .split('\n')
      .map((line) => (/^ +# +(- )?[a-z]+:( |$)|^ +# [\w:-]+:( |$)|^ +# {3}/i.test(line) ? line.replace('# ', '') : line))
      .join('\n');
    expect(text).toContain('\n  require: stated\n');
    const staging = (await parseConfig('c.yaml', text)).target('staging');
    expect(staging).toMatchObject({ values: { require: 'stated' }, waivers: [{ fingerprint: '1c9a07-e3b0c4', expires: '2026-12-31' }] });
    expect(staging.keys.map(({ name }) => name)).toEqual(['full', 'other', expect.stringMatching(/^without:/)]);
  });

  it('finds the contract of the folder, and compares it in pull requests', async () => {
    mkdirSync(join(folder, 'specs'));
    cpSync(contractFile('wiki'), join(folder, 'specs/mine.openapi.yaml'));
    expect((await type('init', folder)).code).toBe(0);
    const config = await parseConfig(configFile(), readFileSync(configFile(), 'utf8'));
    expect(config.target('local')).toMatchObject({ contracts: [join(folder, 'specs/mine.openapi.yaml')], keys: [] });
    const workflow = parseYaml('w.yaml', readFileSync(workflowFile(), 'utf8'), 'a workflow');
    expect(Object.keys(workflow['on'] as object)).toEqual(['schedule', 'workflow_dispatch', 'pull_request']);
    expect(Object.keys(workflow['jobs'] as object)).toEqual(['verify', 'diff']);
    const text = JSON.stringify(workflow);
    for (const format of ['junit', 'sarif', 'github', 'markdown']) expect(text).toContain(`--report ${format}=`);
    expect(text).toContain('npx touchstone diff --strict \\"$BASE\\" --report');
    expect(text).not.toContain('FULL_KEY');
  });

  it('uses the named contract', async () => {
    cpSync(contractFile('business'), join(folder, 'api.yaml'));
    expect((await type('init', folder, '--contract', 'api.yaml')).code).toBe(0);
    const workflow = readFileSync(workflowFile(), 'utf8');
    expect(workflow).toContain('touchstone diff --strict "$BASE:api.yaml" "api.yaml" --report');
    expect(workflow).toMatch(/FULL_KEY: \$\{\{ secrets\.FULL_KEY \}\}\n/);
    expect(await type('init', folder, '--force', '--contract', 'none.yaml')).toMatchObject({
      code: 2,
      error: expect.stringContaining('none.yaml is neither a built-in contract nor a file'),
    });
  });

  it('writes the workflow of a folder at the root of its repository', async () => {
    mkdirSync(join(folder, '.git'));
    const service = join(folder, 'services/till');
    mkdirSync(service, { recursive: true });
    cpSync(contractFile('wiki'), join(service, 'api.yaml'));
    const { code, out } = await type('init', service, '--contract', 'api.yaml');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`Written: ${join(service, 'touchstone.config.yaml')}\nWritten: ${workflowFile()}\n`),
    ]);
    const workflow = parseYaml('w.yaml', readFileSync(workflowFile(), 'utf8'), 'a workflow');
    expect(workflow['defaults']).toEqual({ run: { 'working-directory': 'services/till' } });
    const text = JSON.stringify(workflow);
    expect(text).toContain('touchstone diff --strict \\"$BASE:services/till/api.yaml\\" \\"api.yaml\\" --report');
    expect(text).toContain('"path":"services/till/touchstone-report.*"');
    expect(text).toContain('"sarif_file":"services/till/touchstone-report.sarif"');
  });

  it('writes a pipeline for GitLab, and says how to include it', async () => {
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, 'till/specs'), { recursive: true });
    cpSync(contractFile('business'), join(folder, 'till/specs/mine.openapi.yaml'));
    const { code, out } = await type('init', join(folder, 'till'), '--ci', 'gitlab');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Include the pipeline in .gitlab-ci.yml: include: [{ local: .gitlab/touchstone.yml }]'),
    ]);
    const pipeline = parseYaml('p.yaml', readFileSync(join(folder, '.gitlab/touchstone.yml'), 'utf8'), 'a pipeline');
    expect(pipeline).toMatchObject({
      'touchstone verify': {
        script: ['cd "till"', 'npm ci', expect.stringContaining('npx touchstone verify --strict --target staging --report junit=')],
        artifacts: {
          paths: ['till/touchstone-report.*'],
          reports: { junit: 'till/touchstone-report*.xml', codequality: 'till/touchstone-report.codequality.json' },
        },
      },
      'touchstone diff': {
        script: [
          'cd "till"',
          'npm ci',
          expect.stringContaining('"$CI_MERGE_REQUEST_DIFF_BASE_SHA:till/specs/mine.openapi.yaml" "specs/mine'),
        ],
      },
    });
    expect(existsSync(workflowFile())).toBe(false);
    expect(await type('init', folder, '--ci', 'jenkins')).toMatchObject({
      code: 2,
      error: expect.stringContaining('write github or gitlab'),
    });
  });

  it('overwrites a file only with --force', async () => {
    writeFileSync(configFile(), 'mine');
    const { code, error } = await type('init', folder);
    expect([code, readFileSync(configFile(), 'utf8'), existsSync(workflowFile())]).toEqual([2, 'mine', false]);
    expect(error).toContain(`${configFile()} exists already, and nothing was written; add --force to overwrite`);
    expect((await type('init', folder, '--force')).code).toBe(0);
    expect(readFileSync(configFile(), 'utf8')).not.toBe('mine');
  });

  it('refuses several folders', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await type('init', folder, folder)).toMatchObject({ code: 2, error: expect.stringContaining('2 were named; name one') });
    expect(await type('init', join(folder, 'file'))).toMatchObject({ code: 2, error: expect.stringContaining('file is not a folder') });
  });
});
