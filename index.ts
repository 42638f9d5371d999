/** The package's face: what other programs import from `touchstone`. */

export type { Clock } from './contracts/clock.ts';
export { type Acceptance, readAcceptances } from './contracts/diff/acceptance.ts';
export { type CompareOptions, compareContracts } from './contracts/diff/compare.ts';
export { type Verification, type VerifyOptions, verify } from './contracts/verify.ts';
export type {
  AcceptedChange,
  Affected,
  Change,
  ChangeVerdict,
  Compared,
  ContractComparison,
  HalfOfExchange,
  Level,
  Side,
  Step,
  VersionAdvice,
  Witness,
  WitnessExchange,
} from './core/change.ts';
export { type Contract, loadContract, resolveContract } from './core/contract.ts';
export { type Place, SpecError, UsageError } from './core/errors.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from './core/exchange.ts';
export type { Json, JsonObject } from './core/json.ts';
export type { Operation } from './core/operation.ts';
export type { Profile, Question } from './core/profile.ts';
export { checkResponse, type ResponseViolation } from './core/response.ts';
export { contractFile, listShipped } from './core/shipped.ts';
export type {
  Counterexample,
  LawResult,
  Observation,
  OpenRival,
  Rival,
  RunEvent,
  RunResult,
  Strength,
  Verdict,
} from './core/verdict.ts';
export type { ServedExchange } from './mocks/server.ts';
export { type MockOptions, type RunningMock, startMock } from './mocks/start.ts';
