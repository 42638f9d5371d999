/** The package's face: what other programs import from `touchstone`. */

export type { Clock } from './contracts/clock.ts';
export { readWaivers, type WaiverEntry } from './contracts/conclusion.ts';
export { type Acceptance, readAcceptances } from './contracts/diff/acceptance.ts';

export { type CompareOptions, compareContracts } from './contracts/diff/compare-contracts.ts';
export { type CheckPactsOptions, checkPacts } from './contracts/pact/check/check-pacts.ts';
export { type VerifyPactsOptions, verifyPacts } from './contracts/pact/verify/verify-pacts.ts';
export { type MergeOptions, mergeResults, type ShardResult } from './contracts/shard.ts';

export { type Check, type CheckOutcome, judgeCheck, listChecks } from './contracts/suite/check.ts';
export { type Verification, type VerifyOptions, verify } from './contracts/verify.ts';
export { type WatchOptions, watch } from './contracts/watch/watch.ts';
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
} from './core/change.ts';
export { type Contract, loadContract, resolveContract } from './core/contract.ts';
export { type Place, SpecError, UsageError } from './core/errors.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from './core/exchange.ts';
export type { Json, JsonObject } from './core/json.ts';
export type { Operation } from './core/operation.ts';
export type { CheckedInteraction, CheckedPact, PactCheck, PactFinding, PactGrade } from './core/pact/check-result.ts';
export type { Interaction, Pact } from './core/pact/pact.ts';
export { type PactFiles, readPacts } from './core/pact/pact-folder.ts';
export type { InteractionResult, InteractionVerdict, PactFailure, PactVerification } from './core/pact/verify-result.ts';
export type { Profile, Question } from './core/profile.ts';
export { checkResponse, type ResponseViolation } from './core/response.ts';
export { contractFile, listShipped, pactsFolder } from './core/shipped.ts';
export type {
  Counterexample,
  LawResult,
  Observation,
  OpenRival,
  Rival,
  RunEvent,
  RunResult,
  Shard,
  Strength,
  Verdict,
  Waiver,
} from './core/verdict.ts';
export type { ServedExchange } from './mocks/listeners.ts';
export type { LeftOut, PactQuery, RecordedPact } from './mocks/pact/recorder.ts';
export { type MockOptions, type RunningMock, startMock } from './mocks/start.ts';
export { readJsonReport } from './reports/read-json.ts';
