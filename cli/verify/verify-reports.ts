import { renderHar } from '../../reports/verify/render-har.ts';
import { renderJson } from '../../reports/verify/verify-json.ts';
import { reportsOfRuns } from '../../reports/verify/verify-report.ts';
import type { OptionSpec } from '../command.ts';
import { type CommandReports, createReports } from '../report-option.ts';
import type { Runs } from './load-earlier-runs.ts';

/** The reports of `verify` and `report`. */
export const verifyReports: CommandReports<Runs> = createReports<Runs>({
  json: (runs) => renderJson(...runs),
  reportsOf: reportsOfRuns,
  furtherFormats: { har: (runs) => renderHar(...runs) },
});

/** Options for reports and the summary. */
export const verifyReportOptions: readonly OptionSpec[] = [
  verifyReports.option,
  {
    name: 'verbose',
    summary: 'Print every request that shows a violation, with the relevant lines of its response, and the checks without a result.',
  },
];
