/** The comment of a pull request in the pipelines that `touchstone init` writes: posted once, then updated, and left out without changes. */

import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { parseYaml } from '../../../core/openapi/loading/yaml.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

const changed = '## Contract comparison: 1 breaking change\n';
const unchanged = '## Contract comparison: no changes\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-comment-'));
  cpSync(contractFile('wiki'), join(folder, 'api.yaml'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function pipelineOf(ci: 'github' | 'gitlab', file: string): Promise<unknown> {
  expect(await run(['init', folder, '--contract', 'api.yaml', '--ci', ci], '0.0.0', createTerminal())).toBe(0);
  return parseYaml('pipeline.yaml', readFileSync(join(folder, file), 'utf8'), 'a pipeline');
}

/** Runs a script of a pipeline in the folder, as a runner does. */
function runScript(script: string, report: string, env: Readonly<Record<string, string>>): Promise<unknown> {
  writeFileSync(join(folder, 'touchstone-diff.md'), report);
  return promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: folder, env: { ...process.env, ...env } });
}

describe('GitHub', () => {
  /** A program in place of gh, which keeps the comments in files. */
  const gh = `#!/usr/bin/env bash
case "$*" in
  *--paginate*) for file in comments/*; do test -f "$file" && head -n 1 "$file" | grep -q '^<!-- touchstone diff -->$' && basename "$file"; done; exit 0 ;;
  *PATCH*comments/7*) cp comment.md comments/7; echo updated >> log ;;
  *issues/3/comments*) cp comment.md comments/7; echo posted >> log ;;
  *) exit 1 ;;
esac
`;

  it('has one comment, whatever else is said', async () => {
    const { jobs } = (await pipelineOf('github', '.github/workflows/touchstone.yml')) as {
      readonly jobs: {
        readonly diff: { readonly permissions: object; readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
      };
    };
    const { run: script = '' } = jobs.diff.steps.find(({ name = '' }) => name.startsWith('Comment')) ?? {};
    expect(jobs.diff.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    writeFileSync(join(folder, 'gh'), gh);
    chmodSync(join(folder, 'gh'), 0o755);
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, GITHUB_REPOSITORY: 'owner/name', ISSUE: '3' };
    await promisify(execFile)('bash', ['-c', 'mkdir comments; echo "by somebody" > comments/5; touch log'], { cwd: folder });
    const read = (): readonly string[] => [readFileSync(join(folder, 'log'), 'utf8')];
    await runScript(script, unchanged, env);
    expect(read()).toEqual(['']);
    await runScript(script, changed, env);
    expect(read()).toEqual(['posted\n']);
    await runScript(script, unchanged, env);
    expect(read()).toEqual(['posted\nupdated\n']);
    expect(readFileSync(join(folder, 'comments/7'), 'utf8')).toBe(`<!-- touchstone diff -->\n${unchanged}`);
  });
});

describe('GitLab', () => {
  let server: Server;
  const notes: { id: number; body: string }[] = [];
  const log: string[] = [];
  beforeEach(async () => {
    notes.splice(0, Number.POSITIVE_INFINITY, { id: 5, body: 'by somebody' });
    log.length = 0;
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece) => {
        text += String(piece);
      });
      request.on('end', () => {
        log.push(`${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['private-token'])}`);
        const { body = '' } = text === '' ? {} : (JSON.parse(text) as { readonly body?: string });
        if (request.method === 'POST') notes.push({ id: 7, body });
        if (request.method === 'PUT') Object.assign(notes.find(({ id }) => request.url?.endsWith(`/${id}`) === true) ?? {}, { body });
        response.end(JSON.stringify(notes));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => server.close());

  it('has one note, if a token is given', async () => {
    const pipeline = (await pipelineOf('gitlab', '.gitlab/touchstone.yml')) as {
      readonly 'touchstone diff': { readonly after_script: readonly string[] };
    };
    const [script = ''] = pipeline['touchstone diff'].after_script;
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { CI_API_V4_URL: address, CI_PROJECT_ID: '1', CI_MERGE_REQUEST_IID: '3', TOUCHSTONE_TOKEN: 'secret' };
    await runScript(script, changed, { ...env, TOUCHSTONE_TOKEN: '' });
    expect(log).toEqual([]);
    for (const report of [unchanged, changed, unchanged]) await runScript(script, report, env);
    const path = '/projects/1/merge_requests/3/notes';
    const reads = `GET ${path}?per_page=100 secret`;
    expect(log).toEqual([reads, reads, `POST ${path} secret`, reads, `PUT ${path}/7 secret`]);
    expect(notes[1]?.body).toBe(`<!-- touchstone diff -->\n${unchanged}`);
  });
});
