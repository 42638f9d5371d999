/** The outside pairs of OpenAPI files with their labels, where the environment names a folder that holds them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Two files, and whether the change breaks, as their source says. */
export interface OutsideCase {
  readonly name: string;
  /** What the source's own test says of it. */
  readonly doc: string;
  readonly label: 'breaking' | 'nonbreaking';
  readonly base: string;
  readonly revision: string;
}

/** What a test says that skips because the pairs are not there. */
export const withoutCases = 'TOUCHSTONE_CASES names no folder with diff/cases.json';

/** The pairs below the folder that TOUCHSTONE_CASES names, their files as full paths; none without it. */
export function readOutsideCases(environment: Readonly<Record<string, string | undefined>>): readonly OutsideCase[] {
  const folder = environment['TOUCHSTONE_CASES'] ?? '';
  if (folder === '') return [];
  const root = join(folder, 'diff');
  const cases = JSON.parse(readFileSync(join(root, 'cases.json'), 'utf8')) as readonly OutsideCase[];
  return cases.map((each) => ({ ...each, base: join(root, each.base), revision: join(root, each.revision) }));
}
