/** Files that are read as text: regular ones, up to a size that no contract has. */

import { constants, open } from 'node:fs/promises';

/** The largest published OpenAPI files have 30 MB; what is larger takes minutes and gigabytes to read. */
const largestBytes = 32_000_000;

/**
 * Reads a file. Pipes and devices are refused, since nobody knows when they end.
 * @throws {Error} with its reason as its `code`, such as `ENOENT`.
 */
export async function readTextFile(file: string): Promise<string> {
  // Otherwise, opening a pipe waits for whoever writes into it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw unreadable('EISDIR');
    if (!found.isFile()) throw unreadable('it is a pipe or a device; save what comes out of it in a file');
    if (found.size > largestBytes)
      throw unreadable(`it has ${Math.ceil(found.size / 1e6)} MB, and at most ${largestBytes / 1e6} MB are read`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function unreadable(code: string): Error {
  return Object.assign(new Error(code), { code });
}
