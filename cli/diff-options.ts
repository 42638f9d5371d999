/** The options of `touchstone diff`, and what they come to once they have been read. */

import { type Acceptance, readAcceptances } from '../contracts/diff/acceptance.ts';
import { type ContractComparison, type Level, levels } from '../core/change.ts';
import { nearest, UsageError } from '../core/errors.ts';
import { readTextFileNow } from '../core/text-file.ts';
import type { Arguments, OptionSpec } from './command.ts';
import { formatNames } from './diff-report.ts';

/** The file of accepted changes that is read when it exists and no other is named. */
const usualFile = '.touchstone-accepted.yaml';

/** The options, in the order of the help. */
export const diffOptions: readonly OptionSpec[] = [
  {
    name: 'fail-on',
    value: 'LEVEL',
    summary: `Exit with 1 when a change that is not accepted has this level or a graver one: ${levels.join(', ')}, or never. Default breaking.`,
  },
  {
    name: 'report',
    value: 'FORMAT=FILE',
    repeatable: true,
    summary: `Write a report: ${formatNames.join(', ')}. The file - is standard output, in place of the summary. May be given several times.`,
  },
  {
    name: 'accept',
    value: 'FILE',
    summary: `Changes that may pass, each with its reason. Default ${usualFile} in the current folder, when there is one.`,
  },
];

/** Options that have been read. */
export interface DiffOptions {
  /** The mildest level that counts as a finding; `never` when none does. */
  readonly failOn: Level | 'never';
  readonly acceptances: readonly Acceptance[];
}

/**
 * Reads the options, but for the reports.
 * @throws {UsageError} for a level that does not exist, or a file that cannot be read.
 * @throws {SpecError} for a mistake in the file of accepted changes.
 */
export function readDiffOptions(given: Arguments): DiffOptions {
  return { failOn: readLevel(given.values['fail-on'] ?? 'breaking'), acceptances: readAccepted(given.values['accept']) };
}

/** How many changes, of those that nobody accepted, count as findings. */
export function countFindings({ count }: ContractComparison, failOn: DiffOptions['failOn']): number {
  if (failOn === 'never') return 0;
  return levels.slice(0, levels.indexOf(failOn) + 1).reduce((sum, level) => sum + count[level], 0);
}

function readLevel(text: string): Level | 'never' {
  const known = [...levels, 'never'] as const;
  const level = known.find((each) => each === text);
  if (level !== undefined) return level;
  const meant = nearest(text, known);
  throw new UsageError(`--fail-on ${text} is no level; ${meant === undefined ? `levels are ${known.join(', ')}` : `is ${meant} meant?`}`);
}

function readAccepted(named: string | undefined): readonly Acceptance[] {
  const file = named ?? usualFile;
  try {
    return readAcceptances(file, readTextFileNow(file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    // Nobody asked for the usual file, so it may be missing; one that is there and cannot be read would be missed.
    if (named === undefined && code === 'ENOENT') return [];
    throw new UsageError(`the accepted changes in ${file} cannot be read (${code}); name a YAML file that lists them`, { cause: error });
  }
}
