/** Keeps the changes of a mock in a file, one JSON object per line. It grows until a reset; at the start, changes that a later one replaced are dropped. */

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { UsageError } from '../../core/errors.ts';
import { isArray, isObject, printJson, readJson } from '../../core/json.ts';
import type { ChangeStore, StoredChange } from '../../mocks/world/world.ts';

/**
 * Opens the file of `--store`. It is made at the first change.
 * @throws {UsageError} if it cannot be read, or has other content.
 */
export function openChangeFile(file: string): ChangeStore {
  const text = readText(file);
  const changes = readChanges(file, text);
  const latest = [...new Map(changes.map((change) => [printJson([change.contract, change.place, change.key]), change])).values()];
  // A change must not be appended to a part of a line.
  if (text !== printLines(latest)) rewrite(file, latest);
  return {
    load: () => latest,
    append: (change) => appendFileSync(file, `${printJson(change)}\n`),
    clear: () => {
      latest.length = 0;
      if (existsSync(file)) rewrite(file, []);
    },
  };
}

function readText(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  } catch (cause) {
    throw new UsageError(`--store ${file} cannot be read (${cause instanceof Error ? cause.message : String(cause)}); name another file`, {
      cause,
    });
  }
}

function readChanges(file: string, text: string): readonly StoredChange[] {
  const lines = text.split('\n');
  // A process that was killed may have left a part of the last line.
  const last = lines.pop() ?? '';
  const complete = last !== '' && readJson(last) !== undefined ? [...lines, last] : lines;
  return complete.map((line, index) => {
    const value = readJson(line);
    const isChange =
      isObject(value) && typeof value['contract'] === 'string' && typeof value['key'] === 'string' && isArray(value['place']);
    if (isChange) return value as unknown as StoredChange;
    throw new UsageError(`${file}:${index + 1}:1: this is not a change that --store wrote; name a file that --store wrote, or a new one`);
  });
}

/** Replaces the file as a whole, so that a process that is killed leaves the old one or the new one. */
function rewrite(file: string, changes: readonly StoredChange[]): void {
  writeFileSync(`${file}.new`, printLines(changes));
  renameSync(`${file}.new`, file);
}

function printLines(changes: readonly StoredChange[]): string {
  return changes.map((change) => `${printJson(change)}\n`).join('');
}
