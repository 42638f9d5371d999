/** `touchstone merge`: puts the JSON reports of shards together, with one summary, one exit code and the same reports as one run. */

import { mergeResults } from '../../contracts/verify/shards.ts';
import { UsageError } from '../../core/errors.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { readTerms, termOptions } from './verify-options.ts';
import { endVerify, readVerifyReport, readVerifyReports, verifyReportOption } from './verify-reports.ts';

/** The command. */
export const mergeCommand: Command = {
  name: 'merge',
  positionals: 'REPORT.json…',
  summary: 'Put the reports of shards together.',
  description: [
    'Puts the JSON reports of touchstone verify --shard 1/4 to 4/4 together into the result of the whole, with its summary, its exit code and its reports. They must be of one run: the same contract and version, target and seed, each shard once and none missing. Requirements and waivers are applied to the whole.',
  ],
  options: [...termOptions, verifyReportOption],
  examples: [
    { line: 'touchstone merge shard-1.json shard-2.json --report junit=verify.xml', about: 'two shards' },
    { line: 'touchstone merge shards/*.json --require stated --report github=-', about: 'whatever is in a folder, with notes for GitHub' },
  ],
  run: runMerge,
};

async function runMerge(given: Arguments, terminal: Terminal): Promise<number> {
  if (given.positionals.length === 0)
    throw new UsageError('touchstone merge needs the JSON report of every shard: touchstone merge REPORT.json…');
  const reports = readVerifyReports(given.lists['report'] ?? []);
  const terms = await readTerms(given);
  const result = mergeResults(
    await Promise.all(given.positionals.map(async (name) => ({ name, result: await readVerifyReport(name) }))),
    terms,
  );
  return endVerify(result, reports, terminal);
}
