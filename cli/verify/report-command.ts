import { UsageError } from '../../core/errors.ts';
import { exitCodeOfRuns } from '../../core/results/run-result.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { loadEarlierRuns } from './load-earlier-runs.ts';
import { verifyReportOptions, verifyReports } from './verify-reports.ts';

/** `touchstone report`: renders a report in other formats. Sends no requests. */
export const reportCommand: CommandBody = {
  description: [
    'Converts the JSON report of a run to other formats, or prints its summary. Sends no requests. The exit code is that of the run.',
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
  const runs = await loadEarlierRuns(file);
  const { out, error, decorated, columns, rows } = terminal;
  return verifyReports.end(runs, reports, exitCodeOfRuns(runs), {
    out,
    error,
    decorated,
    columns,
    rows,
    verbose: args.switches.has('verbose'),
  });
}
