/** Finds the pairs of contracts that the arguments of `touchstone diff` name: two files, or the contracts of a folder in two versions. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../core/errors.ts';
import type { ReadText } from '../../core/openapi/document.ts';
import { parseYaml } from '../../core/openapi/yaml.ts';
import { findMergeBase, findRenames, type Revision } from './git.ts';
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

const folder = 'specs';
const isContract = (file: string): boolean => /\.(?:openapi|overlay)\.(?:ya?ml|json)$/.test(file);

/**
 * Finds the contracts that the arguments name.
 * @throws {UsageError} if there is nothing to compare.
 */
export async function findContractPairs(positionals: readonly string[], sources: DiskOrCommitFiles): Promise<PairsAndRemarks> {
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

async function findFolder({ old, next, remarks }: FolderVersions, sources: DiskOrCommitFiles): Promise<PairsAndRemarks> {
  const { ref } = old;
  const [before, now] = [await listContracts(old), await listContracts(next)];
  if (before.length + now.length === 0) {
    throw new UsageError(
      `neither ${next?.ref ?? 'this folder'} nor ${ref} has ${folder}/*.openapi.yaml or ${folder}/*.overlay.yaml; name two files, as in touchstone diff ${ref}:a.yaml a.yaml`,
    );
  }
  const rootOf = (file: string): string => `${old.folder}${file}`;
  const nextName = (file: string): string => (next === undefined ? file : nameIn(next.ref, rootOf(file)));
  const earlierPaths = await findRenames(old, next);
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

/** Paths of the contracts in the folder, in a commit or on disk. */
async function listContracts(revision: Revision | undefined): Promise<readonly string[]> {
  if (revision !== undefined) {
    const files = await revision.list(`${revision.folder}${folder}`);
    return files.map((file) => `${folder}/${path.posix.basename(file)}`).filter(isContract);
  }
  const files = existsSync(folder) ? readdirSync(folder).map((file) => `${folder}/${file}`) : [];
  return files.filter((file) => isContract(file) && statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** Reads a removed contract as one with `paths: {}`, so that levels, acceptances and reports apply to it. */
function withRemovedContracts(read: ReadText, gone: ReadonlyMap<string, string>): ReadText {
  return async (name) => {
    const old = gone.get(name);
    if (old === undefined) return read(name);
    const { openapi, info, jsonSchemaDialect, servers } = parseYaml(old, await read(old));
    // The text of an overlay states no version of OpenAPI.
    return JSON.stringify({ openapi: openapi ?? '3.1.0', info, jsonSchemaDialect, servers, paths: {} });
  };
}
