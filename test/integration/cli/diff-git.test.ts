/** Files of commits: found by any name and from any folder, with helpful messages for missing ones. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRevision, type Revision } from '../../../cli/diff/git.ts';
import { createRepository, createWorkspace, type Workspace } from './diff-repository.ts';

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
    expect(await revision.find('out.yaml')).toEqual({ missing: 'it is a link that leaves main' });
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

  it('lists a folder, and namesakes of a file anywhere', async () => {
    expect(await revision.list('sorts')).toEqual(['sorts/a.yaml', 'sorts/è.yaml']);
    expect(await revision.list('nothing')).toEqual([]);
    expect(await revision.namesakes('wrong/a.yaml')).toEqual(['sorts/a.yaml', 'specs/a.yaml']);
  });

  it.each(['main', 'HEAD', 'HEAD^{/Chan}', 'v1', 'v2', 'team/new-things', 'main@{0}'])('has a commit with the name %s', async (ref) => {
    expect(await (await openRevision(ref)).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it('has a commit by its hash', async () => {
    for (const ref of [repository.git('rev-parse', 'HEAD').trim(), repository.git('rev-parse', '--short', 'HEAD').trim()])
      expect(await (await openRevision(ref)).find('specs/a.yaml')).toEqual({ text: 'a: 1\n' });
  });

  it.each([
    ['', /^the empty text is not a name of a commit/],
    ['-n', /^-n is not a name of a commit; name a branch, a tag or a hash$/],
    ['--output=x', /^--output=x is not a name of a commit/],
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

describe('without', () => {
  it('a repository, the message quotes git', async () => {
    const outside = createWorkspace();
    await expect(main()).rejects.toThrow(
      /^main cannot be found: git says “fatal: not a git repository.*”; change to a folder of the repository, or/,
    );
    outside.end();
  });

  it('any commit, no commit is known', async () => {
    const empty = createRepository();
    await expect(openRevision('HEAD')).rejects.toThrow('git does not know the commit HEAD');
    empty.end();
  });
});
