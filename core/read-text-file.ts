/** Reads the text files that users name. It refuses pipes, devices and files above 32 MB, and parses nothing. */

import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { nearest } from './did-you-mean.ts';

/** The largest published OpenAPI files have 30 MB. Larger files take minutes and gigabytes to load. */
const maxBytes = 32_000_000;

/** With `O_NONBLOCK`, opening a pipe does not wait for its writer. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads a file. Pipes and devices are refused, since they may never end.
 * @throws {Error} with the reason as its `code`, such as `ENOENT`.
 */
export async function readTextFile(file: string): Promise<string> {
  const handle = await open(file, flags);
  try {
    requireRegular(await handle.stat());
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/**
 * Reads a small file, such as a configuration, synchronously.
 * @throws {Error} as `readTextFile` does.
 */
export function readTextFileSync(file: string): string {
  const descriptor = openSync(file, flags);
  try {
    requireRegular(fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** The YAML or JSON file in the folder of a missing file that was probably meant: same name up to the first dot, or a similar name. */
export function nearestFile(missing: string): string | undefined {
  const [folder, name] = [path.dirname(missing), path.basename(missing)];
  let files: readonly string[];
  try {
    files = readdirSync(folder).filter((file) => /\.(?:ya?ml|json)$/.test(file));
  } catch {
    return undefined;
  }
  const stemOf = (file: string): string => file.split('.')[0] ?? '';
  const meant = files.find((file) => stemOf(file) === stemOf(name)) ?? nearest(name, files);
  return meant === undefined ? undefined : path.join(folder, meant);
}

function requireRegular(stats: Stats): void {
  if (stats.isDirectory()) throw unreadable('EISDIR');
  if (!stats.isFile()) throw unreadable('it is a pipe or a device; save its output in a file');
  if (stats.size > maxBytes) throw unreadable(`it has ${Math.ceil(stats.size / 1e6)} MB; the limit is ${maxBytes / 1e6} MB`);
}

function unreadable(code: string): Error {
  return Object.assign(new Error(code), { code });
}
