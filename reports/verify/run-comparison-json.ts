import type { RunComparison } from '../../core/results/run-comparison.ts';
import type { Cause } from '../../core/results/run-result.ts';
import { printReport } from '../print-json.ts';

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
