/**
 * The JSON of `touchstone compare`: the causes that are new, still there, not judged again, and gone. `merge-report-and-compare-commands.ts` calls it for each
 * compared run at the end of the command, if `--json` is given. It leaves the comparison to `compare-runs.ts`.
 */

import type { RunComparison } from '../../core/results/run-comparison.ts';
import type { Cause } from '../../core/results/run-result-and-events.ts';
import { printReport } from '../json-report-parts.ts';

/** Renders a comparison as JSON, with the facts by which each cause is recognised. */
export function renderComparisonJson({ exitCode, before, after, ...causes }: RunComparison): string {
  const list = (each: readonly Cause[]): readonly object[] =>
    each.map(({ id, rule, operations, severity, message, waiver }) => ({ id, rule, operations, severity, message, waiver }));
  const { found, still, unknown, gone } = causes;
  return printReport({
    exitCode,
    before,
    after,
    new: list(found),
    still: list(still),
    notJudged: list(unknown),
    gone: list(gone),
  });
}
