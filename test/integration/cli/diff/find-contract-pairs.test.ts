/** An argument names a file, or a file of a commit, with everything it refers to. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskOrCommitFiles, showError, splitArgument } from '../../../../cli/diff/versioned-files.ts';
import { SpecError, UsageError } from '../../../../core/errors.ts';
import { loadDocument } from '../../../../core/openapi/loading/load-document.ts';
import { createRepository, type Workspace } from '../diff-repository.ts';

let repository: Workspace;
beforeEach(() => {
  repository = createRepository();
});
afterEach(() => repository.end());

const top = (reference: string): string => `openapi: 3.1.0\ncomponents:\n  schemas:\n    A: { $ref: '${reference}' }\n`;

/** Reads a contract and everything that it refers to, and tells the files by the names that people see. */
async function load(argument: string): Promise<readonly string[]> {
  const sources = createDiskOrCommitFiles();
  const document = await loadDocument(await sources.open(argument), sources.read);
  return [...document.files.keys()].map(sources.show).sort();
}

async function complain(argument: string): Promise<string> {
  const sources = createDiskOrCommitFiles();
  try {
    await loadDocument(await sources.open(argument), sources.read);
  } catch (error) {
    const shown = showError(error, sources.show);
    if (shown instanceof SpecError || shown instanceof UsageError) return shown.message;
    throw error;
  }
  throw new Error(`${argument} was read without complaint`);
}

describe('an argument', () => {
  it.each([
    ['main:a.yaml', ['main', 'a.yaml']],
    ['HEAD~2:specs/a.yaml', ['HEAD~2', 'specs/a.yaml']],
    ['origin/main:a:b.yaml', ['origin/main', 'a:b.yaml']],
    [':a.yaml', ['', 'a.yaml']],
    ['c:a.yaml', ['c', 'a.yaml']],
    ['a.yaml', undefined],
    ['./a.yaml', undefined],
    ['C:\\specs\\a.yaml', undefined],
    ['c:/specs/a.yaml', undefined],
  ])('%s is read as it is meant', (argument, expected) => {
    expect(splitArgument(argument)).toEqual(expected);
  });

  it('that is the name of a file is that file, colon or not', async () => {
    repository.write('main:a.yaml', 'openapi: 3.1.0');
    expect(splitArgument('main:a.yaml')).toBeUndefined();
    expect(await load('main:a.yaml')).toEqual(['main:a.yaml']);
  });
});

describe('a contract of a commit', () => {
  it('takes what it refers to from the same commit, beside it, below it and above it', async () => {
    repository.write('specs/a.yaml', top('b.yaml#/x'));
    repository.write('specs/b.yaml', "x: { $ref: 'deep/c.yaml#/x' }\n");
    repository.write('specs/deep/c.yaml', "x: { $ref: '../../shared/d.yaml#/x' }\n");
    repository.write('shared/d.yaml', "x: { $ref: '../specs/a.yaml#/openapi' }\n");
    repository.commit();
    for (const file of ['specs/b.yaml', 'specs/deep/c.yaml', 'shared/d.yaml']) repository.remove(file);
    const files = ['shared/d.yaml', 'specs/a.yaml', 'specs/b.yaml', 'specs/deep/c.yaml'];
    expect(await load('main:specs/a.yaml')).toEqual(files.map((file) => `main:${file}`));
    repository.git('branch', 'team/new');
    expect(await load('team/new:specs/a.yaml')).toEqual(files.map((file) => `team/new:${file}`));
  });

  it('is named from the folder where we are, and shown from the root, as git names it', async () => {
    repository.write('a.yaml', top('specs/b.yaml#/x'));
    repository.write('specs/b.yaml', 'x: true\n');
    repository.commit();
    expect(await load('main:a.yaml')).toEqual(['main:a.yaml', 'main:specs/b.yaml']);
    repository.enter('specs');
    expect(await load('main:b.yaml')).toEqual(['main:specs/b.yaml']);
    expect(await load('main:../a.yaml')).toEqual(['main:a.yaml', 'main:specs/b.yaml']);
    expect(await load('main:./b.yaml')).toEqual(['main:specs/b.yaml']);
  });
});

describe('a mistake is reported with the names that people use:', () => {
  beforeEach(() => {
    repository.write('specs/a.yaml', top('b.yaml#/x'));
    repository.write('specs/broken.yaml', 'a: [\n');
    repository.write('specs/nowhere.yaml', top('#/components/schemas/B'));
    repository.write('specs/outside.yaml', top('../../b.yaml'));
    repository.write('b.yaml', 'this is not what ../../b.yaml means');
    repository.write('top.yaml', 'openapi: 3.1.0\n');
    repository.commit();
  });

  it.each([
    ['main:specs/a.yaml', 'main:specs/a.yaml:4:10: the referenced file main:specs/b.yaml cannot be read (it is not in main)'],
    ['main:specs/broken.yaml', 'main:specs/broken.yaml:2:1: this is not valid YAML'],
    [
      'main:specs/nowhere.yaml',
      'main:specs/nowhere.yaml:4:10: #/components/schemas/B cannot be resolved: main:specs/nowhere.yaml has nothing at',
    ],
    ['main:specs/outside.yaml', 'main:specs/outside.yaml:4:10: the referenced file b.yaml cannot be read (it is outside the repository)'],
    ['main:specs/c.yaml', 'main:specs/c.yaml cannot be read: it is not in main; correct the path, which starts in the current folder'],
    ['main:a.yaml', 'main:a.yaml cannot be read: it is not in main; did you mean main:specs/a.yaml?'],
    ['main:specs', 'main:specs cannot be read: it is a folder in main; correct the path'],
    ['main:', 'main: names no file in main; write main:PATH with a path from the current folder'],
    ['main:/specs/a.yaml', 'main:/specs/a.yaml names no file in main; write main:PATH'],
    ['main:../a.yaml', 'main:../a.yaml is outside the repository; name a file inside it'],
    ['mainn:specs/a.yaml', 'git does not know the commit mainn; did you mean main?'],
    ['-n:specs/a.yaml', '-n is not the name of a commit'],
    [':specs/a.yaml', 'an empty string is not the name of a commit'],
    ['https://example.com/a.yaml', 'https://example.com/a.yaml is a URL, and contracts are read offline; download it and name the file'],
    ['nothing.yaml', 'nothing.yaml cannot be read (ENOENT)'],
    ['specs', 'specs cannot be read (EISDIR)'],
    ['main', 'main does not exist; name a file, or main:PATH for a file in the commit main'],
  ])('%s', async (argument, message) => {
    expect(await complain(argument)).toContain(message);
  });

  it('a path from the root in a folder below it, where git itself would read it so', async () => {
    repository.enter('specs');
    expect(await complain('main:specs/a.yaml')).toContain('did you mean main:a.yaml?');
    expect(await complain('main:top.yaml')).toContain('did you mean main:../top.yaml?');
  });
});
