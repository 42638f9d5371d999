/** Files in commits, for `touchstone diff`. No other file runs git. It gets a list of arguments, never a command line for a shell. */

import { execFile } from 'node:child_process';
import path from 'node:path';
import { nearest, UsageError } from '../../core/errors.ts';

/** The text of a file, or the reason for its absence: “it is not in main”. */
export type FileInCommit = { readonly text: string } | { readonly missing: string };

/** A commit and its files. Paths start at the root of the repository and use slashes. */
export interface Revision {
  /** The commit as the user named it. */
  readonly ref: string;
  /** The current folder from the root, with a final slash; empty at the root. */
  readonly folder: string;
  /** Reads a file; follows symbolic links. */
  readonly find: (file: string) => Promise<FileInCommit>;
  /** Files and folders in a folder; empty if it does not exist. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Files in any folder with the same name, to suggest the right path. */
  readonly namesakes: (file: string) => Promise<readonly string[]>;
}

/**
 * Opens a commit of the current repository. The name is resolved once, so a branch that moves meanwhile has no effect.
 * @throws {UsageError} without git, without a repository, or for an unknown commit.
 */
export async function openRevision(ref: string): Promise<Revision> {
  // git would read a name with a leading hyphen as an option.
  if (!/^[^-\s\0]/.test(ref)) throw new UsageError(`${ref || 'the empty text'} is not a name of a commit; name a branch, a tag or a hash`);
  const folder = await readFolder(ref);
  const found = await runGit(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  if (found.code !== 0) throw new UsageError(await explainUnknown(ref));
  const commit = found.out.toString().trim();
  return {
    ref,
    folder,
    find: (file) => findFile(ref, commit, file),
    list: (under) => listFiles(['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', `${under}/`]),
    namesakes: async (file) => {
      const all = await listFiles(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
      return all.filter((each) => path.posix.basename(each) === path.posix.basename(file));
    },
  };
}

async function readFolder(ref: string): Promise<string> {
  const { code, out, error } = await runGit(['rev-parse', '--show-prefix']);
  if (code === 0) return out.toString().replace(/\n$/, '');
  throw new UsageError(
    `${ref} cannot be found: git says “${error.split('\n')[0] ?? ''}”; change to a folder of the repository, or name two files`,
  );
}

async function explainUnknown(ref: string): Promise<string> {
  const names = await runGit(['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes']);
  const suggestion = nearest(ref, names.out.toString().split('\n').filter(Boolean));
  const shallow = await runGit(['rev-parse', '--is-shallow-repository']);
  const isShallow = shallow.out.toString().trim() === 'true';
  if (isShallow) return `git does not know the commit ${ref}, and this clone is shallow; fetch the history with git fetch --unshallow`;
  return `git does not know the commit ${ref}; ${suggestion === undefined ? 'correct the name, or fetch it first' : `did you mean ${suggestion}?`}`;
}

async function findFile(ref: string, commit: string, file: string): Promise<FileInCommit> {
  if (file.includes('\n')) return { missing: 'a name with a line break cannot be found in a commit' };
  const { code, out, error } = await runGit(['cat-file', '--batch', '--follow-symlinks'], `${commit}:${file}\n`);
  if (code !== 0) return { missing: `git says “${error.split('\n')[0] ?? ''}”` };
  const end = out.indexOf('\n');
  const [, type, size] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(out.toString('utf8', 0, end)) ?? [];
  if (type === 'blob') return { text: out.toString('utf8', end + 1, end + 1 + Number(size)) };
  if (type === 'tree') return { missing: `it is a folder in ${ref}` };
  return { missing: out.toString('utf8', 0, end).startsWith('symlink ') ? `it is a link that leaves ${ref}` : `it is not in ${ref}` };
}

async function listFiles(args: readonly string[]): Promise<readonly string[]> {
  const { code, out, error } = await runGit(args);
  if (code !== 0) throw new UsageError(`the files of a commit cannot be listed: git says “${error.split('\n')[0] ?? ''}”`);
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
