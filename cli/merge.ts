/** `touchstone merge`: puts the JSON reports of shards together, with one summary, one exit code and the same reports as one run. */

import { readFileSync } from 'node:fs';
import { mergeResults, type ShardResult } from '../contracts/merge.ts';
import { UsageError } from '../core/errors.ts';
import { readJsonReport } from '../reports/read-json.ts';
import { renderTerminal } from '../reports/terminal.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { readVerifyReports, renderVerifyReport, saveVerifyReports, verifyReportOption } from './verify-report.ts';
import { readTerms, termOptions } from './verify-terms.ts';

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
  const result = mergeResults(await Promise.all(given.positionals.map(readShardReport)), terms);
  const failure = saveVerifyReports(result, reports.files);
  const summary = { decorated: terminal.decorated, reports: reports.files.map(({ file }) => file) };
  terminal.out(reports.standard === undefined ? renderTerminal(result, summary) : renderVerifyReport(reports.standard, result));
  if (failure === undefined) return result.exitCode;
  terminal.error(`touchstone: ${failure}\n`);
  return result.exitCode === 0 ? 2 : result.exitCode;
}

async function readShardReport(file: string): Promise<ShardResult> {
  return { name: file, result: await readJsonReport(file, readText(file)) };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new UsageError(`the report ${file} cannot be read (${code}); name the file that --report json=FILE wrote`, { cause: error });
  }
}
