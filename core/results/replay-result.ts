/** Result of the counterexamples of an earlier run. */

import type { Exchange } from '../http/exchange.ts';
import type { CheckResult } from './run-result.ts';

/** State of a counterexample: it still `stands`, is `gone`, or is `unknown`. */
export type ReplayVerdict = 'stands' | 'gone' | 'unknown';

/** An exchange of the earlier run, and what the same request is answered with now. */
export interface ReplayedExchange {
  readonly before: Exchange;
  readonly now?: Exchange;
  /** Why it could not be sent again. */
  readonly reason?: string;
}

/** A violation of the earlier run. */
export interface ReplayedCheck {
  readonly before: CheckResult;
  /** The same check at the same operation now; absent when it was not judged. */
  readonly now?: CheckResult;
  readonly verdict: ReplayVerdict;
  /** One sentence. */
  readonly message: string;
  readonly exchanges: readonly ReplayedExchange[];
}

/** Result of all of them. */
export interface Replay {
  readonly target: string;
  /** 0 all are gone, 1 one still stands, 3 one cannot be told, 130 interrupted. */
  readonly exitCode: 0 | 1 | 3 | 130;
  readonly checks: readonly ReplayedCheck[];
  /** Why the target could not be judged, when it could not. */
  readonly unavailable?: string;
}
