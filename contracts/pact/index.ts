/**
 * The entry point `touchstone/pact`: compares pacts with contracts, and verifies servers against pacts. The mock records pacts.
 *
 * @module touchstone/pact
 */

export type {
  Collection,
  ComparisonName,
  Condition,
  CursorPage,
  Direction,
  ErrorShape,
  Filter,
  InvalidAnswer,
  InvalidAnswers,
  InvalidClass,
  NumberedPage,
  OffsetPage,
  OrderKey,
  Page,
  ParameterRule,
  Resource,
  Visibility,
} from '../../core/annotations/annotations.ts';
export type { Profile } from '../../core/annotations/apply-profile.ts';
export type { Question } from '../../core/annotations/open-questions.ts';
export { type SourceLocation, SpecError, UsageError } from '../../core/errors.ts';
export type { ExcerptLine, TextExcerpt } from '../../core/excerpt.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
export type { Json, JsonNumber, JsonObject } from '../../core/json.ts';
export { type Contract, type KeyScope, type LoadOptions, loadContract } from '../../core/openapi/contract.ts';
export type { Document, ReadText } from '../../core/openapi/document.ts';
export type { Remark, SetAside } from '../../core/openapi/mending/set-aside.ts';
export type {
  BodySchema,
  Content,
  Credential,
  HeaderRule,
  Operation,
  RequestBodyRule,
  ResponseRule,
} from '../../core/openapi/operation.ts';
export type { ComparisonKind, Schema } from '../../core/openapi/schema-facts.ts';
export type { SchemaViolation } from '../../core/openapi/schema-violation.ts';
export type { Validator, Validators } from '../../core/openapi/validator.ts';
export type { StateMeaning, StateMeanings, UnrecognisedState } from '../../core/pact/interpret-state.ts';
export type {
  BodyPath,
  ExpectedRequest,
  ExpectedResponse,
  Interaction,
  Matcher,
  MatchingRule,
  MatchingRules,
  Pact,
  ProviderState,
} from '../../core/pact/pact.ts';
export { type PactFiles, readPacts } from '../../core/pact/read-pacts.ts';
export type { ParameterStyle } from '../../core/parameters/parameter-style.ts';
export type { Parameter } from '../../core/parameters/parse-parameter.ts';
export type { ValueKind } from '../../core/parameters/read-value.ts';
export type { ComparisonKindOf, DataRecord, FilterArguments, PageSlice, PageStart, Query, QueryPlan } from '../../core/query/query.ts';
export type {
  CheckedInteraction,
  CheckedPact,
  OpenQuestion,
  PactCheck,
  PactFinding,
  PactGrade,
  PactRemark,
} from '../../core/results/pact-check-result.ts';
export type { InteractionResult, InteractionVerdict, PactFailure, PactVerification } from '../../core/results/pact-verify-result.ts';
export type {
  Cause,
  CheckResult,
  CheckViolation,
  Counterexample,
  KilledMutant,
  Mutant,
  Observation,
  OpenMutant,
  OperationCoverage,
  ReportedCall,
  ReportedExchange,
  RunEvent,
  RunResult,
  Severity,
  Strength,
  TimedExchange,
  Verdict,
  Waiver,
  WrongResponse,
} from '../../core/results/run-result.ts';
export { contractFile, pactsFolder } from '../../core/shipped-files.ts';
export type { SystemClock } from '../system-clock.ts';
export { readWaivers, type WaiverEntry } from '../verify/waivers.ts';
export { type CheckPactsOptions, checkPacts } from './check/check-pacts.ts';
export { type PactSelection, type VerifyPactsOptions, verifyPacts } from './verify/verify-pacts.ts';
