/** Comparison of small documents written in tests, and a short form of its result. */

import { type CompareOptions, compareContracts } from '../../../../contracts/diff/compare-contracts.ts';
import type { Json, JsonObject } from '../../../../core/json.ts';
import type { Change, ContractComparison, HalfOfExchange } from '../../../../core/results/diff-result.ts';

/** Files of one side by name; the main file is `api.json`. */
export type Files = Readonly<Record<string, Json>>;

/** Compares two sets of files. Their lines are those of JSON with an indentation of two spaces. */
export function compareFiles(old: Files, next: Files, options: Partial<CompareOptions> = {}): Promise<ContractComparison> {
  const sides: Readonly<Record<string, Files>> = { old, new: next };
  const read = (file: string): Promise<string> => {
    const [side = '', ...names] = file.split('/');
    const value = sides[side]?.[names.join('/')];
    return value === undefined ? Promise.reject(new Error(`there is no ${file}`)) : Promise.resolve(JSON.stringify(value, null, 2));
  };
  return compareContracts('old/api.json', 'new/api.json', { today: '2026-11-21', acceptances: [], read, ...options });
}

/** Compares two documents. */
export function compareDocuments(old: JsonObject, next: JsonObject): Promise<ContractComparison> {
  return compareFiles({ 'api.json': old }, { 'api.json': next });
}

/** A document with the given paths and root members. */
export function documentOf(paths: JsonObject, rest: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info: { title: 'things', version: '1.0.0' }, paths, ...rest };
}

/** A document with one operation that receives or returns a body with a schema. */
export function bodyOf(half: HalfOfExchange, schema: Json, rest: JsonObject = {}): JsonObject {
  const content = { 'application/json': { schema } };
  const ok = { description: 'ok' };
  const operation: JsonObject =
    half === 'request'
      ? { requestBody: { required: true, content }, responses: { '200': ok } }
      : { responses: { '200': { ...ok, content } } };
  return documentOf({ '/things': { post: operation } }, rest);
}

/** A document with one operation, with a response by default. */
export function operationOf(operation: JsonObject, rest: JsonObject = {}): JsonObject {
  return documentOf({ '/things': { get: { responses: { '200': { description: 'ok' } }, ...operation } } }, rest);
}

/** A document with one parameter. */
export function parameterOf(parameter: JsonObject): JsonObject {
  return operationOf({ parameters: [{ name: 'p', in: 'query', schema: { type: 'string' }, ...parameter }] });
}

/** The changes in short: level and rule. */
export function summaryOf({ changes }: ContractComparison): readonly string[] {
  return changes.map((change) => `${change.level} ${checkOf(change)}`).toSorted();
}

/** Second half of an id. */
export function checkOf({ id }: Change): string {
  return id.slice(id.indexOf('/') + 1);
}
