/** The commands that only read JSON reports of `touchstone verify`. They send no requests. */

import { compareRuns } from '../../contracts/verify/compare-runs.ts';
import { mergeRuns } from '../../contracts/verify/merge-shards.ts';
import { UsageError } from '../../core/errors.ts';
import type { RunComparison } from '../../core/results/run-comparison.ts';
import { exitCodeOfRuns } from '../../core/results/run-result.ts';
import { renderTerminal } from '../../reports/render-terminal.ts';
import { renderComparisonJson } from '../../reports/verify/run-comparison-json.ts';
import { reportOfRunComparison } from '../../reports/verify/run-comparison-report.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import type { RequestedReports } from '../report-option.ts';
import { withCommandAndCommit } from '../run-facts.ts';
import { loadEarlierRuns, type Runs } from './load-earlier-runs.ts';
import { readTerms, termOptions } from './verify-options.ts';
import { verifyReportOptions, verifyReports } from './verify-reports.ts';

/** `touchstone merge`: joins several reports into one. */
export const mergeCommand: Command = {
  name: 'merge',
  positionals: 'REPORT.json…',
  summary: 'Merge reports of shards or of whole runs.',
  description: [
    'Merges JSON reports of touchstone verify into one, with a summary, an exit code and reports. Reports of one contract at one target become one run: all shards, or runs that judged different checks. They must have the same version and seed. Reports of other contracts or targets stand beside it. Requirements and waivers apply to the merged result.',
  ],
  options: [...termOptions, ...verifyReportOptions],
  examples: [
    { line: 'touchstone merge shard-1.json shard-2.json --report junit=verify.xml', about: 'two shards' },
    { line: 'touchstone merge shop.json stock.json --report html=all.html', about: 'the runs of two contracts' },
    {
      line: 'touchstone merge shards/*.json --require stated --report github=-',
      about: 'all reports of a folder, with annotations for GitHub',
    },
  ],
  run: runMerge,
};

async function runMerge(args: Arguments, terminal: Terminal): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('touchstone merge needs JSON reports of verify: touchstone merge REPORT.json…');
  const reports = verifyReports.read(args);
  const terms = await readTerms(args);
  const results = await Promise.all(
    args.positionals.map(async (name) => (await loadEarlierRuns(name)).map((result) => ({ name, result }))),
  );
  const [first, ...others] = mergeRuns(results.flat(), terms).map((run) => withCommandAndCommit(run, args, process.env));
  if (first === undefined) throw new TypeError('reports without a run');
  return endRuns([first, ...others], reports, args, terminal);
}

/** `touchstone report`: renders a report in other formats. */
export const reportCommand: Command = {
  name: 'report',
  positionals: 'REPORT.json',
  summary: 'Render a JSON report of verify in other formats.',
  description: [
    'Reads the JSON report of a run and writes it in other formats, or prints its summary. No request is sent. The exit code is that of the run.',
  ],
  options: verifyReportOptions,
  examples: [
    { line: 'touchstone report run.json --report html=report.html', about: 'an HTML report of an earlier run' },
    { line: 'touchstone report run.json', about: 'its summary' },
  ],
  run: runReport,
};

async function runReport(args: Arguments, terminal: Terminal): Promise<number> {
  const [file, ...rest] = args.positionals;
  if (file === undefined || rest.length > 0)
    throw new UsageError('touchstone report needs one JSON report of verify: touchstone report REPORT.json');
  const reports = verifyReports.read(args);
  return endRuns(await loadEarlierRuns(file), reports, args, terminal);
}

function endRuns(
  runs: Runs,
  reports: RequestedReports,
  { switches }: Arguments,
  { out, error, decorated, columns, rows }: Terminal,
): number {
  return verifyReports.end(runs, reports, exitCodeOfRuns(runs), { out, error, decorated, columns, rows, verbose: switches.has('verbose') });
}

/** `touchstone compare`: says what changed between two reports. */
export const compareCommand: Command = {
  name: 'compare',
  positionals: 'OLD.json NEW.json',
  summary: 'Compare two JSON reports of verify.',
  description: [
    'Compares the causes of two runs by id: new, still there, gone, or not judged again. A cause is gone if all of its checks hold in the new run. Both reports must be about the same contract. Exit code 1: a new cause that is not waived; 0: none; 3: the new run could not judge the target.',
  ],
  options: [{ name: 'json', summary: 'Print the result as JSON.' }],
  examples: [{ line: 'touchstone compare main.json branch.json', about: 'what a change of the server broke and fixed' }],
  run: runCompare,
};

/** Compares each run with the earlier one of its contract; of several, with the one at the same target. */
function comparePairs(before: Runs, after: Runs): readonly RunComparison[] {
  return after.map((run) => {
    const sameContract = before.filter(({ contract }) => contract.name === run.contract.name);
    return compareRuns(sameContract.find(({ target }) => target === run.target) ?? sameContract[0] ?? before[0], run);
  });
}

async function runCompare(args: Arguments, terminal: Terminal): Promise<number> {
  const [before, after, ...rest] = args.positionals;
  if (before === undefined || after === undefined || rest.length > 0)
    throw new UsageError('touchstone compare needs two JSON reports of verify: touchstone compare OLD.json NEW.json');
  const comparisons = comparePairs(await loadEarlierRuns(before), await loadEarlierRuns(after));
  const exitCode = exitCodeOfRuns(comparisons);
  for (const comparison of comparisons)
    terminal.out(
      args.switches.has('json')
        ? renderComparisonJson(comparison)
        : renderTerminal(reportOfRunComparison(comparison), { decorated: terminal.decorated, exitCode: comparison.exitCode }),
    );
  return exitCode;
}
