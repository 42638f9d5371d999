/** Files of commits: found whatever they are called and wherever we are, and what is missing told in words that help. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRevision, type Revision } from '../../../cli/git.ts';
import { createRepository, createWorkspace, type Workspace } from './diff-repository.ts';

let repository: Workspace;
beforeEach(() => {
  repository = createRepository();
  repository.write('specs/a.yaml', 'a: 1\n');
  repository.commit();
});
afterEach(() => repository.end());

const main = (): Promise<Revision> => openRevision('main');

describe('a file of a commit', () => {
  it('has the text that it had then', async () => {
    repository.write('specs/a.yaml', 'a: 2\n');
    expect(await (await main()).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
    repository.commit();
    expect(await (await main()).find('specs/a.yaml')).toEqual({ text: 'a: 2\n' });
    expect(await (await openRevision('HEAD~1')).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it.each(['with space.yaml', 'è già.yaml', '-n.yaml', 'a:b.yaml', '*.yaml', "'quoted' $(echo).yaml", '日本.yaml'])(
    'may be called %s',
    async (name) => {
      repository.write(name, `${name}\n`);
      repository.commit();
      expect(await (await main()).find(name)).toEqual({ text: `${name}\n` });
    },
  );

  it('may be large, and hold any character', async () => {
    const text = `${'è\r\n\u0000 日本 𝒳 '.repeat(400_000)}end`;
    repository.write('large.yaml', text);
    repository.commit();
    const found = await (await main()).find('large.yaml');
    expect('text' in found && found.text === text).toBe(true);
  });

  it('may be empty', async () => {
    repository.write('empty.yaml', '');
    repository.commit();
    expect(await (await main()).find('empty.yaml')).toEqual({ text: '' });
  });

  it('is read through links that stay in the commit', async () => {
    repository.link('other/link.yaml', '../specs/a.yaml');
    repository.link('folder', 'specs');
    repository.link('out.yaml', '/etc/hosts');
    repository.link('nowhere.yaml', 'nothing.yaml');
    repository.commit();
    const revision = await main();
    expect(await revision.find('other/link.yaml')).toEqual({ text: 'a: 1\n' });
    expect(await revision.find('folder/a.yaml')).toEqual({ text: 'a: 1\n' });
    expect(await revision.find('out.yaml')).toEqual({ missing: 'it is a link to outside of main' });
    expect(await revision.find('nowhere.yaml')).toEqual({ missing: 'it is not in main' });
  });

  it.each([
    ['b.yaml', 'it is not in main'],
    ['specs', 'it is a folder in main'],
    ['specs/a.yaml/b', 'it is not in main'],
    ['two\nlines', 'a name with a line break cannot be looked up in a commit'],
  ])('%j is missing, and it is told why', async (file, missing) => {
    expect(await (await main()).find(file)).toEqual({ missing });
  });
});

describe('a commit', () => {
  it.each(['main', 'HEAD', 'HEAD^{/Chan}', 'v1', 'team/new-things', 'main@{0}'])('may be named %s', async (ref) => {
    repository.git('tag', 'v1');
    repository.git('branch', 'team/new-things');
    expect(await (await openRevision(ref)).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it('may be named by its hash, or by an annotated tag', async () => {
    repository.git('tag', '--annotate', 'v2', '--message', 'Two');
    for (const ref of ['v2', repository.git('rev-parse', 'HEAD').trim(), repository.git('rev-parse', '--short', 'HEAD').trim()])
      expect(await (await openRevision(ref)).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it('stays the same when its branch moves', async () => {
    const revision = await main();
    repository.write('specs/a.yaml', 'a: 2\n');
    repository.commit();
    expect(await revision.find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it('lists a folder, and namesakes of a file anywhere', async () => {
    repository.write('specs/è.yaml', '');
    repository.write('old/specs/a.yaml', '');
    repository.write('old/aa.yaml', '');
    repository.commit();
    const revision = await main();
    expect(await revision.list('specs')).toEqual(['specs/a.yaml', 'specs/è.yaml']);
    expect(await revision.list('nothing')).toEqual([]);
    expect(await revision.namesakes('wrong/a.yaml')).toEqual(['old/specs/a.yaml', 'specs/a.yaml']);
  });

  it('knows the folder where we are', async () => {
    expect((await main()).folder).toBe('');
    repository.enter('deep/er');
    expect((await main()).folder).toBe('deep/er/');
  });

  it.each([
    ['', /^the empty text is no name of a commit/],
    ['-n', /^-n is no name of a commit; name a branch, a tag or a hash$/],
    ['--output=x', /^--output=x is no name of a commit/],
    ['man', /^git knows no commit man here; is main meant\?$/],
    ['f00ba4', /^git knows no commit f00ba4 here; correct the name, or fetch it first$/],
    ['main..HEAD', /^git knows no commit main\.\.HEAD here/],
    ['main; echo', /^git knows no commit main; echo here/],
  ])('that is named %j is refused', async (ref, message) => {
    await expect(openRevision(ref)).rejects.toThrow(message);
    await expect(openRevision(ref)).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('that a shallow clone left out is told so', async () => {
    repository.write('specs/a.yaml', 'a: 2\n');
    repository.commit();
    repository.git('clone', '--quiet', '--depth', '1', `file://${repository.folder}`, 'clone');
    repository.enter('clone');
    await expect(openRevision('HEAD~1')).rejects.toThrow('git knows no commit HEAD~1 here, and this clone is shallow; fetch more of it');
  });
});

describe('without', () => {
  it('a repository, git says so', async () => {
    const outside = createWorkspace();
    await expect(main()).rejects.toThrow(/^main cannot be looked up: git says “fatal: not a git repository.*”; go into the repository, or/);
    outside.end();
  });

  it('git, it is told how to go on', async () => {
    vi.stubEnv('PATH', repository.folder);
    await expect(main()).rejects.toThrow('git is not installed, or not in PATH; install it, or name two files');
  });

  it('any commit yet, none is known', async () => {
    const empty = createRepository();
    await expect(openRevision('HEAD')).rejects.toThrow('git knows no commit HEAD here');
    empty.end();
  });
});
