/**
 * The entry point `touchstone/generators`: JSON Schemas and operations as fast-check arbitraries.
 *
 * @module touchstone/generators
 */

export type {
  Collection,
  ComparisonName,
  Condition,
  CursorPage,
  Direction,
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
export type { SourceLocation } from '../core/errors.ts';
export type { Json, JsonNumber, JsonObject } from '../core/json.ts';
export type { Document } from '../core/openapi/document.ts';
export type { Remark, SetAside } from '../core/openapi/mending/set-aside.ts';

export type { BodySchema, Content, Credential, HeaderRule, Operation, RequestBodyRule, ResponseRule } from '../core/openapi/operation.ts';

export type { ComparisonKind, Schema } from '../core/openapi/schema-facts.ts';
export type { SchemaViolation } from '../core/openapi/schema-violation.ts';
export type { Validator } from '../core/openapi/validator.ts';
export type { ParameterStyle } from '../core/parameters/parameter-style.ts';
export type { Parameter } from '../core/parameters/parse-parameter.ts';
export type { ValueKind } from '../core/parameters/read-value.ts';
export type { ComparisonKindOf, DataRecord, FilterArguments, PageSlice, PageStart, Query, QueryPlan } from '../core/query/query.ts';
export { Exhausted, Unsatisfiable, Unsupported } from './generation-errors.ts';
export { type InvalidExample, invalidArbitraryFor, invalidExampleFor } from './invalid/invalid-arbitrary.ts';
export type { FaultLabel } from './invalid/invalid-source.ts';
export { badRequestFor } from './requests/bad-request-arbitrary.ts';
export type { BadRequest } from './requests/confirm-request-fault.ts';
export { type ExpectedAnswers, expectSuccess, isExpected } from './requests/expected-answers.ts';
export type { GeneratedRequest } from './requests/generated-request.ts';
export { requestFor } from './requests/request-arbitrary.ts';
export type { BrokenRule } from './requests/request-fault.ts';
export type { RequestOptions } from './requests/request-parts.ts';
export type { SchemaSources } from './schema/located-schema.ts';
export { arbitraryFor } from './schema-arbitrary.ts';
