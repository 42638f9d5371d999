/** Reads commits with git, which no other code may run. Its arguments are a list, never a command line for a shell. */

import { execFile } from 'node:child_process';
import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';

/** The text of a file, or the reason for its absence: “it is not in main”. */
export type FileInCommit = { readonly text: string } | { readonly missing: string; readonly advice?: string };

/** A commit and its files. Paths start at the root of the repository and use slashes. */
export interface Revision {
  /** The commit as the user named it. */
  readonly ref: string;
  /** The hash of the commit. */
  readonly commit: string;
  /** The current folder from the root, with a final slash; empty at the root. */
  readonly folder: string;
  /** Reads a file; follows symbolic links. */
  readonly find: (file: string) => Promise<FileInCommit>;
  /** Files and folders in a folder; empty if it does not exist. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** All files of the commit. */
  readonly files: () => Promise<readonly string[]>;
}

/**
 * Opens a commit of the current repository. The name is resolved once, so a branch that moves meanwhile has no effect.
 * @throws {UsageError} without git, without a repository, or for an unknown commit.
 */
export async function openRevision(ref: string): Promise<Revision> {
  // git would read a name with a leading hyphen as an option.
  if (!/^[^-\s\0]/.test(ref))
    throw new UsageError(`${ref || 'an empty string'} is not the name of a commit; name a branch, a tag or a hash`);
  const folder = await readFolder(ref);
  const { code, out } = await runGit(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  if (code !== 0) throw new UsageError(await explainUnknown(ref));
  const commit = out.toString().trim();
  return {
    ref,
    commit,
    folder,
    find: (file) => findFile(ref, commit, file),
    list: async (under) => {
      const submodule = await findSubmodule(commit, under);
      if (submodule !== undefined) throw new UsageError(`${explainSubmodule(submodule, ref)}; ${submoduleAdvice}`);
      return listFiles(['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', `${under}/`]);
    },
    files: () => listFiles(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]),
  };
}

/**
 * Returns the last commit that two commits share: the name of the first one if that is its commit, and a short hash otherwise.
 * @throws {UsageError} if they share none, or if the clone is too shallow to know it.
 */
export async function findMergeBase(first: Revision, second: Revision): Promise<string> {
  const { code, out } = await runGit(['merge-base', first.commit, second.commit]);
  const base = out.toString().trim();
  if (code === 0) return base === first.commit ? first.ref : (await runGit(['rev-parse', '--short', base])).out.toString().trim();
  const reason = `${first.ref} and ${second.ref} share no commit`;
  if (await isShallow()) throw new UsageError(`${reason} in this shallow clone; fetch the history with git fetch --unshallow`);
  throw new UsageError(`${reason}; compare them with touchstone diff ${first.ref}..${second.ref}`);
}

/** Earlier paths of renamed files by their new path, from the root of the repository. Of the files on disk, git knows those that were added. */
export async function findRenames(old: Revision, next: Revision | undefined): Promise<ReadonlyMap<string, string>> {
  const commits = [old.commit, ...(next === undefined ? [] : [next.commit])];
  const fields = await listFiles(['diff', '--find-renames', '--diff-filter=R', '--name-status', '--no-relative', '-z', ...commits]);
  // Each rename has three fields: the similarity, the old path and the new path.
  return new Map(fields.flatMap((earlier, index) => (index % 3 === 1 ? [[fields[index + 1] ?? '', earlier] as const] : [])));
}

/** Paths of the files that differ between two commits, or between a commit and the files on disk, new ones included. */
export async function listChanged(old: Revision, next: Revision | undefined): Promise<readonly string[]> {
  const commits = [old.commit, ...(next === undefined ? [] : [next.commit])];
  const changed = await listFiles(['diff', '--no-renames', '--name-only', '--no-relative', '-z', ...commits]);
  const untracked = next === undefined ? await listFiles(['ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/']) : [];
  return [...changed, ...untracked];
}

/** Paths of all files of a commit, or of the tracked files on disk. */
export async function listTracked(revision: Revision | undefined): Promise<readonly string[]> {
  return revision === undefined ? listFiles(['ls-files', '--full-name', '-z', ':/']) : revision.files();
}

/** True for the name of a branch, local or of a remote. Tags and hashes name a fixed commit. */
export async function isBranch(ref: string): Promise<boolean> {
  const refs = [`refs/heads/${ref}`, `refs/remotes/${ref}`];
  const found = await Promise.all(refs.map((each) => runGit(['show-ref', '--verify', '--quiet', each])));
  return found.some(({ code }) => code === 0);
}

async function readFolder(ref: string): Promise<string> {
  const { code, out, error } = await runGit(['rev-parse', '--show-prefix']);
  if (code === 0) return out.toString().replace(/\n$/, '');
  throw new UsageError(
    `${ref} cannot be found: git reports “${error.split('\n')[0] ?? ''}”; change to a folder in the repository, or name two files`,
  );
}

async function explainUnknown(ref: string): Promise<string> {
  const names = await runGit(['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes']);
  if (await isShallow())
    return `git does not know the commit ${ref}, and this clone is shallow; fetch the history with git fetch --unshallow`;
  return `git does not know the commit ${ref}; ${didYouMean(ref, names.out.toString().split('\n').filter(Boolean), 'correct the name, or fetch it first')}`;
}

async function isShallow(): Promise<boolean> {
  const { out } = await runGit(['rev-parse', '--is-shallow-repository']);
  return out.toString().trim() === 'true';
}

async function findFile(ref: string, commit: string, file: string): Promise<FileInCommit> {
  if (file.includes('\n')) return { missing: 'a name with a line break cannot be found in a commit' };
  const { code, out, error } = await runGit(['cat-file', '--batch', '--follow-symlinks'], `${commit}:${file}\n`);
  if (code !== 0) return { missing: `git reports “${error.split('\n')[0] ?? ''}”` };
  const end = out.indexOf('\n');
  const [, type, size] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(out.toString('utf8', 0, end)) ?? [];
  if (type === 'blob') return { text: out.toString('utf8', end + 1, end + 1 + Number(size)) };
  if (type === 'tree') return { missing: `it is a folder in ${ref}` };
  const submodule = await findSubmodule(commit, file);
  if (submodule !== undefined) return { missing: explainSubmodule(submodule, ref), advice: submoduleAdvice };
  return {
    missing: out.toString('utf8', 0, end).startsWith('symlink ')
      ? `it is a symbolic link to a place outside ${ref}`
      : `it is not in ${ref}`,
  };
}

/** Returns the submodule that holds a path, if any. */
async function findSubmodule(commit: string, file: string): Promise<string | undefined> {
  const names = file.split('/');
  for (const end of names.keys()) {
    const folder = names.slice(0, end + 1).join('/');
    const { out } = await runGit(['ls-tree', '--full-tree', commit, '--', folder]);
    if (out.toString().startsWith('160000 ')) return folder;
  }
  return undefined;
}

function explainSubmodule(folder: string, ref: string): string {
  return `${folder} is a submodule, so ${ref} does not contain its files`;
}

const submoduleAdvice = 'run touchstone diff in that folder, or name two files';

async function listFiles(args: readonly string[]): Promise<readonly string[]> {
  const { code, out, error } = await runGit(args);
  if (code !== 0) throw new UsageError(`the files of a commit cannot be listed: git reports “${error.split('\n')[0] ?? ''}”`);
  return out.toString().split('\0').filter(Boolean);
}

interface GitResult {
  readonly code: number;
  readonly out: Buffer;
  readonly error: string;
}

/** Limit for git's output, far above the size of any contract. */
const outputMax = 1024 ** 3;

function runGit(args: readonly string[], input = ''): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = execFile('git', [...args], { maxBuffer: outputMax, encoding: 'buffer' }, (failure, out, error) => {
      const code = failure === null ? 0 : failure.code;
      if (typeof code === 'number') resolve({ code, out, error: error.toString() });
      else reject(new UsageError(explainUnstarted(failure), { cause: failure }));
    });
    // If git ends before it reads its input, the exit code shows the reason.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function explainUnstarted(failure: Error | null): string {
  if (failure !== null && 'code' in failure && failure.code === 'ENOENT') {
    return 'git is not installed or not in PATH; install it, or name two files';
  }
  return `git cannot be run (${failure?.message ?? 'no reason given'}); name two files`;
}
