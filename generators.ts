/** The entry point `touchstone/generators`: JSON Schemas and operations as fast-check arbitraries. */

export type { Json, JsonObject } from './core/json.ts';
export type { Credential, Operation } from './core/openapi/operation.ts';
export type { Schema } from './core/openapi/schema.ts';
export { arbitraryFor } from './generators/arbitrary.ts';
export { Exhausted, Unsatisfiable, Unsupported } from './generators/generation-errors.ts';
export { type InvalidExample, invalidArbitraryFor, invalidExampleFor } from './generators/invalid/invalid-arbitrary.ts';
export { badRequestFor } from './generators/requests/bad-request-arbitrary.ts';
export { requestFor } from './generators/requests/request-arbitrary.ts';
export type { BadRequest, BrokenRule } from './generators/requests/request-fault.ts';
export { type ExpectedAnswers, expectSuccess, isExpected } from './generators/requests/request-fault.ts';
export type { GeneratedRequest, RequestOptions } from './generators/requests/wire-request.ts';
export type { SchemaSources } from './generators/schema/schema-location.ts';
