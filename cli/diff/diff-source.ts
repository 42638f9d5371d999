/**
 * The contract arguments of `touchstone diff`: a file, a file in a commit (`REF:path`), a commit, or two commits (`A..B`, `A...B`). `diff-command.ts`
 * finds the pairs to compare here, and reads the files through `ContractSources`. It compares nothing.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { SpecError, UsageError } from '../../core/errors.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { ReadText } from '../../core/openapi/document.ts';
import { parseYaml } from '../../core/openapi/yaml.ts';
import { readTextFile } from '../../core/text-file.ts';
import { type FileInCommit, findMergeBase, openRevision, type Revision } from './git.ts';

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
    return getOrCompute(revisions, ref, () => openRevision(ref));
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
  { missing, advice }: Extract<FileInCommit, { missing: string }>,
  file: string,
  at: Revision,
): Promise<string> {
  if (advice !== undefined) return `${argument} cannot be read: ${missing}; ${advice}`;
  const namesake = (await at.files()).find((each) => path.posix.basename(each) === path.posix.basename(file));
  const suggestion = namesake === undefined || namesake === file ? undefined : path.posix.relative(`/${at.folder}`, `/${namesake}`);
  const meant = suggestion === undefined ? 'correct the path, which starts in the current folder' : `did you mean ${at.ref}:${suggestion}?`;
  return `${argument} cannot be read: ${missing}; ${meant}`;
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
  /** Sentences on the compared commit, and on added, renamed and removed contract files. */
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
  if (second === undefined) return findFolder(await readVersions(first, sources), sources);
  const [old, next] = [await sources.open(first), await sources.open(second)];
  return { pairs: [{ old, next, shown: second }], read: sources.read, remarks: [] };
}

/** The two versions of a folder. The new one is a commit, or the files on disk. */
interface FolderVersions {
  readonly old: Revision;
  readonly next: Revision | undefined;
  readonly remarks: readonly string[];
}

/** Reads `A`, `A..B` or `A...B` as git does: an empty side is HEAD. A commit alone and three dots mean the last common commit. */
async function readVersions(argument: string, sources: ContractSources): Promise<FolderVersions> {
  const [, left = '', dots, right = ''] = /^([^/].*?|)(\.{2,3})([^./].*|)$/.exec(argument) ?? [];
  if (dots === undefined || left + right === '' || existsSync(argument)) {
    const ref = requireCommit(argument);
    return fromMergeBase(await sources.revision(ref), undefined, sources);
  }
  const [old, next] = [await sources.revision(left || 'HEAD'), await sources.revision(right || 'HEAD')];
  return dots === '..' ? { old, next, remarks: [] } : fromMergeBase(old, next, sources);
}

async function fromMergeBase(tip: Revision, next: Revision | undefined, sources: ContractSources): Promise<FolderVersions> {
  const other = next ?? (await sources.revision('HEAD'));
  const base = await findMergeBase(tip, other);
  if (base === tip.ref) return { old: tip, next, remarks: [] };
  const remark = `The old version is that of ${base}, the last commit that ${tip.ref} and ${other.ref} share.`;
  return { old: await sources.revision(base), next, remarks: [remark] };
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

async function findFolder({ old, next, remarks }: FolderVersions, sources: ContractSources): Promise<ContractPairs> {
  const { ref } = old;
  const [before, now] = [await listContracts(old), await listContracts(next)];
  if (before.length + now.length === 0) {
    throw new UsageError(
      `neither ${next?.ref ?? 'this folder'} nor ${ref} has ${folder}/*.openapi.yaml; name two files, as in touchstone diff ${ref}:a.yaml a.yaml`,
    );
  }
  const rootOf = (file: string): string => `${old.folder}${file}`;
  const nextName = (file: string): string => (next === undefined ? file : nameIn(next.ref, rootOf(file)));
  const added = now.filter((file) => !before.includes(file));
  const renames = await findRenames(
    added.map((file) => ({ file, name: nextName(file) })),
    old,
    next,
    sources.read,
  );
  const followed = new Set(renames.values());
  const gone = new Map<string, string>();
  const pairs: ContractPair[] = [];
  const others: string[] = [];
  for (const file of [...new Set([...now, ...before])].sort()) {
    const renamed = renames.get(file);
    const earlier = renamed ?? rootOf(file);
    if (!before.includes(file) && renamed === undefined) {
      others.push(`${file} was added since ${ref}, so there is nothing to compare it with.`);
    } else if (now.includes(file)) {
      pairs.push({ old: nameIn(ref, earlier), next: nextName(file), shown: file });
      if (renamed !== undefined) others.push(`${file} is compared with ${ref}:${renamed}, which was renamed.`);
    } else if (!followed.has(earlier)) {
      pairs.push({ old: nameIn(ref, earlier), next: nextName(file), shown: file });
      gone.set(nextName(file), nameIn(ref, earlier));
      others.push(`${file} was removed since ${ref}; it is compared with a contract without operations.`);
    }
  }
  return { pairs, read: withRemovedContracts(sources.read, gone), remarks: [...remarks, ...others] };
}

/** Paths of the contracts in the folder, in a commit or on disk. */
async function listContracts(revision: Revision | undefined): Promise<readonly string[]> {
  if (revision !== undefined) {
    const files = await revision.list(`${revision.folder}${folder}`);
    return files.map((file) => `${folder}/${path.posix.basename(file)}`).filter(isContract);
  }
  const files = existsSync(folder) ? readdirSync(folder).map((file) => `${folder}/${file}`) : [];
  return files.filter((file) => isContract(file) && statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** Limit of files in which an added contract is looked for. */
const renameCandidatesMax = 100;
/** Share of equal lines from which a file counts as renamed, as in git. */
const similarityMin = 0.5;

/**
 * Finds the earlier paths of added contracts, from the root of the repository: files that are gone, and have at least half of their lines in
 * common. git's own search leaves out files that are not yet added.
 */
async function findRenames(
  added: readonly { readonly file: string; readonly name: string }[],
  old: Revision,
  next: Revision | undefined,
  read: ReadText,
): Promise<ReadonlyMap<string, string>> {
  if (added.length === 0) return new Map();
  const kept = new Set(await next?.files());
  const exists = (file: string): boolean =>
    next === undefined ? existsSync(path.posix.relative(`/${old.folder}`, `/${file}`)) : kept.has(file);
  const candidates = (await old.files()).filter((file) => /\.(ya?ml|json)$/.test(file) && !exists(file)).slice(0, renameCandidatesMax);
  const texts = await Promise.all(candidates.map(async (file) => ({ file, found: await old.find(file) })));
  const matches: { readonly file: string; readonly earlier: string; readonly similarity: number }[] = [];
  for (const { file, name } of added) {
    const lines = (await read(name)).split('\n');
    for (const { file: earlier, found } of texts) {
      if ('text' in found) matches.push({ file, earlier, similarity: similarityOf(lines, found.text.split('\n')) });
    }
  }
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  for (const { file, earlier, similarity } of matches.sort((left, right) => right.similarity - left.similarity)) {
    if (similarity < similarityMin || renames.has(file) || taken.has(earlier)) continue;
    renames.set(file, earlier);
    taken.add(earlier);
  }
  return renames;
}

/** Share of the lines of the longer text that the other one has too. */
function similarityOf(left: readonly string[], right: readonly string[]): number {
  const rest = new Map<string, number>();
  for (const line of left) rest.set(line, (rest.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of right) {
    const number = rest.get(line) ?? 0;
    if (number > 0) common += 1;
    rest.set(line, number - 1);
  }
  return common / Math.max(left.length, right.length);
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
