/**
 * The entry point `touchstone/verify`: checks a server against a contract, once or over time.
 *
 * @module touchstone/verify
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
export { checkResponse, type ResponseViolation } from '../../core/http/check-response.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
export type { Json, JsonNumber, JsonObject } from '../../core/json.ts';
export { type Contract, type KeyScope, type LoadOptions, loadContract, resolveContract } from '../../core/openapi/contract.ts';
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
export type { ParameterStyle } from '../../core/parameters/parameter-style.ts';
export type { Parameter } from '../../core/parameters/parse-parameter.ts';
export type { ValueKind } from '../../core/parameters/read-value.ts';
export type { ComparisonKindOf, DataRecord, FilterArguments, PageSlice, PageStart, Query, QueryPlan } from '../../core/query/query.ts';
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
export { contractFile, listShipped } from '../../core/shipped-files.ts';
export type { SystemClock } from '../system-clock.ts';
export { judgeSuiteTest, listSuiteTests, type SuiteOutcome, type SuiteTest } from '../vitest/checks-as-tests.ts';
export type { Call } from './evidence/call.ts';
export type { Caller } from './evidence/callers.ts';
export type { VerifyOptions } from './run-options.ts';
export type { ProxyEnvironment } from './target/choose-proxy.ts';
export type { FailureCause } from './target/explain-network-failure.ts';
export type { ClientCertificate, Delivery, Target, TargetOptions } from './target/open-target.ts';
export { type Verification, verify } from './verify.ts';
export { readWaivers, type WaiverEntry } from './waivers.ts';
export { type WatchOptions, watch } from './watch/watch-lists.ts';
