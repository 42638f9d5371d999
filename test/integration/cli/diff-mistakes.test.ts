/** Mistakes on the command line of `diff` and in its files: exit code 2, and one paragraph with the place and advice. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contractText, createRepository, createWorkspace, diff, type Workspace } from './diff-repository.ts';

let repository: Workspace;
beforeAll(() => {
  repository = createRepository();
  repository.write('a.yaml', contractText(['open']));
  repository.write('specs/b.yaml', contractText(['open']));
  repository.commit();
  repository.write('swagger.yaml', "swagger: '2.0'\ninfo: { title: T, version: '1' }\npaths: {}\n");
  repository.write('plain.yaml', 'name: something\n');
  repository.write('list.yaml', '- one\n');
  repository.write('broken.yaml', 'openapi: 3.1.0\npaths: [\n');
  repository.write('nowhere.yaml', contractText(['open']).replace(/type: object/, "$ref: '#/components/schemas/A'"));
  repository.write('accepted-bad.yaml', 'accepted:\n  - { id: a/b, reason: agreed, operation: x, expires: tomorrow }\n');
  repository.write('accepted-key.yaml', 'acepted: []\n');
});
afterAll(() => repository.end());

async function complaint(...args: readonly string[]): Promise<string> {
  const { code, out, error } = await diff(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toMatch(/^touchstone: [^\n]+\n$/);
  expect(error).not.toContain('internal error');
  return error.slice('touchstone: '.length, -1);
}

describe('arguments', () => {
  it.each([
    [[], 'touchstone diff compares two contracts, but none is named; write touchstone diff OLD NEW'],
    [['a.yaml', 'a.yaml', 'a.yaml'], 'touchstone diff compares two contracts, but 3 are named; write touchstone diff OLD NEW'],
    [['a.yaml'], 'touchstone diff needs a second file to compare with a.yaml; write touchstone diff OLD a.yaml'],
    [['main:a.yaml'], 'touchstone diff needs a second file to compare with main:a.yaml; write touchstone diff main:a.yaml a.yaml'],
    [['mai'], 'git does not know the commit mai; did you mean main?'],
    [['nothing-like-it'], 'git does not know the commit nothing-like-it; correct the name, or fetch it first'],
    [['a.yaml', 'a.yaml', '--fail-on', 'braking'], '--fail-on braking is not a level; did you mean breaking?'],
    [
      ['a.yaml', 'a.yaml', '--fail-on', 'xx'],
      '--fail-on xx is not a level; the levels are security, breaking, risky, compatible, documentation, never',
    ],
    [['a.yaml', 'a.yaml', '--fail-on', 'risky', '--fail-on', 'risky'], '--fail-on was given more than once; give it once'],
    [['a.yaml', 'a.yaml', '--failon', 'risky'], 'touchstone diff has no option --failon; did you mean --fail-on?'],
    [
      ['main:missing.yaml', 'a.yaml'],
      'main:missing.yaml cannot be read: it is not in main; correct the path, which starts in the current folder',
    ],
    [['main:b.yaml', 'a.yaml'], 'main:b.yaml cannot be read: it is not in main; did you mean main:specs/b.yaml?'],
    [['mani:a.yaml', 'a.yaml'], 'git does not know the commit mani; did you mean main?'],
  ])('%j are refused', async (args, message) => {
    expect(await complaint(...args)).toBe(message);
  });

  it('that begin with a hyphen never reach git', async () => {
    expect(await complaint('--', '--upload-pack=x', 'a.yaml')).toMatch(/^--upload-pack=x cannot be read \(ENOENT\)/);
    expect(await complaint('--', '--output=x:a.yaml', 'a.yaml')).toMatch(/^--output=x is not the name of a commit/);
    expect(await complaint('--', '-p')).toMatch(/^-p is not the name of a commit/);
  });
});

describe('a file', () => {
  it.each<readonly [file: string, message: RegExp]>([
    ['missing.yaml', /^missing\.yaml cannot be read \(ENOENT\)/],
    ['brokn.yaml', /^brokn\.yaml does not exist; did you mean broken\.yaml\?$/],
    ['plain.openapi.json', /^plain\.openapi\.json does not exist; did you mean plain\.yaml\?$/],
    ['specs', /^specs cannot be read \(EISDIR\)/],
    ['swagger.yaml', /^swagger\.yaml:1:1: .*OpenAPI/],
    ['plain.yaml', /^plain\.yaml:1:1: .*OpenAPI/],
    ['list.yaml', /^list\.yaml:1:1: .*OpenAPI/],
    ['broken.yaml', /^broken\.yaml:3:1: this is not valid YAML/],
  ])('%s is no contract on either side', async (file, message) => {
    expect(await complaint(file, 'a.yaml')).toMatch(message);
    expect(await complaint('a.yaml', file)).toMatch(message);
  });

  it('with a mistake is refused as the new side by --strict', async () => {
    expect(await complaint('a.yaml', 'nowhere.yaml', '--strict')).toMatch(
      /^nowhere\.yaml:15:\d+: #\/components\/schemas\/A cannot be resolved/,
    );
  });

  it('shows the stack of a mistake only with --debug', async () => {
    const { error } = await diff('plain.yaml', 'a.yaml', '--debug');
    expect(error).toMatch(/\n {4}at /);
  });
});

describe('a file of accepted changes', () => {
  it.each<readonly [file: string, message: RegExp]>([
    ['missing.yaml', /^the acceptance file missing\.yaml cannot be read \(ENOENT\); name a YAML file that lists accepted changes$/],
    ['specs', /^the acceptance file specs cannot be read \(EISDIR\)/],
    ['accepted-bad.yaml', /^accepted-bad\.yaml:2:46: accepted\.0\.expires must match format "date"; found "tomorrow"$/],
    ['accepted-key.yaml', /^accepted-key\.yaml:1:1: the file must not have acepted; did you mean accepted\?$/],
    ['broken.yaml', /^broken\.yaml:3:1: this is not valid YAML/],
  ])('%s is refused', async (file, message) => {
    expect(await complaint('a.yaml', 'a.yaml', '--accept', file)).toMatch(message);
  });

  it('of the default name must be readable if it exists', async () => {
    repository.write('.touchstone-accepted.yaml/x', '');
    expect(await complaint('a.yaml', 'a.yaml')).toMatch(/^the acceptance file \.touchstone-accepted\.yaml cannot be read \(EISDIR\)/);
    repository.remove('.touchstone-accepted.yaml/x');
    const { rmdirSync } = await import('node:fs');
    rmdirSync('.touchstone-accepted.yaml');
  });
});

describe('outside of a repository', () => {
  it('commits are refused with the message of git, and files are compared', async () => {
    const outside = createWorkspace();
    outside.write('a.yaml', contractText(['open']));
    expect(await complaint('main:a.yaml', 'a.yaml')).toMatch(/^main cannot be found: git reports “fatal: not a git repository/);
    expect((await diff('a.yaml', 'a.yaml')).code).toBe(0);
    vi.stubEnv('PATH', outside.folder);
    expect(await complaint('main')).toBe('git is not installed or not in PATH; install it, or name two files');
    expect((await diff('a.yaml', 'a.yaml')).code).toBe(0);
    outside.end();
    process.chdir(repository.folder);
  });
});

describe('help', () => {
  it('explains the command', async () => {
    const { code, out, error } = await diff('--help');
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^touchstone diff OLD \[NEW\]\n/);
    for (const word of ['--fail-on LEVEL', '--report FORMAT=FILE', '--accept FILE', '.touchstone-accepted.yaml', 'REF:PATH', 'changelog'])
      expect(out).toContain(word);
  });
});
