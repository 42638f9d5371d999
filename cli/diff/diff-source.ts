/**
 * The contract arguments of `touchstone diff`: a file, or a file in a commit, written `REF:path` as in git. diff-command.ts finds the pairs to
 * compare here, and reads the files through `ContractSources`.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { SpecError, UsageError } from '../../core/errors.ts';
import type { ReadText } from '../../core/openapi/document.ts';
import { parseYaml } from '../../core/openapi/yaml.ts';
import { readTextFile } from '../../core/text-file.ts';
import { type FileInCommit, openRevision, type Revision } from './git.ts';

/**
 * The files of a run, from disk or from commits.
 *
 * Internally, a file in a commit has a name under a virtual folder, several levels deep. References resolve against this name as usual, so a
 * `../` that leaves the repository still leads to a virtual name, never to a file of the current folder. Messages show `REF:path`, with the
 * path from the root of the repository.
 */
export interface ContractSources {
  /** Checks that a file exists, and returns its name for `read`. */
  readonly open: (argument: string) => Promise<string>;
  readonly read: ReadText;
  /** Opens a commit once. */
  readonly revision: (ref: string) => Promise<Revision>;
  /** A text with internal file names replaced by `REF:path`. */
  readonly show: (text: string) => string;
}

/** Creates the sources of a run. */
export function createContractSources(): ContractSources {
  const revisions = new Map<string, Promise<Revision>>();
  const revision = (ref: string): Promise<Revision> => {
    const opened = revisions.get(ref) ?? openRevision(ref);
    revisions.set(ref, opened);
    return opened;
  };
  return {
    revision,
    open: (argument) => open(argument, revision),
    read: async (name) => {
      if (!name.startsWith(virtualFolder)) return readTextFile(name);
      const found = await findIn(name, revisions);
      if ('text' in found) return found.text;
      // The document loader prints the code of an error as its reason.
      throw Object.assign(new Error(found.missing), { code: found.missing });
    },
    show: (text) => {
      const shown = [...revisions.keys()].reduce((before, ref) => before.replaceAll(nameIn(ref, ''), `${ref}:`), text);
      return shown.replaceAll(virtualFolder, '');
    },
  };
}

/** Name of each virtual folder above a file in a commit. */
const virtualFolder = 'in-commit:/';

/** Depth of the virtual folders: references with fewer `../` above the repository are detected. */
const virtualDepth = 8;

/** Internal name of a file in a commit. */
function nameIn(ref: string, file: string): string {
  return `${virtualFolder.repeat(virtualDepth)}${ref}:/${file}`;
}

/** Commit and path of an argument such as `main:specs/a.yaml`; `undefined` for a plain file. */
export function splitArgument(argument: string): readonly [ref: string, file: string] | undefined {
  const mark = argument.indexOf(':');
  if (mark < 0 || /^[A-Za-z]:[\\/]/.test(argument) || existsSync(argument)) return undefined;
  return [argument.slice(0, mark), argument.slice(mark + 1)];
}

/** An error whose message shows file names as users write them. */
export function showError(error: unknown, show: (text: string) => string): unknown {
  if (!(error instanceof Error) || show(error.message) === error.message) return error;
  if (error instanceof UsageError) return new UsageError(show(error.message), { cause: error });
  if (!(error instanceof SpecError)) return error;
  const { file, line, column } = error.place;
  const message = error.message.slice(`${file}:${line}:${column}: `.length);
  return new SpecError({ ...error.place, file: show(file) }, show(message), { cause: error });
}

async function findIn(name: string, revisions: ReadonlyMap<string, Promise<Revision>>): Promise<FileInCommit> {
  for (const [ref, revision] of revisions) {
    const start = nameIn(ref, '');
    if (name.startsWith(start)) return (await revision).find(name.slice(start.length));
  }
  return { missing: 'it is outside the repository' };
}

async function open(argument: string, revision: ContractSources['revision']): Promise<string> {
  const split = splitArgument(argument);
  if (split === undefined) return argument;
  const [ref, given] = split;
  if (given.startsWith('//')) throw new UsageError(`${argument} is a URL, and contracts are read offline; download it and name the file`);
  if (given === '' || given.startsWith('/')) {
    throw new UsageError(`${argument} names no file of ${ref}; write ${ref}:PATH with a path from the current folder`);
  }
  const at = await revision(ref);
  const file = path.posix.normalize(`${at.folder}${given}`);
  if (file.startsWith('../')) throw new UsageError(`${argument} is outside the repository; name a file inside it`);
  const found = await at.find(file);
  if ('missing' in found) throw new UsageError(await explainMissing(argument, found, file, at));
  return nameIn(ref, file);
}

/** Explains a missing file. Users often write a path from the root of the repository, as git itself reads `REF:path`. */
async function explainMissing(
  argument: string,
  found: Extract<FileInCommit, { missing: string }>,
  file: string,
  at: Revision,
): Promise<string> {
  const [namesake] = await at.namesakes(file);
  const suggestion = namesake === undefined || namesake === file ? undefined : path.posix.relative(`/${at.folder}`, `/${namesake}`);
  const advice =
    suggestion === undefined ? 'correct the path, which starts in the current folder' : `did you mean ${at.ref}:${suggestion}?`;
  return `${argument} cannot be read: ${found.missing}; ${advice}`;
}

/** Two versions of a contract, by their names for `read`. */
export interface ContractPair {
  readonly old: string;
  readonly next: string;
  /** Name of the contract in reports. */
  readonly shown: string;
}

/** The pairs to compare. */
interface ContractPairs {
  readonly pairs: readonly ContractPair[];
  readonly read: ReadText;
  /** Sentences on added and removed contract files. */
  readonly remarks: readonly string[];
}

const folder = 'specs';
const isContract = (file: string): boolean => /\.openapi\.(ya?ml|json)$/.test(file);

/**
 * Finds the contracts that the arguments name.
 * @throws {UsageError} if there is nothing to compare.
 */
export async function findContractPairs(positionals: readonly string[], sources: ContractSources): Promise<ContractPairs> {
  const [first, second, ...rest] = positionals;
  if (first === undefined || rest.length > 0) {
    throw new UsageError(
      `touchstone diff compares two contracts, but ${positionals.length === 0 ? 'none is' : `${positionals.length} are`} named; write touchstone diff OLD NEW`,
    );
  }
  if (second === undefined) return findFolder(requireCommit(first), sources);
  const [old, next] = [await sources.open(first), await sources.open(second)];
  return { pairs: [{ old, next, shown: second }], read: sources.read, remarks: [] };
}

/** Checks that a single argument is a commit, since a file needs a second file. */
function requireCommit(argument: string): string {
  const [, file] = splitArgument(argument) ?? [];
  if (file !== undefined) {
    throw new UsageError(
      `touchstone diff needs a second file to compare with ${argument}; write touchstone diff ${argument} ${file || 'NEW'}`,
    );
  }
  if (isContract(argument) || statSync(argument, { throwIfNoEntry: false })?.isFile() === true) {
    throw new UsageError(`touchstone diff needs a second file to compare with ${argument}; write touchstone diff OLD ${argument}`);
  }
  return argument;
}

async function findFolder(ref: string, sources: ContractSources): Promise<ContractPairs> {
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
    if (!before.includes(file)) return [`${folder}/${file} was added since ${ref}, so there is nothing to compare it with.`];
    return now.includes(file) ? [] : [`${folder}/${file} was removed since ${ref}; it is compared with a contract without operations.`];
  });
  return { pairs, read: withRemovedContracts(sources.read, gone), remarks };
}

async function listBefore(revision: Revision): Promise<readonly string[]> {
  const files = await revision.list(`${revision.folder}${folder}`);
  return files.map((file) => file.split('/').at(-1) ?? file).filter(isContract);
}

/** A removed contract is compared as `paths: {}`, so that levels, acceptances and reports apply to it. */
function withRemovedContracts(read: ReadText, gone: ReadonlyMap<string, string>): ReadText {
  return async (name) => {
    const old = gone.get(name);
    if (old === undefined) return read(name);
    const { openapi, info, jsonSchemaDialect, servers } = parseYaml(old, await read(old));
    return JSON.stringify({ openapi, info, jsonSchemaDialect, servers, paths: {} });
  };
}
