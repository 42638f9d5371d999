/** The face of `touchstone/generators`: JSON Schemas and operations as fast-check arbitraries. */

export type { Json, JsonObject } from './core/json.ts';
export type { Credential, Operation } from './core/operation.ts';
export type { Schema } from './core/schema.ts';
export { arbitraryFor } from './generators/arbitrary.ts';
export { invalidArbitraryFor, type NearMiss, nearMissesFor } from './generators/near-miss.ts';
export { Unsatisfiable, Unsupported } from './generators/outcome.ts';
export { badRequestFor } from './generators/request/bad-request.ts';
export type { BadRequest, BrokenRule } from './generators/request/fault.ts';
export { type Expectation, expectSuccess, isExpected } from './generators/request/fault.ts';
export { requestFor } from './generators/request/request.ts';
export type { GeneratedRequest, RequestOptions } from './generators/request/wire.ts';
export type { SchemaSources } from './generators/schema/site.ts';
export { Exhausted } from './generators/source/source.ts';
