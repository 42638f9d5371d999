/** The entry point `touchstone/generators`: JSON Schemas and operations as fast-check arbitraries. */

export type { Json, JsonObject } from '../core/json.ts';
export type { Credential, Operation } from '../core/openapi/operation.ts';
export type { Schema } from '../core/openapi/schema.ts';
export { arbitraryFor } from './arbitrary.ts';
export { Exhausted, Unsatisfiable, Unsupported } from './generation-errors.ts';
export { type InvalidExample, invalidArbitraryFor, invalidExampleFor } from './invalid/invalid-arbitrary.ts';
export { badRequestFor } from './requests/bad-request-arbitrary.ts';
export { requestFor } from './requests/request-arbitrary.ts';
export type { BadRequest, BrokenRule } from './requests/request-fault.ts';
export { type ExpectedAnswers, expectSuccess, isExpected } from './requests/request-fault.ts';
export type { GeneratedRequest, RequestOptions } from './requests/wire-request.ts';
export type { SchemaSources } from './schema/schema-location.ts';
