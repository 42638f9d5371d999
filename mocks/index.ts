/**
 * The entry point `touchstone/mock`: starts mocks and lists their mutants. It loads nothing of the verifier.
 *
 * @module touchstone/mock
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
} from '../core/annotations/annotations.ts';
export type { Profile } from '../core/annotations/apply-profile.ts';
export type { Question } from '../core/annotations/open-questions.ts';
export { type SourceLocation, SpecError, UsageError } from '../core/errors.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from '../core/http/exchange.ts';
export type { Json, JsonNumber, JsonObject } from '../core/json.ts';
export type { Contract, KeyScope } from '../core/openapi/contract.ts';
export type { Document } from '../core/openapi/document.ts';
export type { Remark, SetAside } from '../core/openapi/mending/set-aside.ts';

export type { BodySchema, Content, Credential, HeaderRule, Operation, RequestBodyRule, ResponseRule } from '../core/openapi/operation.ts';

export type { ComparisonKind, Schema } from '../core/openapi/schema-facts.ts';
export type { SchemaViolation } from '../core/openapi/schema-violation.ts';
export type { Validator, Validators } from '../core/openapi/validator.ts';
export type { ParameterStyle } from '../core/parameters/parameter-style.ts';
export type { Parameter } from '../core/parameters/parse-parameter.ts';
export type { RequestProblem } from '../core/parameters/read-request.ts';
export type { ValueKind } from '../core/parameters/read-value.ts';
export type { ComparisonKindOf, DataRecord, FilterArguments, PageSlice, PageStart, Query, QueryPlan } from '../core/query/query.ts';
export type {
  ClientComparison,
  ClientDifference,
  ClientDifferenceKind,
  ClientFinding,
  ClientGap,
  ClientRecords,
  ClientReport,
  ClientVerdict,
} from '../core/results/client-result.ts';
export type { ClientLevel, ClientRuleId } from '../core/results/client-rule.ts';
export { contractFile, listShipped } from '../core/shipped-files.ts';
export type { Chaos } from './chaos/active-chaos.ts';
export type { RetryAfterForm } from './chaos/chaos-rule.ts';
export type { ChaosOptions } from './chaos/decide-chaos.ts';
export type { ClientQuery } from './client/client-judge.ts';
export type { MockClock } from './clock.ts';
export type { ControlHandles, ControlOptions } from './control/create-observers-and-controls.ts';
export type { JournalProblem, KeyProblem, RequestContext } from './handler/call.ts';
export type { Journal } from './journal/journal.ts';
export type { CursorProvenance, JournalEntry, JournalQuery, JournalSummary } from './journal/journal-types.ts';
export type { MockMutant } from './mutants/mock-mutant.ts';
export type { LeftOut, PactQuery, RecordedPact, RecordingOptions } from './pact/pact-recorder.ts';
export type { ConsumerFilter } from './pact/recordable-exchange.ts';
export type { ServedExchange } from './served-exchange.ts';
export type { PortChoice } from './server/server.ts';
export { listMockMutants, type MockOptions, type RunningMock, startMock } from './start-mock.ts';
export type { RecordChange } from './world/partition.ts';
export type { ChangeStore, StoredChange } from './world/world.ts';
