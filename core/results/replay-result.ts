/** The result of `replay`, which sends the counterexamples of an earlier run again. */

import type { Exchange } from '../http/exchange.ts';
import type { CheckResult } from './run-result.ts';

/** State of a counterexample: it still `stands`, is `gone`, or is `unknown`. */
export type ReplayVerdict = 'stands' | 'gone' | 'unknown';

/** A request of the earlier run with the earlier and the present response. */
export interface ReplayedExchange {
  readonly before: Exchange;
  readonly now?: Exchange;
  /** Reason why the request could not be sent again. */
  readonly reason?: string;
}

/** A violation of the earlier run. */
export interface ReplayedCheck {
  readonly before: CheckResult;
  /** The present result of the same check; absent if it was not checked. */
  readonly now?: CheckResult;
  readonly verdict: ReplayVerdict;
  /** The verdict in one sentence. */
  readonly message: string;
  readonly exchanges: readonly ReplayedExchange[];
}

/** Result of all counterexamples. */
export interface Replay {
  readonly target: string;
  /** 0 all are gone, 1 at least one stands, 3 at least one is unknown, 130 interrupted. */
  readonly exitCode: 0 | 1 | 3 | 130;
  readonly checks: readonly ReplayedCheck[];
  /** Reason why the target could not be checked; absent if it could. */
  readonly unavailable?: string;
}
