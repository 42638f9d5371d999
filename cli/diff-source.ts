/** What stands for a contract on the command line of `diff`: a file, or a file in a commit, written `REF:path` as git does. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ReadText } from '../core/document.ts';
import { SpecError, UsageError } from '../core/errors.ts';
import { readTextFile } from '../core/text-file.ts';
import { parseYaml } from '../core/yaml.ts';
import { type Found, openRevision, type Revision } from './git.ts';

/**
 * The files of a run, wherever they stand.
 *
 * Inside, a file of a commit has a name as if the commit were a folder, some folders deep. Paths of references are joined to such a name as to any
 * other: a `../` that stays in the repository cannot eat the commit out of it, and one that leaves it is noticed, and does not read what has that
 * name in the current folder. People are shown `REF:path from the root`, which is what git calls that file.
 */
export interface Sources {
  /** Makes sure that a file is there, and returns the name that `read` knows it by. */
  readonly open: (argument: string) => Promise<string>;
  readonly read: ReadText;
  /** A commit, looked up once. */
  readonly revision: (ref: string) => Promise<Revision>;
  /** A text with the names of files as people write them. */
  readonly show: (text: string) => string;
}

/** The files of a run. */
export function createSources(): Sources {
  const revisions = new Map<string, Promise<Revision>>();
  const revision = (ref: string): Promise<Revision> => {
    const known = revisions.get(ref) ?? openRevision(ref);
    revisions.set(ref, known);
    return known;
  };
  return {
    revision,
    open: (argument) => open(argument, revision),
    read: async (name) => {
      if (!name.startsWith(above)) return readTextFile(name);
      const found = await findIn(name, revisions);
      if ('text' in found) return found.text;
      // What reads references prints the code of an error as its reason.
      throw Object.assign(new Error(found.missing), { code: found.missing });
    },
    show: (text) => {
      const shown = [...revisions.keys()].reduce((before, ref) => before.replaceAll(nameIn(ref, ''), `${ref}:`), text);
      return shown.replaceAll(above, '');
    },
  };
}

/** A folder that no file is in. */
const above = 'in-commit:/';

/** The name that `read` knows a file of a commit by. */
function nameIn(ref: string, file: string): string {
  return `${above.repeat(8)}${ref}:/${file}`;
}

/** The commit and the path of an argument such as `main:specs/a.yaml`; `undefined` for a plain file. */
export function splitArgument(argument: string): readonly [ref: string, file: string] | undefined {
  const mark = argument.indexOf(':');
  if (mark < 0 || /^[A-Za-z]:[\\/]/.test(argument) || existsSync(argument)) return undefined;
  return [argument.slice(0, mark), argument.slice(mark + 1)];
}

/** An error whose message has the names of files as people write them. */
export function showError(error: unknown, show: (text: string) => string): unknown {
  if (!(error instanceof Error) || show(error.message) === error.message) return error;
  if (error instanceof UsageError) return new UsageError(show(error.message), { cause: error });
  if (!(error instanceof SpecError)) return error;
  const { file, line, column } = error.place;
  const message = error.message.slice(`${file}:${line}:${column}: `.length);
  return new SpecError({ ...error.place, file: show(file) }, show(message), { cause: error });
}

async function findIn(name: string, revisions: ReadonlyMap<string, Promise<Revision>>): Promise<Found> {
  for (const [ref, revision] of revisions) {
    const start = nameIn(ref, '');
    if (name.startsWith(start)) return (await revision).find(name.slice(start.length));
  }
  return { missing: 'it is outside of the repository' };
}

async function open(argument: string, revision: Sources['revision']): Promise<string> {
  const split = splitArgument(argument);
  if (split === undefined) return argument;
  const [ref, given] = split;
  if (given.startsWith('//')) throw new UsageError(`${argument} is an address, and contracts are read offline; save it and name the file`);
  if (given === '' || given.startsWith('/')) {
    throw new UsageError(`${argument} names no file of ${ref}; write ${ref}:PATH with a path from the current folder`);
  }
  const at = await revision(ref);
  const file = path.posix.normalize(`${at.folder}${given}`);
  if (file.startsWith('../')) throw new UsageError(`${argument} is outside of the repository; write a path that stays in it`);
  const found = await at.find(file);
  if ('missing' in found) throw new UsageError(await explainMissing(argument, found, file, at));
  return nameIn(ref, file);
}

/** A path from the root, in a folder below it, is the commonest mistake; git itself reads `REF:path` so. */
async function explainMissing(argument: string, found: Extract<Found, { missing: string }>, file: string, at: Revision): Promise<string> {
  const [namesake] = await at.namesakes(file);
  const meant = namesake === undefined || namesake === file ? undefined : path.posix.relative(`/${at.folder}`, `/${namesake}`);
  const advice = meant === undefined ? 'correct the path, which begins in the current folder' : `is ${at.ref}:${meant} meant?`;
  return `${argument} cannot be read: ${found.missing}; ${advice}`;
}

/** Two versions of a contract, by the names that `read` knows. */
export interface Pair {
  readonly old: string;
  readonly next: string;
  /** The contract as people know it. */
  readonly shown: string;
}

/** What is compared. */
interface Pairs {
  readonly pairs: readonly Pair[];
  readonly read: ReadText;
  /** What has no counterpart, in sentences. */
  readonly remarks: readonly string[];
}

const folder = 'specs';
const isContract = (file: string): boolean => /\.openapi\.(ya?ml|json)$/.test(file);

/**
 * Finds what the arguments name.
 * @throws {UsageError} when they name nothing that can be compared.
 */
export async function findPairs(positionals: readonly string[], sources: Sources): Promise<Pairs> {
  const [first, second, ...rest] = positionals;
  if (first === undefined || rest.length > 0) {
    throw new UsageError(
      `touchstone diff compares two contracts, and ${positionals.length === 0 ? 'none is' : `${positionals.length} are`} named; write touchstone diff OLD NEW`,
    );
  }
  if (second === undefined) return findFolder(requireCommit(first), sources);
  const [old, next] = [await sources.open(first), await sources.open(second)];
  return { pairs: [{ old, next, shown: second }], read: sources.read, remarks: [] };
}

/** A single argument is a commit; what looks like a file lacks the other one. */
function requireCommit(argument: string): string {
  const [, file] = splitArgument(argument) ?? [];
  if (file !== undefined) {
    throw new UsageError(`touchstone diff needs something to compare ${argument} with; write touchstone diff ${argument} ${file || 'NEW'}`);
  }
  if (isContract(argument) || statSync(argument, { throwIfNoEntry: false })?.isFile() === true) {
    throw new UsageError(`touchstone diff needs something to compare ${argument} with; write touchstone diff OLD ${argument}`);
  }
  return argument;
}

async function findFolder(ref: string, sources: Sources): Promise<Pairs> {
  const revision = await sources.revision(ref);
  const now = existsSync(folder) ? readdirSync(folder).filter(isContract) : [];
  const before = await listBefore(revision);
  const all = [...new Set([...now, ...before])].sort();
  if (all.length === 0) {
    throw new UsageError(
      `neither this folder nor ${ref} has ${folder}/*.openapi.yaml; name two files, as in touchstone diff ${ref}:a.yaml a.yaml`,
    );
  }
  const gone = new Map<string, string>();
  const pairs = all.flatMap((file) => {
    const shown = `${folder}/${file}`;
    if (!before.includes(file)) return [];
    const old = nameIn(ref, `${revision.folder}${shown}`);
    if (!now.includes(file)) gone.set(shown, old);
    return [{ old, next: shown, shown }];
  });
  const remarks = all.flatMap((file) => {
    if (!before.includes(file)) return [`${folder}/${file} is new since ${ref}: there is nothing to compare it with.`];
    return now.includes(file) ? [] : [`${folder}/${file} is gone since ${ref}: it is compared as a contract without operations.`];
  });
  return { pairs, read: withGone(sources.read, gone), remarks };
}

async function listBefore(revision: Revision): Promise<readonly string[]> {
  const files = await revision.list(`${revision.folder}${folder}`);
  return files.map((file) => file.split('/').at(-1) ?? file).filter(isContract);
}

/** A contract that is gone serves nobody, as one without operations does; so every way to report, accept and count applies to it. */
function withGone(read: ReadText, gone: ReadonlyMap<string, string>): ReadText {
  return async (name) => {
    const old = gone.get(name);
    if (old === undefined) return read(name);
    const { openapi, info, jsonSchemaDialect, servers } = parseYaml(old, await read(old));
    return JSON.stringify({ openapi, info, jsonSchemaDialect, servers, paths: {} });
  };
}
