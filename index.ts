/** The entry point `touchstone`: everything that other programs import from the package. */

export { type Acceptance, readAcceptances } from './contracts/diff/acceptance.ts';
export { type CompareOptions, compareContracts } from './contracts/diff/compare-contracts.ts';
export { type CheckPactsOptions, checkPacts } from './contracts/pact/check/check-pacts.ts';
export { type VerifyPactsOptions, verifyPacts } from './contracts/pact/verify/verify-pacts.ts';
export type { SystemClock } from './contracts/system-clock.ts';
export { readWaivers, type WaiverEntry } from './contracts/verify/conclusion.ts';
export { type MergeOptions, mergeResults, type ShardResult } from './contracts/verify/shards.ts';
export { type Verification, type VerifyOptions, verify } from './contracts/verify/verify.ts';
export { type WatchOptions, watch } from './contracts/verify/watch/watch.ts';
export { judgeSuiteTest, listSuiteTests, type SuiteOutcome, type SuiteTest } from './contracts/vitest/suite-tests.ts';
export type { Profile, Question } from './core/annotations/profile.ts';
export { type SourceLocation, SpecError, UsageError } from './core/errors.ts';
export { checkResponse, type ResponseViolation } from './core/http/check-response.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from './core/http/exchange.ts';
export type { Json, JsonObject } from './core/json.ts';
export { type Contract, loadContract, resolveContract } from './core/openapi/contract.ts';
export type { Operation } from './core/openapi/operation.ts';
export type { CheckedInteraction, CheckedPact, PactCheck, PactFinding, PactGrade } from './core/pact/check-result.ts';
export type { Interaction, Pact } from './core/pact/pact.ts';
export { type PactFiles, readPacts } from './core/pact/pact-folder.ts';
export type { InteractionResult, InteractionVerdict, PactFailure, PactVerification } from './core/pact/verify-result.ts';
export type {
  AcceptedChange,
  AffectedParty,
  Change,
  ChangeLevel,
  ChangeSide,
  ChangeVerdict,
  ChangeWitness,
  ComparedContract,
  ContractComparison,
  HalfOfExchange,
  VersionAdvice,
  VersionStep,
  WitnessExchange,
} from './core/results/contract-change.ts';
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
} from './core/results/run-result.ts';
export { contractFile, listShipped, pactsFolder } from './core/shipped.ts';
export type { ServedExchange } from './mocks/control/listeners.ts';
export type { LeftOut, PactQuery, RecordedPact } from './mocks/pact/recorder.ts';
export { type MockOptions, type RunningMock, startMock } from './mocks/start.ts';
export { readJsonReport } from './reports/verify/read-verify-json.ts';
