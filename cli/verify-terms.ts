/** What decides about the exit code besides the verdicts: requirements and waivers. The same for a run and for what is put together of shards. */

import { readRequirement } from '../contracts/requirement.ts';
import { readWaivers, type WaiverEntry } from '../contracts/waiver.ts';
import { UsageError } from '../core/errors.ts';
import { readTextFileNow } from '../core/text-file.ts';
import type { RunResult } from '../core/verdict.ts';
import type { Arguments, OptionSpec } from './command.ts';
import { readVerifyReport } from './verify-report.ts';

/** The file of waivers that is read when it exists and no other is named. */
const usualFile = '.touchstone-waivers.yaml';

/** The options, in the order of the help. */
export const termOptions: readonly OptionSpec[] = [
  {
    name: 'require',
    value: 'LEVEL',
    summary:
      'What must be seen to hold: stated (whatever the documents state), all, or laws such as paging/*,keys/missing. What does not is told in a note, and the exit code is 4.',
  },
  {
    name: 'waivers',
    value: 'FILE',
    summary: `Violations that are known and fail nothing for the time being, each with its reason. Default ${usualFile} in the current folder, when there is one.`,
  },
  {
    name: 'baseline',
    value: 'FILE',
    summary: 'The JSON report of an earlier run, whose violations fail nothing: only what is new does.',
  },
];

/** What has been read. */
export interface Terms {
  readonly require?: string | readonly string[];
  readonly waivers: readonly WaiverEntry[];
  readonly baseline?: RunResult;
}

/**
 * Reads the options. Waivers that stand in the configuration come in place of the usual file.
 * @throws {UsageError} for a requirement that cannot be read, or a file that cannot be.
 * @throws {SpecError} for a mistake in the file of waivers or in the baseline.
 */
export async function readTerms({ values }: Arguments, configured?: readonly WaiverEntry[]): Promise<Terms> {
  const { require, waivers, baseline } = values;
  return {
    ...(require === undefined ? {} : { require: requirementOf(require) }),
    waivers: waivers === undefined && configured !== undefined ? configured : await readFile(waivers),
    ...(baseline === undefined ? {} : { baseline: await readVerifyReport(baseline) }),
  };
}

function requirementOf(text: string): string | readonly string[] {
  try {
    return readRequirement(text);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`--require: ${error.message}`, { cause: error }) : error;
  }
}

async function readFile(named: string | undefined): Promise<readonly WaiverEntry[]> {
  const file = named ?? usualFile;
  const text = readText(file, named !== undefined);
  return text === undefined ? [] : readWaivers(file, text);
}

function readText(file: string, isNamed: boolean): string | undefined {
  try {
    return readTextFileNow(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Nobody asked for the usual file, so it may be missing; one that is there and cannot be read would be missed.
    if (!isNamed && code === 'ENOENT') return undefined;
    throw new UsageError(`the waivers in ${file} cannot be read (${code}); name a YAML file that lists them`, { cause: error });
  }
}
