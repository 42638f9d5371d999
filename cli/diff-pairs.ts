/** Which contracts `touchstone diff` compares: the two that are named, or each of the folder of contracts with its version in a commit. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import type { ReadText } from '../core/document.ts';
import { UsageError } from '../core/errors.ts';
import { parseYaml } from '../core/yaml.ts';
import { nameIn, type Sources, splitArgument } from './diff-source.ts';
import type { Revision } from './git.ts';

/** Two versions of a contract, by the names that `read` knows. */
export interface Pair {
  readonly old: string;
  readonly next: string;
  /** The contract as people know it. */
  readonly shown: string;
}

/** What is compared. */
export interface Pairs {
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
