/** Files of commits: found by any name and from any folder, with helpful messages for missing ones. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRevision, type Revision } from '../../../cli/diff/git.ts';
import { contractText, createRepository, createWorkspace, diff, type Workspace } from './diff-repository.ts';

let repository: Workspace;
const create = (): void => {
  repository = createRepository();
  repository.write('specs/a.yaml', 'a: 1\n');
};
const end = (): void => repository.end();

const main = (): Promise<Revision> => openRevision('main');

describe('a repository', () => {
  const names = ['with space.yaml', 'è già.yaml', '-n.yaml', 'a:b.yaml', '*.yaml', "'quoted' $(echo).yaml", '日本.yaml'];
  const large = `${'è\r\n\u0000 日本 𝒳 '.repeat(400_000)}end`;
  let revision: Revision;
  beforeAll(async () => {
    create();
    for (const name of names) repository.write(name, `${name}\n`);
    repository.write('large.yaml', large);
    repository.write('empty.yaml', '');
    repository.link('other/link.yaml', '../specs/a.yaml');
    repository.link('folder', 'specs');
    repository.link('out.yaml', '/etc/hosts');
    repository.link('nowhere.yaml', 'nothing.yaml');
    repository.write('sorts/è.yaml', '');
    repository.write('sorts/a.yaml', '');
    repository.write('old/aa.yaml', '');
    repository.commit();
    repository.git('tag', 'v1');
    repository.git('tag', '--annotate', 'v2', '--message', 'Two');
    repository.git('branch', 'team/new-things');
    revision = await main();
  });
  afterAll(end);

  it.each(names)('finds a file that is called %s', async (name) => {
    expect(await revision.find(name)).toEqual({ text: `${name}\n` });
  });

  it('finds a large file with any characters, and an empty file', async () => {
    const found = await revision.find('large.yaml');
    expect('text' in found && found.text === large).toBe(true);
    expect(await revision.find('empty.yaml')).toEqual({ text: '' });
  });

  it('is read through links that stay in the commit', async () => {
    expect(await revision.find('other/link.yaml')).toEqual({ text: 'a: 1\n' });
    expect(await revision.find('folder/a.yaml')).toEqual({ text: 'a: 1\n' });
    expect(await revision.find('out.yaml')).toEqual({ missing: 'it is a symbolic link to a place outside main' });
    expect(await revision.find('nowhere.yaml')).toEqual({ missing: 'it is not in main' });
  });

  it.each([
    ['b.yaml', 'it is not in main'],
    ['specs', 'it is a folder in main'],
    ['specs/a.yaml/b', 'it is not in main'],
    ['two\nlines', 'a name with a line break cannot be found in a commit'],
  ])('lacks %j, with the reason', async (file, missing) => {
    expect(await revision.find(file)).toEqual({ missing });
  });

  it('lists a folder, and all files', async () => {
    expect(await revision.list('sorts')).toEqual(['sorts/a.yaml', 'sorts/è.yaml']);
    expect(await revision.list('nothing')).toEqual([]);
    expect(await revision.files()).toEqual(expect.arrayContaining(['sorts/a.yaml', 'specs/a.yaml', 'a:b.yaml']));
  });

  it.each(['main', 'HEAD', 'HEAD^{/Chan}', 'v1', 'v2', 'team/new-things', 'main@{0}'])('has a commit with the name %s', async (ref) => {
    expect(await (await openRevision(ref)).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it('has a commit by its hash', async () => {
    for (const ref of [repository.git('rev-parse', 'HEAD').trim(), repository.git('rev-parse', '--short', 'HEAD').trim()])
      expect(await (await openRevision(ref)).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it.each([
    ['', /^an empty string is not the name of a commit/],
    ['-n', /^-n is not the name of a commit; name a branch, a tag or a hash$/],
    ['--output=x', /^--output=x is not the name of a commit/],
    ['man', /^git does not know the commit man; did you mean main\?$/],
    ['f00ba4', /^git does not know the commit f00ba4; correct the name, or fetch it first$/],
    ['main..HEAD', /^git does not know the commit main\.\.HEAD/],
    ['main; echo', /^git does not know the commit main; echo/],
  ])('refuses the commit name %j', async (ref, message) => {
    const error: unknown = await openRevision(ref).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) });
  });

  it('cannot be read without git', async () => {
    const path = process.env['PATH'];
    vi.stubEnv('PATH', repository.folder);
    await expect(main()).rejects.toThrow('git is not installed or not in PATH; install it, or name two files');
    vi.stubEnv('PATH', path);
  });
});

describe('a repository that changes', () => {
  beforeEach(() => {
    create();
    repository.commit();
  });
  afterEach(end);

  it('returns the text of a file in the commit', async () => {
    repository.write('specs/a.yaml', 'a: 2\n');
    expect(await (await main()).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
    repository.commit();
    expect(await (await main()).find('specs/a.yaml')).toEqual({ text: 'a: 2\n' });
    expect(await (await openRevision('HEAD~1')).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it('returns the same commit after its branch moved', async () => {
    const revision = await main();
    repository.write('specs/a.yaml', 'a: 2\n');
    repository.commit();
    expect(await revision.find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it('knows the current folder', async () => {
    expect((await main()).folder).toBe('');
    repository.enter('deep/er');
    expect((await main()).folder).toBe('deep/er/');
  });

  it('reports a commit that a shallow clone lacks', async () => {
    repository.write('specs/a.yaml', 'a: 2\n');
    repository.commit();
    repository.git('clone', '--quiet', '--depth', '1', `file://${repository.folder}`, 'clone');
    repository.enter('clone');
    await expect(openRevision('HEAD~1')).rejects.toThrow(
      'git does not know the commit HEAD~1, and this clone is shallow; fetch the history',
    );
  });
});

/** A branch `topic` breaks the contract, and `main` breaks it in another way afterwards. */
function diverge(): string {
  repository = createRepository();
  repository.write('specs/a.openapi.yaml', contractText(['open', 'done']));
  repository.commit();
  const base = repository.git('rev-parse', '--short', 'HEAD').trim();
  repository.git('switch', '--quiet', '--create', 'topic');
  repository.write('specs/a.openapi.yaml', contractText(['open', 'done', 'lost']));
  repository.commit();
  repository.git('switch', '--quiet', 'main');
  repository.write('specs/a.openapi.yaml', contractText(['open', 'done', 'found']));
  repository.commit();
  repository.git('switch', '--quiet', 'topic');
  return base;
}

describe('a branch', () => {
  let base: string;
  beforeEach(() => {
    base = diverge();
  });
  afterEach(end);
  const remark = (ref: string, other: string): string =>
    `The old version is the one in ${base}, the last commit that ${ref} and ${other} share.\n`;

  it('is compared with the commit at which it began', async () => {
    const { code, out, error } = await diff('main');
    expect([code, error]).toEqual([1, remark('main', 'HEAD')]);
    expect(out).toContain(`${base}:specs/a.openapi.yaml → specs/a.openapi.yaml`);
    expect(out).toContain('lost');
    expect(out).not.toContain('found');
  });

  it.each([
    ['main...topic', 'topic'],
    ['main...', 'HEAD'],
  ])('is compared in %s without the files on disk', async (range, other) => {
    repository.write('specs/a.openapi.yaml', 'unfinished');
    const { code, out, error } = await diff(range);
    expect([code, error]).toEqual([1, remark('main', other)]);
    expect(out).toContain(`${base}:specs/a.openapi.yaml → ${other}:specs/a.openapi.yaml`);
    expect(out).not.toContain('found');
  });

  it('is compared with that commit too if the file is named', async () => {
    const named = await diff('main:specs/a.openapi.yaml', 'specs/a.openapi.yaml');
    expect([named.code, named.error]).toEqual([1, remark('main', 'HEAD')]);
    expect(named.out).toContain(`${base}:specs/a.openapi.yaml → specs/a.openapi.yaml`);
    expect(named.out).not.toContain('found');
    // A tag names what was released, whatever the branches did since.
    repository.git('tag', 'v1', 'main');
    expect((await diff('v1:specs/a.openapi.yaml', 'specs/a.openapi.yaml')).out).toContain('"found"');
  });

  it('is followed to another folder if the file is named', async () => {
    repository.git('mv', 'specs/a.openapi.yaml', 'api.yaml');
    repository.commit();
    const { out, error } = await diff('main:api.yaml', 'api.yaml');
    expect(error).toContain(`api.yaml is compared with ${base}:specs/a.openapi.yaml, which was renamed.`);
    expect(out).toContain('lost');
  });

  it('is compared with the other branch itself by two dots', async () => {
    const { code, out, error } = await diff('main..topic');
    expect([code, error]).toEqual([1, '']);
    expect(out).toContain('main:specs/a.openapi.yaml → topic:specs/a.openapi.yaml');
    expect(out).toContain('"found"');
    expect((await diff('..main')).out).toContain('HEAD:specs/a.openapi.yaml → main:specs/a.openapi.yaml');
  });

  it('has annotations with paths from the root of the repository', async () => {
    for (const range of ['main', 'main...topic']) {
      const { out } = await diff(range, '--report', 'github=-');
      expect(out).toContain('file=specs/a.openapi.yaml,line=18');
    }
  });

  it('has such annotations in a folder of it, too', async () => {
    repository.write('package/specs/b.openapi.yaml', contractText(['open']));
    repository.commit();
    repository.enter('package');
    repository.write('package/specs/b.openapi.yaml', contractText(['open', 'done']));
    repository.commit();
    for (const range of ['HEAD~1', 'HEAD~1..HEAD'])
      expect((await diff(range, '--report', 'github=-')).out).toContain('file=package/specs/b.openapi.yaml,line=18');
  });

  it.each([
    ['nothing...topic', 'git does not know the commit nothing; correct the name, or fetch it first'],
    ['main..topik', 'git does not know the commit topik; did you mean topic?'],
  ])('is not found in %s', async (range, message) => {
    expect(await diff(range)).toMatchObject({ code: 2, error: `touchstone: ${message}\n` });
  });

  it('without a common commit is refused, with a way to compare it', async () => {
    repository.git('switch', '--quiet', '--orphan', 'alone');
    repository.write('specs/a.openapi.yaml', contractText(['open']));
    repository.commit();
    const message = 'main and HEAD share no commit; compare them with touchstone diff main..HEAD';
    expect(await diff('main')).toMatchObject({ code: 2, error: `touchstone: ${message}\n` });
    expect((await diff('main..HEAD')).out).toContain('main:specs/a.openapi.yaml → HEAD:specs/a.openapi.yaml');
  });

  it('of a shallow clone asks for the history', async () => {
    repository.git('clone', '--quiet', '--depth', '1', '--no-single-branch', `file://${repository.folder}`, 'clone');
    repository.enter('clone');
    const message = 'origin/main and HEAD share no commit in this shallow clone; fetch the history with git fetch --unshallow';
    expect(await diff('origin/main')).toMatchObject({ code: 2, error: `touchstone: ${message}\n` });
  });
});

describe('a contract outside of specs', () => {
  const shared = (type: string): string => `Thing: { type: ${type} }\n`;
  const withReference = contractText(['open']).replace('type: string, enum: [open]', "$ref: '../shared/thing.yaml#/Thing'");
  beforeEach(() => {
    repository = createRepository();
    repository.write('api/things.yaml', withReference);
    repository.write('api/others.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'Others', version: '1.0.0' }, paths: {} }));
    repository.write('shared/thing.yaml', shared('string'));
    repository.write('notes.yaml', 'no: contract\n');
    repository.commit();
  });
  afterEach(end);

  it('is compared if it changed', async () => {
    repository.write('api/things.yaml', withReference.replace('/things', '/others'));
    repository.write('notes.yaml', 'no: contract at all\n');
    const { code, out, error } = await diff('main');
    expect([code, error]).toEqual([1, '']);
    expect(out).toContain('main:api/things.yaml → api/things.yaml');
    expect(out).not.toContain('others.json');
  });

  it('is compared if a file changed that it refers to', async () => {
    repository.write('shared/thing.yaml', shared('integer'));
    const { code, out } = await diff('main');
    expect(code).toBe(1);
    expect(out).toContain('main:api/things.yaml → api/things.yaml');
  });

  it('is compared always if the configuration lists it', async () => {
    repository.write('touchstone.config.yaml', 'contracts: [api/others.json]\n');
    repository.write('api/things.yaml', contractText(['open', 'lost']));
    const { code, out } = await diff('main');
    expect(code).toBe(0);
    expect(out).toContain('main:api/others.json → api/others.json');
    expect(out).not.toContain('things.yaml');
  });

  it('gives nothing to compare if nothing changed', async () => {
    expect(await diff('main')).toMatchObject({
      code: 0,
      error: 'No OpenAPI file below this folder changed since main.\nNothing was compared.\n',
    });
  });
});

describe('a renamed contract', () => {
  beforeEach(() => {
    repository = createRepository();
    repository.write('specs/a.openapi.yaml', contractText(['open', 'done']));
    repository.commit();
    repository.remove('specs/a.openapi.yaml');
  });
  afterEach(end);

  it.each([
    ['', 'specs/b.openapi.yaml'],
    ['package', 'package/specs/a.openapi.yaml'],
  ])('is compared with its earlier version, in the folder %j', async (folder, file) => {
    repository.write(file, contractText(['open', 'done', 'lost']));
    repository.git('add', '--all');
    if (folder !== '') repository.enter(folder);
    const shown = file.replace('package/', '');
    const error = `${shown} is compared with main:specs/a.openapi.yaml, which was renamed.\n`;
    const { code, out, ...rest } = await diff('main');
    expect([code, rest.error]).toEqual([1, error]);
    expect(out).toContain('1 breaking change');
    repository.commit();
    expect(await diff('main~1..main')).toMatchObject({ code: 1, error: error.replace('main:', 'main~1:') });
  });

  it('is another one if it has little in common', async () => {
    repository.write('specs/b.openapi.yaml', 'openapi: 3.1.0\ninfo: { title: Other, version: 1.0.0 }\npaths: {}\n');
    const { error } = await diff('main');
    expect(error).toContain('specs/a.openapi.yaml was removed since main');
    expect(error).toContain('specs/b.openapi.yaml was added since main');
  });
});

describe('an unreadable contract:', () => {
  beforeEach(() => {
    repository = createRepository();
    repository.write('specs/a.openapi.yaml', contractText(['open']));
    repository.commit();
  });
  afterEach(end);

  it('a merge conflict', async () => {
    const text = contractText(['open']).replace('paths:', '<<<<<<< HEAD\npaths:\n=======\npaths: {}\n>>>>>>> topic');
    for (const file of ['specs/a.openapi.yaml', 'a.json']) {
      repository.write(file, text);
      const args = file === 'a.json' ? ['main:specs/a.openapi.yaml', 'a.json'] : ['main'];
      expect(await diff(...args)).toMatchObject({
        code: 2,
        error: `touchstone: ${file}:3:1: this file has a merge conflict, marked by <<<<<<<, ======= and >>>>>>>; resolve it, and remove the markers\n`,
      });
    }
  });

  it('a submodule', async () => {
    const hash = repository.git('rev-parse', 'HEAD').trim();
    for (const folder of ['shared/specs', 'package/specs'])
      repository.git('update-index', '--add', '--cacheinfo', `160000,${hash},${folder}`);
    repository.git('commit', '--quiet', '--message', 'Share');
    const explained = (folder: string): string =>
      `${folder} is a submodule, so main does not contain its files; run touchstone diff in that folder, or name two files\n`;
    expect(await diff('main:shared/specs/a.yaml', 'specs/a.openapi.yaml')).toMatchObject({
      code: 2,
      error: `touchstone: main:shared/specs/a.yaml cannot be read: ${explained('shared/specs')}`,
    });
    repository.enter('package');
    expect(await diff('main')).toMatchObject({ code: 2, error: `touchstone: ${explained('package/specs')}` });
  });
});

describe('without', () => {
  it('a repository, the message quotes git', async () => {
    const outside = createWorkspace();
    await expect(main()).rejects.toThrow(
      /^main cannot be found: git reports “fatal: not a git repository.*”; change to a folder in the repository, or/,
    );
    outside.end();
  });

  it('any commit, no commit is known', async () => {
    const empty = createRepository();
    await expect(openRevision('HEAD')).rejects.toThrow('git does not know the commit HEAD');
    empty.end();
  });
});
