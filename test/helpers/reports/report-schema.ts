/** Checks JSON reports against their published schemas, which are open, and finds members that these do not list. */

import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import type { RunResult } from '../../../core/results/run-result.ts';

type ReportName = 'verify' | 'diff' | 'pact' | 'pact-check';

/** Violations of a report of `verify` against its schema, and members that the schema does not list; empty for a valid one. */
export function complaintsAbout(report: unknown): readonly string[] {
  return complaintsAboutReport('verify', report);
}

/** The only run in a report of `verify`. Throws if the report violates its schema or has several. */
export function readRun(file: string): RunResult {
  return runIn(readFileSync(file, 'utf8'));
}

/** The only run in the text of a report of `verify`. Throws like {@link readRun}. */
export function runIn(text: string): RunResult {
  const report = JSON.parse(text) as { readonly runs: readonly [RunResult, ...RunResult[]] };
  const complaints = [...complaintsAbout(report), ...(report.runs?.length === 1 ? [] : ['it has not one run'])];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return report.runs[0];
}

/** Violations of a report against its schema. A valid report prints its result as it is, so its members that the schema does not list are returned too. */
export function complaintsAboutReport(name: ReportName, report: unknown): readonly string[] {
  const complaints = check(openSchema(name), report);
  return complaints.length > 0 ? complaints : check(closedSchema(name), report);
}

/** Violations of a report that may have further members, as one of a later version. */
export function complaintsAboutLater(name: ReportName, report: unknown): readonly string[] {
  return check(openSchema(name), report);
}

const openSchema = memoize((name: ReportName) => compile(readSchema(name)));

const closedSchema = memoize((name: ReportName) => {
  const schema = readSchema(name);
  return compile(close(schema, schema['$defs'] as JsonObject) as JsonObject);
});

function readSchema(name: ReportName): JsonObject {
  return JSON.parse(readFileSync(new URL(`../../../specs/${name}-report.schema.json`, import.meta.url), 'utf8')) as JsonObject;
}

function compile(schema: JsonObject): ValidateFunction {
  return new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }).compile(schema);
}

function check(validate: ValidateFunction, report: unknown): readonly string[] {
  return validate(report)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

/**
 * Closes each schema of a value, but no condition, which names only some members. A reference is replaced by its target, since that is open where other
 * keywords stand beside it.
 */
function close(schema: Json, definitions: JsonObject): Json {
  const open = resolve(schema, definitions);
  const isCondition = isObject(schema) && schema['type'] === undefined && schema['$ref'] === undefined;
  if (isCondition || !isObject(open) || !listsMembers(open)) return open;
  return { ...open, unevaluatedProperties: false };
}

/** Resolves references, and closes the schemas of members and items. */
function resolve(schema: Json, definitions: JsonObject): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((each) => resolve(each, definitions));
  if (!isObject(schema)) return schema;
  const { $ref, $id: _, $defs: __, ...others } = schema;
  const keywords = Object.entries(others).map(([keyword, value]): readonly [string, Json] => {
    if (keyword === 'properties')
      return [keyword, Object.fromEntries(Object.entries(value as JsonObject).map(([name, each]) => [name, close(each, definitions)]))];
    if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, close(value, definitions)];
    return ['allOf', 'anyOf', 'if', 'then', 'else'].includes(keyword) ? [keyword, resolve(value, definitions)] : [keyword, value];
  });
  const target = typeof $ref === 'string' ? [resolve(definitions[$ref.replace('#/$defs/', '')] ?? true, definitions)] : [];
  const allOf = [...((Object.fromEntries(keywords)['allOf'] as readonly Json[] | undefined) ?? []), ...target];
  return { ...Object.fromEntries(keywords), ...(allOf.length === 0 ? {} : { allOf }) };
}

function listsMembers(schema: Json): boolean {
  if (Array.isArray(schema)) return (schema as readonly Json[]).some(listsMembers);
  if (!isObject(schema)) return false;
  return schema['properties'] !== undefined || ['allOf', 'anyOf', 'then', 'else'].some((keyword) => listsMembers(schema[keyword] ?? true));
}
