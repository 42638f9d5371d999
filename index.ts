/**
 * The entry point `touchstone`: everything that other programs import from the package.
 *
 * @module touchstone
 */

export { type Acceptance, readAcceptances } from './contracts/diff/acceptance.ts';
export { type CompareOptions, compareContracts } from './contracts/diff/compare-contracts.ts';
export type { LevelSetting } from './contracts/diff/level-settings.ts';
export { type CheckPactsOptions, checkPacts } from './contracts/pact/check/check-pacts.ts';
export { type PactSelection, type VerifyPactsOptions, verifyPacts } from './contracts/pact/verify/verify-pacts.ts';
export type { SystemClock } from './contracts/system-clock.ts';
export type { Call } from './contracts/verify/evidence/call-and-reply.ts';
export type { Caller } from './contracts/verify/evidence/keyring.ts';
export { type MergeOptions, mergeResults, type ShardResult } from './contracts/verify/merge-shards.ts';
export type { Verification, VerifyOptions } from './contracts/verify/run-options.ts';
export type { ProxyEnvironment } from './contracts/verify/target/choose-proxy.ts';
export type { ClientCertificate, Delivery, Target, TargetOptions } from './contracts/verify/target/target.ts';
export type { FailureCause } from './contracts/verify/target/target-failure.ts';
export { verify } from './contracts/verify/verify.ts';
export { readWaivers, type WaiverEntry } from './contracts/verify/waivers.ts';
export { type WatchOptions, watch } from './contracts/verify/watch/watch.ts';
export { judgeSuiteTest, listSuiteTests, type SuiteOutcome, type SuiteTest } from './contracts/vitest/checks-as-tests.ts';
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
} from './core/annotations/annotations.ts';
export type { Profile, Question } from './core/annotations/open-questions.ts';
export { type SourceLocation, SpecError, UsageError } from './core/errors.ts';
export type { BodyExcerpt, ExcerptLine } from './core/http/body-excerpt.ts';
export { checkResponse, type ResponseViolation } from './core/http/check-response.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from './core/http/exchange.ts';
export type { Json, JsonObject } from './core/json.ts';
export { type Contract, type KeyScope, loadContract, resolveContract } from './core/openapi/contract.ts';
export type { Document, ReadText } from './core/openapi/document.ts';
export type { Credential, HeaderRule, Operation, RequestBodyRule, ResponseRule } from './core/openapi/operation.ts';
export { type PlainDocumentOptions, plainDocument } from './core/openapi/plain-document.ts';
export type { ComparisonKind, Schema } from './core/openapi/schema.ts';
export type { SchemaViolation } from './core/openapi/schema-violation.ts';
export type { Validator, Validators } from './core/openapi/validator.ts';
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
} from './core/pact/pact.ts';
export { type PactFiles, readPacts } from './core/pact/read-pacts.ts';
export type { StateMeaning, StateMeanings, UnrecognisedState } from './core/pact/unrecognised-state.ts';
export type { Parameter } from './core/parameters/parameter.ts';
export type { ParameterStyle } from './core/parameters/parameter-style.ts';
export type { RequestProblem } from './core/parameters/read-request.ts';
export type { ValueKind } from './core/parameters/strict-values.ts';
export type { ComparisonKindOf, DataRecord, FilterArguments, PageSlice, PageStart, Query } from './core/query/query.ts';
export type {
  ClientComparison,
  ClientDifference,
  ClientDifferenceKind,
  ClientFinding,
  ClientGap,
  ClientRecords,
  ClientReport,
  ClientVerdict,
} from './core/results/client-result.ts';
export type { ClientLevel, ClientRuleId } from './core/results/client-rule-id.ts';
export type {
  AcceptedChange,
  AffectedConsumer,
  AffectedParty,
  Change,
  ChangeConsequence,
  ChangeLevel,
  ChangeSide,
  ChangeVerdict,
  ChangeWitness,
  ComparedContract,
  ContractComparison,
  FullSchemaSearches,
  HalfOfExchange,
  VersionAdvice,
  VersionStep,
  WitnessAnswer,
  WitnessExchange,
} from './core/results/contract-change.ts';
export type {
  CheckedInteraction,
  CheckedPact,
  OpenQuestion,
  PactCheck,
  PactFinding,
  PactGrade,
  PactRemark,
} from './core/results/pact-check-result.ts';
export type { InteractionResult, InteractionVerdict, PactFailure, PactVerification } from './core/results/pact-verify-result.ts';
export type {
  Cause,
  CheckResult,
  CheckViolation,
  Counterexample,
  Mutant,
  Observation,
  OpenMutant,
  RunEvent,
  RunResult,
  Severity,
  Shard,
  Strength,
  Verdict,
  Waiver,
  WrongResponse,
} from './core/results/run-result.ts';
export { contractFile, listShipped, pactsFolder } from './core/shipped-files.ts';
export type { Chaos } from './mocks/chaos/chaos-effects.ts';
export type { ChaosOptions, RetryAfterForm } from './mocks/chaos/decide-chaos.ts';
export type { ClientQuery } from './mocks/client/client-judge.ts';
export type { MockClock } from './mocks/clock.ts';
export type { ControlOptions } from './mocks/control/create-control.ts';
export type { KeyProblem } from './mocks/handler/caller.ts';
export type { RequestContext } from './mocks/handler/request-context.ts';
export type { Journal } from './mocks/journal/journal.ts';
export type { CursorProvenance, JournalEntry, JournalProblem, JournalQuery, JournalSummary } from './mocks/journal/journal-types.ts';
export type { MockMutant } from './mocks/mutants/mock-mutant.ts';
export type { LeftOut, PactQuery, RecordedPact, RecordingOptions } from './mocks/pact/pact-recorder.ts';
export type { ConsumerFilter } from './mocks/pact/recordable-exchange.ts';
export type { ServedExchange } from './mocks/served-exchange.ts';
export type { PortChoice } from './mocks/server/server.ts';
export { listMockMutants, type MockOptions, type RunningMock, startMock } from './mocks/start-mock.ts';
export { readJsonReport } from './reports/verify/read-verify-json.ts';
