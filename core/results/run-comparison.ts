/**
 * Types of the result of `touchstone compare`, which compares two runs. `compare-runs.ts` builds the result. At the end, `merge-report-and-compare-commands.ts`
 * takes its exit code, and `run-comparison-report.ts` and `run-comparison-json.ts` print it. Its causes have the types of `run-result-and-events.ts`.
 */

import type { Cause, RunResult } from './run-result-and-events.ts';

/** The causes of two runs: new, remaining, gone, or unknown ones. */
export interface RunComparison {
  /** 0 nothing new, 1 a new cause that is not waived, 3 the new run could not judge the target. */
  readonly exitCode: 0 | 1 | 3;
  readonly before: Pick<RunResult, 'contract' | 'target' | 'started'>;
  readonly after: Pick<RunResult, 'contract' | 'target' | 'started'>;
  /** Causes of the new run only. */
  readonly found: readonly Cause[];
  /** Causes of both runs, as the new run shows them. */
  readonly still: readonly Cause[];
  /** Causes of the old run only, of whose checks not all hold in the new run. */
  readonly unknown: readonly Cause[];
  /** Causes of the old run whose checks all hold in the new run. */
  readonly gone: readonly Cause[];
}
