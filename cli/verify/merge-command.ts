/** `touchstone merge`: merges the JSON reports of shards into one result with the summary, exit code and reports of a single run. */

import { mergeResults } from '../../contracts/verify/shards.ts';
import { UsageError } from '../../core/errors.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { readTerms, termOptions } from './verify-options.ts';
import { endVerify, readVerifyReport, readVerifyReports, verifyReportOptions, withOrigin } from './verify-reports.ts';

/** The command. */
export const mergeCommand: Command = {
  name: 'merge',
  positionals: 'REPORT.json…',
  summary: 'Merge the reports of shards.',
  description: [
    'Merges the JSON reports of touchstone verify --shard 1/4 to 4/4 into one result with a summary, an exit code and reports. They must have the same contract and version, target and seed, and each shard once. Requirements and waivers apply to the merged result.',
  ],
  options: [...termOptions, ...verifyReportOptions],
  examples: [
    { line: 'touchstone merge shard-1.json shard-2.json --report junit=verify.xml', about: 'two shards' },
    {
      line: 'touchstone merge shards/*.json --require stated --report github=-',
      about: 'all reports of a folder, with annotations for GitHub',
    },
  ],
  run: runMerge,
};

async function runMerge(given: Arguments, terminal: Terminal): Promise<number> {
  if (given.positionals.length === 0)
    throw new UsageError('touchstone merge needs the JSON report of every shard: touchstone merge REPORT.json…');
  const reports = readVerifyReports(given);
  const terms = await readTerms(given);
  const result = mergeResults(
    await Promise.all(given.positionals.map(async (name) => ({ name, result: await readVerifyReport(name) }))),
    terms,
  );
  return endVerify(withOrigin(result, given, process.env), reports, terminal);
}
