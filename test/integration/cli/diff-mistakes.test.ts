/** Mistakes on the command line of `diff` and in its files: exit code 2 and one paragraph that names the place and the way out. */

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
  expect(error).not.toContain('mistake of touchstone itself');
  return error.slice('touchstone: '.length, -1);
}

describe('arguments', () => {
  it.each([
    [[], 'touchstone diff compares two contracts, and none is named; write touchstone diff OLD NEW'],
    [['a.yaml', 'a.yaml', 'a.yaml'], 'touchstone diff compares two contracts, and 3 are named; write touchstone diff OLD NEW'],
    [['a.yaml'], 'touchstone diff needs something to compare a.yaml with; write touchstone diff OLD a.yaml'],
    [['main:a.yaml'], 'touchstone diff needs something to compare main:a.yaml with; write touchstone diff main:a.yaml a.yaml'],
    [['main'], 'neither this folder nor main has specs/*.openapi.yaml; name two files, as in touchstone diff main:a.yaml a.yaml'],
    [['mai'], 'git knows no commit mai here; is main meant?'],
    [['nothing-like-it'], 'git knows no commit nothing-like-it here; correct the name, or fetch it first'],
    [['a.yaml', 'a.yaml', '--fail-on', 'braking'], '--fail-on braking is no level; is breaking meant?'],
    [['a.yaml', 'a.yaml', '--fail-on', 'xx'], '--fail-on xx is no level; levels are breaking, risky, compatible, documentation, never'],
    [['a.yaml', 'a.yaml', '--fail-on', 'risky', '--fail-on', 'risky'], '--fail-on is given twice; give it once'],
    [['a.yaml', 'a.yaml', '--failon', 'risky'], 'touchstone diff has no option --failon; is --fail-on meant?'],
    [
      ['main:missing.yaml', 'a.yaml'],
      'main:missing.yaml cannot be read: it is not in main; correct the path, which begins in the current folder',
    ],
    [['main:b.yaml', 'a.yaml'], 'main:b.yaml cannot be read: it is not in main; is main:specs/b.yaml meant?'],
    [['mani:a.yaml', 'a.yaml'], 'git knows no commit mani here; is main meant?'],
  ])('%j are refused', async (args, message) => {
    expect(await complaint(...args)).toBe(message);
  });

  it('that begin with a hyphen never reach git', async () => {
    expect(await complaint('--', '--upload-pack=x', 'a.yaml')).toMatch(/^--upload-pack=x cannot be read \(ENOENT\)/);
    expect(await complaint('--', '--output=x:a.yaml', 'a.yaml')).toMatch(/^--output=x is no name of a commit/);
    expect(await complaint('--', '-p')).toMatch(/^-p is no name of a commit/);
  });
});

describe('a file', () => {
  it.each<readonly [file: string, message: RegExp]>([
    ['missing.yaml', /^missing\.yaml cannot be read \(ENOENT\)/],
    ['specs', /^specs cannot be read \(EISDIR\)/],
    ['swagger.yaml', /^swagger\.yaml:1:1: .*OpenAPI/],
    ['plain.yaml', /^plain\.yaml:1:1: .*OpenAPI/],
    ['list.yaml', /^list\.yaml:1:1: .*OpenAPI/],
    ['broken.yaml', /^broken\.yaml:3:1: this is not valid YAML/],
    ['nowhere.yaml', /^nowhere\.yaml:15:\d+: #\/components\/schemas\/A leads nowhere/],
  ])('%s is no contract on either side', async (file, message) => {
    expect(await complaint(file, 'a.yaml')).toMatch(message);
    expect(await complaint('a.yaml', file)).toMatch(message);
  });

  it('shows the stack of a mistake only when asked', async () => {
    const { error } = await diff('plain.yaml', 'a.yaml', '--debug');
    expect(error).toMatch(/\n {4}at /);
  });
});

describe('a file of accepted changes', () => {
  it.each<readonly [file: string, message: RegExp]>([
    ['missing.yaml', /^the accepted changes in missing\.yaml cannot be read \(ENOENT\); name a YAML file that lists them$/],
    ['specs', /^the accepted changes in specs cannot be read \(EISDIR\)/],
    ['accepted-bad.yaml', /^accepted-bad\.yaml:2:46: expires is a day of the calendar such as 2026-12-31, and this is tomorrow$/],
    ['accepted-key.yaml', /^accepted-key\.yaml:1:1: a file of acceptances has no acepted; is accepted meant\?$/],
    ['broken.yaml', /^broken\.yaml:3:1: this is not valid YAML/],
  ])('%s is refused', async (file, message) => {
    expect(await complaint('a.yaml', 'a.yaml', '--accept', file)).toMatch(message);
  });

  it('of the usual name must be readable when it is there', async () => {
    repository.write('.touchstone-accepted.yaml/x', '');
    expect(await complaint('a.yaml', 'a.yaml')).toMatch(/^the accepted changes in \.touchstone-accepted\.yaml cannot be read \(EISDIR\)/);
    repository.remove('.touchstone-accepted.yaml/x');
    const { rmdirSync } = await import('node:fs');
    rmdirSync('.touchstone-accepted.yaml');
  });
});

describe('outside of a repository', () => {
  it('commits are refused in the words of git, and files are compared', async () => {
    const outside = createWorkspace();
    outside.write('a.yaml', contractText(['open']));
    expect(await complaint('main:a.yaml', 'a.yaml')).toMatch(/^main cannot be looked up: git says “fatal: not a git repository/);
    expect((await diff('a.yaml', 'a.yaml')).code).toBe(0);
    vi.stubEnv('PATH', outside.folder);
    expect(await complaint('main')).toBe('git is not installed, or not in PATH; install it, or name two files');
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
