/** The entry point `touchstone/verify`: judges a server by a contract, once, in shards or over time. */

export { SpecError, UsageError } from '../../core/errors.ts';
export { checkResponse, type ResponseViolation } from '../../core/http/check-response.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
export { type Contract, loadContract, resolveContract } from '../../core/openapi/contract.ts';
export type {
  CheckResult,
  Counterexample,
  Mutant,
  Observation,
  OpenMutant,
  RunEvent,
  RunResult,
  Shard,
  Strength,
  Verdict,
  Waiver,
} from '../../core/results/run-result.ts';
export { contractFile, listShipped } from '../../core/shipped.ts';
export type { SystemClock } from '../system-clock.ts';
export { judgeSuiteTest, listSuiteTests, type SuiteOutcome, type SuiteTest } from '../vitest/suite-tests.ts';
export { readWaivers, type WaiverEntry } from './conclusion.ts';
export { type MergeOptions, mergeResults, type ShardResult } from './shards.ts';
export { type Verification, type VerifyOptions, verify } from './verify.ts';
export { type WatchOptions, watch } from './watch/watch.ts';
