/**
 * The entry point `touchstone/vitest`: a contract as a suite of tests, and matchers for tests of a client.
 *
 * @module touchstone/vitest
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
export type { SourceLocation } from '../../core/errors.ts';
export type { ExcerptLine, TextExcerpt } from '../../core/excerpt.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
export type { Json, JsonNumber, JsonObject } from '../../core/json.ts';
export type { Contract, KeyScope } from '../../core/openapi/contract.ts';
export type { Document } from '../../core/openapi/document.ts';
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
export type { ClientFinding, ClientGap, ClientReport, ClientVerdict } from '../../core/results/client-result.ts';
export type { ClientLevel, ClientRuleId } from '../../core/results/client-rule.ts';
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
  RunResult,
  Severity,
  Strength,
  TimedExchange,
  Verdict,
  Waiver,
  WrongResponse,
} from '../../core/results/run-result.ts';
export type { SystemClock } from '../system-clock.ts';
export type { Call } from '../verify/evidence/call.ts';
export type { Caller } from '../verify/evidence/callers.ts';
export type { VerifyOptions } from '../verify/run-options.ts';
export type { ProxyEnvironment } from '../verify/target/choose-proxy.ts';
export type { FailureCause } from '../verify/target/explain-network-failure.ts';
export type { ClientCertificate, Delivery, Target, TargetOptions } from '../verify/target/open-target.ts';
export type { WaiverEntry } from '../verify/waivers.ts';
export { type ClientExpectation, type ClientMatchers, clientMatchers, type MatcherOutcome, type ReportingMock } from './client-matchers.ts';
export { type ContractSuiteOptions, describeContract, type Lazy } from './describe-contract.ts';
