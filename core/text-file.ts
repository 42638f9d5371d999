/** Files that are read as text: regular ones, up to a size that no contract has. */

import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** The largest published OpenAPI files have 30 MB; what is larger takes minutes and gigabytes to read. */
const largestBytes = 32_000_000;

/** Otherwise, opening a pipe waits for whoever writes into it. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads a file. Pipes and devices are refused, since nobody knows when they end.
 * @throws {Error} with its reason as its `code`, such as `ENOENT`.
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
 * Reads a small file, such as a configuration, in place.
 * @throws {Error} as `readTextFile` does.
 */
export function readTextFileNow(file: string): string {
  const descriptor = openSync(file, flags);
  try {
    requireRegular(fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function requireRegular(found: Stats): void {
  if (found.isDirectory()) throw unreadable('EISDIR');
  if (!found.isFile()) throw unreadable('it is a pipe or a device; save what comes out of it in a file');
  if (found.size > largestBytes)
    throw unreadable(`it has ${Math.ceil(found.size / 1e6)} MB, and at most ${largestBytes / 1e6} MB are read`);
}

function unreadable(code: string): Error {
  return Object.assign(new Error(code), { code });
}
