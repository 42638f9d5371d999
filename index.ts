/**
 * The entry point `touchstone`: verify, diff, pact and the mock, plain OpenAPI documents, and JSON reports.
 *
 * @module touchstone
 */

export * from './contracts/diff/index.ts';
export * from './contracts/pact/index.ts';
export * from './contracts/verify/index.ts';
export { type PlainDocumentOptions, plainDocument } from './core/openapi/plain-openapi-document.ts';
export * from './mocks/index.ts';
export { readJsonReport } from './reports/verify/verify-json.ts';
