/** Loads schema pairs from an outside suite, labelled by inclusion. An environment variable names their folder. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, type JsonObject, parseJson, printJson } from '../../../core/json.ts';
import { loadDocument } from '../../../core/openapi/loading/load-document.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { upgradeSchemas } from '../../../core/openapi/upgrade-schemas.ts';
import { createInclusions, type Separation } from '../../../generators/schema-inclusion.ts';
import { judgeOf } from '../../helpers/schema-judge.ts';

/** Two schemas, and whether every instance of `sub` is one of `sup`, as their source says. */
export interface SubsetCase {
  readonly source: string;
  readonly name: string;
  readonly sub: Schema;
  readonly sup: Schema;
  readonly expected: boolean;
  readonly dialect: string;
}

/** The result of the search for an instance of `sub` that is not one of `sup`, confirmed by ajv. */
export interface Separated {
  readonly separation: Separation;
  readonly isConfirmed: boolean | undefined;
}

/** The message of a test that skips because the pairs are missing. */
export const withoutPairs = 'TOUCHSTONE_CASES names no folder with subset/cases.json';

/** The pairs below the folder that TOUCHSTONE_CASES names, or none without it. */
export function readSubsetCases(environment: Readonly<Record<string, string | undefined>>): readonly SubsetCase[] {
  const folder = environment['TOUCHSTONE_CASES'] ?? '';
  if (folder === '') return [];
  return JSON.parse(readFileSync(join(folder, 'subset/cases.json'), 'utf8')) as readonly SubsetCase[];
}

/** The title of a pair: several pairs of a source share a name. */
export function titleOf({ source, name, sub, sup }: SubsetCase): string {
  return `${source} ${name}: ${JSON.stringify(sub)} in ${JSON.stringify(sup)}`;
}

/** Looks for an instance that tells the schemas of a pair apart, both read in the pair's own dialect. */
export async function separatePair(pair: SubsetCase): Promise<Separated> {
  const files: Readonly<Record<string, Json>> = {
    'pair.json': { openapi: '3.1.0', components: { schemas: { sub: { $ref: 'sub.json#/it' }, sup: { $ref: 'sup.json#/it' } } } },
    'sub.json': { it: inFile(pair.sub, pair.dialect) },
    'sup.json': { it: inFile(pair.sup, pair.dialect) },
  };
  const document = upgradeSchemas(await loadDocument('pair.json', (file) => Promise.resolve(JSON.stringify(files[file]))));
  const schemaIn = (file: string): Schema => rawOf(document).files.get(file)?.['it'] as Schema;
  const separation = createInclusions(document).separate([schemaIn('sub.json')], schemaIn('sup.json'));
  if (separation.kind !== 'found') return { separation, isConfirmed: undefined };
  const [sub, sup] = [alone(schemaIn('sub.json')), alone(schemaIn('sup.json'))];
  return { separation, isConfirmed: judgeOf(sub)(separation.value).length === 0 && judgeOf(sup)(separation.value).length > 0 };
}

const dialects: Readonly<Record<string, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** A schema below the root of its file, where its references lead to, and its dialect said. */
function inFile(schema: Schema, dialect: string): Json {
  if (typeof schema === 'boolean') return schema;
  const moved = JSON.stringify({ $schema: dialects[dialect] ?? '', ...schema }).replaceAll(/"\$ref":"#([^"]*)"/g, '"$ref":"#/it$1"');
  return JSON.parse(moved) as JsonObject;
}

/** A rewritten schema as it stands alone: its references lead to its own root again. */
function alone(schema: Schema): Schema {
  return parseJson(printJson(schema).replaceAll('"$ref":"#/it', '"$ref":"#')) as Schema;
}
