/** Reads pact files, and the pacts among the files of a folder. Compares nothing with a contract. */

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { SpecError, startOf, UsageError } from '../errors.ts';
import { readJson } from '../json.ts';
import type { ReadText } from '../openapi/document.ts';
import { parseJsonText } from '../openapi/loading/json-parser.ts';
import { readTextFile } from '../read-text-file.ts';
import type { Pact } from './pact.ts';
import { looksLikePact, parsePact, toPact } from './parse-pact.ts';

/** The pacts of several paths. */
export interface PactFiles {
  /** In the order of the paths, and by file name within a folder. */
  readonly pacts: readonly Pact[];
  /** Files that hold no pact to check, each with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * Reads pacts. In a folder, every `*.json` file that looks like a pact is read and others are `skipped`. A named file must be a pact.
 * @throws {UsageError} when a path cannot be read, or no HTTP interaction is found.
 * @throws {SpecError} when a file is not JSON, or an invalid pact.
 * @example
 * ```ts
 * import { readPacts } from 'touchstone/pact';
 *
 * const { pacts, skipped } = await readPacts(['pacts']);
 * for (const { consumer, provider } of pacts) console.log(consumer, provider);
 * ```
 */
export async function readPacts(paths: readonly string[], read: ReadText = readTextFile): Promise<PactFiles> {
  const pacts: Pact[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const { file, isNamed } of (await Promise.all(paths.map(listFiles))).flat()) {
    const pactOrReason = readPactFile(file, await readText(read, file), isNamed);
    if ('reason' in pactOrReason) skipped.push(pactOrReason);
    else pacts.push(pactOrReason);
  }
  if (pacts.length > 0) return { pacts, skipped };
  throw new UsageError(`${paths.join(', ')} ${paths.length === 1 ? 'contains' : 'contain'} ${explainNoPacts(skipped)}`);
}

interface ListedFile {
  readonly file: string;
  readonly isNamed: boolean;
}

async function listFiles(name: string): Promise<readonly ListedFile[]> {
  try {
    if (!(await stat(name)).isDirectory()) return [{ file: name, isNamed: true }];
    const names = (await readdir(name)).filter((entry) => /\.json$/i.test(entry)).sort();
    return names.map((entry) => ({ file: path.join(name, entry), isNamed: false }));
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

async function readText(read: ReadText, file: string): Promise<string> {
  try {
    return await read(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(name: string, cause: unknown): UsageError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new UsageError(`${name} cannot be read (${reason}); name a folder of pacts, or a pact file`, { cause });
}

function readPactFile(file: string, text: string, isNamed: boolean): Pact | PactFiles['skipped'][number] {
  const pact = isNamed ? parsePact(file, text) : readIfPact(file, text);
  if (pact === undefined) return { file, reason: 'it is not a pact: consumer, provider and interactions are missing' };
  if (pact.interactions.length > 0) return pact;
  return { file, reason: pact.others.length > 0 ? 'it has only messages and no HTTP interaction' : 'it has no interactions' };
}

/** Other JSON may lie beside pacts, but invalid JSON may be a damaged pact. */
function readIfPact(file: string, text: string): Pact | undefined {
  if (/^\uFEFF?\s*\{/.test(text)) {
    const value = parseJsonText(file, text);
    return looksLikePact(value) ? toPact(file, value) : undefined;
  }
  if (readJson(text.replace(/^\uFEFF/, '')) !== undefined) return undefined;
  throw new SpecError(startOf(file), 'this file is not valid JSON; correct it, or move it out of the folder');
}

function explainNoPacts(skipped: PactFiles['skipped']): string {
  const advice = 'name a folder of pacts, or a pact file';
  if (skipped.length === 0) return `no *.json file; ${advice}`;
  const reasons = skipped.slice(0, 3).map(({ file, reason }) => `${path.basename(file)}: ${reason}`);
  return `no HTTP interaction (${reasons.join('; ')}${skipped.length > 3 ? '; …' : ''}); ${advice}`;
}
