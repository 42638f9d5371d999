/** Labelled pairs of OpenAPI files from a folder that the environment names. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Two files, and the label of their source. */
export interface OutsideCase {
  readonly name: string;
  /** Description in the source's own test. */
  readonly doc: string;
  readonly label: 'breaking' | 'nonbreaking';
  readonly base: string;
  readonly revision: string;
}

/** Reason of a test that is skipped without the pairs. */
export const withoutCases = 'TOUCHSTONE_CASES names no folder with diff/cases.json';

/** The pairs below the folder in TOUCHSTONE_CASES, with full paths; none without it. */
export function readOutsideCases(environment: Readonly<Record<string, string | undefined>>): readonly OutsideCase[] {
  const folder = environment['TOUCHSTONE_CASES'] ?? '';
  if (folder === '') return [];
  const root = join(folder, 'diff');
  const cases = JSON.parse(readFileSync(join(root, 'cases.json'), 'utf8')) as readonly OutsideCase[];
  return cases.map((each) => ({ ...each, base: join(root, each.base), revision: join(root, each.revision) }));
}
