import type { Cause, RunResult } from './run-result.ts';

/** The result of `touchstone compare`: the causes of two runs, which are new, remaining, gone or unknown. */
export interface RunComparison {
  /** 0 nothing new, 1 a new cause that is not waived, 3 the new run could not judge the target. */
  readonly exitCode: 0 | 1 | 3;
  readonly before: Pick<RunResult, 'contract' | 'target' | 'started'>;
  readonly after: Pick<RunResult, 'contract' | 'target' | 'started'>;
  /** Causes of the new run only. */
  readonly found: readonly Cause[];
  /** Causes of both runs, as the new run shows them. */
  readonly still: readonly Cause[];
  /** Causes of the old run only, some of whose checks do not hold in the new run. */
  readonly unknown: readonly Cause[];
  /** Causes of the old run whose checks all hold in the new run. */
  readonly gone: readonly Cause[];
}
