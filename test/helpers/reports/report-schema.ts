/** Checks JSON reports of `verify` against the published schema. */

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const schema = JSON.parse(readFileSync(new URL('../../../specs/verify-report.schema.json', import.meta.url), 'utf8')) as object;
const validate = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }).compile(schema);

/** Violations of a report against its schema; empty for a valid one. */
export function complaintsAbout(report: unknown): readonly string[] {
  return validate(report) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
