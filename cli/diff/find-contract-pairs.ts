/** Finds the pairs of contracts that the arguments of `touchstone diff` name: two files, or the contracts below the current folder in two versions. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import type { ReadText } from '../../core/openapi/document.ts';
import { parseYaml } from '../../core/openapi/loading/yaml.ts';
import { findMergeBase, findRenames, isBranch, listChanged, listTracked, type Revision } from './git.ts';
import { type DiskOrCommitFiles, nameIn, splitArgument } from './versioned-files.ts';

/** Two versions of a contract, by their names for `read`. */
export interface ContractPair {
  readonly old: string;
  readonly next: string;
  /** Name of the contract in reports. */
  readonly shown: string;
}

/** The pairs to compare. */
interface PairsAndRemarks {
  readonly pairs: readonly ContractPair[];
  readonly read: ReadText;
  /** Sentences on the compared commit, and on added, renamed and removed contract files. */
  readonly remarks: readonly string[];
}

/** Folder whose contracts are compared whether they changed or not. */
const folder = 'specs';
const isContract = (file: string): boolean => /\.(?:openapi|overlay)\.(?:ya?ml|json)$/.test(file);

/**
 * Finds the contracts that the arguments name. `configured` has the contracts of the configuration; without any, those that changed are found.
 * @throws {UsageError} if there is nothing to compare.
 */
export async function findContractPairs(
  positionals: readonly string[],
  sources: DiskOrCommitFiles,
  configured: readonly string[] = [],
): Promise<PairsAndRemarks> {
  const [first, second, ...rest] = positionals;
  if (first === undefined || rest.length > 0) {
    throw new UsageError(
      `touchstone diff compares two contracts, but ${positionals.length === 0 ? 'none is' : `${positionals.length} are`} named; write touchstone diff OLD NEW`,
    );
  }
  if (second === undefined) return findFolder(await readVersions(first, sources), sources, configured);
  const earlier = await findAtMergeBase(first, second, sources);
  const [old, next] = [await sources.open(earlier.argument), await sources.open(second)];
  return { pairs: [{ old, next, shown: second }], read: sources.read, remarks: earlier.remarks };
}

/**
 * The old version of a file on disk, if the first argument names it in a branch: that of the last commit that the branch and HEAD share. Otherwise what is new
 * on the branch would look removed. Follows a file that was moved since.
 */
async function findAtMergeBase(
  argument: string,
  second: string,
  sources: DiskOrCommitFiles,
): Promise<{ readonly argument: string; readonly remarks: readonly string[] }> {
  const [ref, file] = splitArgument(argument) ?? [];
  const isComparable = ref !== undefined && file !== undefined && /^[^/]/.test(file) && splitArgument(second) === undefined;
  if (!isComparable || !(await isBranch(ref))) return { argument, remarks: [] };
  const tip = await sources.revision(ref);
  const { old: base, remarks } = await fromMergeBase(tip, undefined, sources);
  const named = path.posix.normalize(`${tip.folder}${file}`);
  if ('text' in (await base.find(named))) return { argument: `${base.ref}:${file}`, remarks };
  const moved = (await findRenames(base, tip)).get(named) ?? (await findRenames(base, undefined)).get(named);
  if (moved === undefined) return { argument, remarks: [] };
  const remark = `${file} is compared with ${base.ref}:${moved}, which was renamed.`;
  return { argument: `${base.ref}:${path.posix.relative(`/${tip.folder}`, `/${moved}`)}`, remarks: [...remarks, remark] };
}

/** The two versions of a folder. The new one is a commit, or the files on disk. */
interface FolderVersions {
  readonly old: Revision;
  readonly next: Revision | undefined;
  readonly remarks: readonly string[];
}

/** Reads `A`, `A..B` or `A...B` as git does: an empty side is HEAD. A commit alone and three dots mean the last common commit. */
async function readVersions(argument: string, sources: DiskOrCommitFiles): Promise<FolderVersions> {
  const [, left = '', dots, right = ''] = /^([^/].*?|)(\.{2,3})([^./].*|)$/.exec(argument) ?? [];
  if (dots === undefined || left + right === '' || existsSync(argument)) {
    const ref = requireCommit(argument);
    return fromMergeBase(await sources.revision(ref), undefined, sources);
  }
  const [old, next] = [await sources.revision(left || 'HEAD'), await sources.revision(right || 'HEAD')];
  return dots === '..' ? { old, next, remarks: [] } : fromMergeBase(old, next, sources);
}

async function fromMergeBase(tip: Revision, next: Revision | undefined, sources: DiskOrCommitFiles): Promise<FolderVersions> {
  const other = next ?? (await sources.revision('HEAD'));
  const base = await findMergeBase(tip, other);
  if (base === tip.ref) return { old: tip, next, remarks: [] };
  const remark = `The old version is the one in ${base}, the last commit that ${tip.ref} and ${other.ref} share.`;
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

async function findFolder(
  { old, next, remarks }: FolderVersions,
  sources: DiskOrCommitFiles,
  configured: readonly string[],
): Promise<PairsAndRemarks> {
  const { ref } = old;
  const rootOf = (file: string): string => `${old.folder}${file}`;
  const nextName = (file: string): string => (next === undefined ? file : nameIn(next.ref, rootOf(file)));
  const earlierPaths = await findRenames(old, next);
  const changed = configured.length > 0 ? configured : await listChangedContracts(old, next, sources);
  const [before, now] = [await listContracts(old, changed, configured), await listContracts(next, changed, configured)];
  if (before.length + now.length === 0) {
    const remark = explainNothing(ref, next, configured);
    return { pairs: [], read: sources.read, remarks: [...remarks, remark] };
  }
  const renames = new Map(now.flatMap((file) => (before.includes(file) ? [] : [[file, earlierPaths.get(rootOf(file))] as const])));
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

/**
 * Says that nothing changed.
 * @throws {UsageError} if the contracts of the configuration exist in neither version.
 */
function explainNothing(ref: string, next: Revision | undefined, configured: readonly string[]): string {
  if (configured.length === 0) return `No OpenAPI file below this folder changed since ${ref}.`;
  throw new UsageError(
    `neither ${next?.ref ?? 'this folder'} nor ${ref} has the contracts that the configuration lists: ${configured.join(', ')}`,
  );
}

/** Paths of the contracts that exist in a commit or on disk: those that are named, and without a configuration those of the folder `specs`. */
async function listContracts(
  revision: Revision | undefined,
  named: readonly string[],
  configured: readonly string[],
): Promise<readonly string[]> {
  const ofFolder = configured.length > 0 ? [] : await listSpecs(revision);
  const existing = await Promise.all(
    named.map(async (file) => {
      const exists =
        revision === undefined ? existsSync(file) : 'text' in (await revision.find(path.posix.normalize(`${revision.folder}${file}`)));
      return exists ? [file] : [];
    }),
  );
  return [...new Set([...ofFolder, ...existing.flat()])];
}

async function listSpecs(revision: Revision | undefined): Promise<readonly string[]> {
  if (revision !== undefined) {
    const files = await revision.list(`${revision.folder}${folder}`);
    return files.map((file) => `${folder}/${path.posix.basename(file)}`).filter(isContract);
  }
  const files = existsSync(folder) ? readdirSync(folder).map((file) => `${folder}/${file}`) : [];
  return files.filter((file) => isContract(file) && statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** The OpenAPI files below the current folder that changed, or that refer to a file that changed. Paths start in the current folder. */
async function listChangedContracts(old: Revision, next: Revision | undefined, sources: DiskOrCommitFiles): Promise<readonly string[]> {
  const changed = (await listChanged(old, next)).filter((file) => isData(file));
  const isBelow = (file: string): boolean => file.startsWith(old.folder);
  const textOf = async (file: string): Promise<string> => {
    const relative = path.posix.relative(`/${old.folder}`, `/${file}`);
    if (next === undefined && existsSync(relative)) return sources.read(relative);
    const inNext = await next?.find(file);
    const found = inNext !== undefined && 'text' in inNext ? inNext : await old.find(file);
    return 'text' in found ? found.text : '';
  };
  const roots: string[] = [];
  const parts = new Set<string>();
  for (const file of changed)
    if (isRoot(await textOf(file))) roots.push(file);
    else parts.add(file);
  if (parts.size > 0)
    for (const file of (await listTracked(next)).filter((each) => isData(each) && isBelow(each) && !roots.includes(each)))
      if (isRoot(await textOf(file)) && (await refersTo(file, parts, textOf))) roots.push(file);
  return roots.filter(isBelow).map((file) => file.slice(old.folder.length));
}

const isData = (file: string): boolean => /\.(?:ya?ml|json)$/.test(file);

/** True if a text begins as an OpenAPI file or an overlay does. */
function isRoot(text: string): boolean {
  return /^(?:["']?openapi["']?|overlay)[ \t]*:/m.test(text) || /^\s*\{\s*"openapi"\s*:/.test(text) || /^\s{0,4}"openapi"\s*:/m.test(text);
}

/** True if a file refers to one of others, directly or through further files. */
async function refersTo(file: string, others: ReadonlySet<string>, textOf: (file: string) => Promise<string>): Promise<boolean> {
  const seen = new Set([file]);
  for (const each of seen) {
    if (others.has(each)) return true;
    const references = (await textOf(each)).matchAll(/(?:\$ref|extends)["']?\s*:\s*["']?([^"'#\s,}]+)/g);
    for (const [, target = ''] of references)
      if (!/^[a-z]+:/i.test(target)) seen.add(path.posix.normalize(path.posix.join(path.posix.dirname(each), target)));
  }
  return false;
}

/** Reads a removed contract as one with `paths: {}`, so that levels, acceptances and reports apply to it. */
function withRemovedContracts(read: ReadText, gone: ReadonlyMap<string, string>): ReadText {
  return async (name) => {
    const old = gone.get(name);
    if (old === undefined) return read(name);
    const { openapi, info, jsonSchemaDialect, servers } = parseYaml(old, await read(old));
    // The text of an overlay states no version of OpenAPI.
    return printJson({ openapi: openapi ?? '3.1.0', info, jsonSchemaDialect, servers, paths: {} });
  };
}
