/** Loads the official test suite of JSON Schema (draft 2020-12, required tests). An environment variable names its folder. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';

/** A schema of the suite with instances, each with the verdict that the suite gives. */
export interface SuiteCase {
  readonly file: string;
  readonly description: string;
  readonly schema: Schema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** The cases by file, and the documents that they refer to. */
export interface Suite {
  readonly files: ReadonlyMap<string, readonly SuiteCase[]>;
  readonly remotes: Readonly<Record<string, Schema>>;
}

/** The message of a test that skips because the suite is missing. */
export const withoutSuite = 'TOUCHSTONE_CASES names no folder with json-schema-test-suite';

/** The suite below the folder that TOUCHSTONE_CASES names, or undefined without it. */
export function readSuite(environment: Readonly<Record<string, string | undefined>>): Suite | undefined {
  const folder = environment['TOUCHSTONE_CASES'];
  if (folder === undefined || folder === '') return undefined;
  const root = join(folder, 'json-schema-test-suite');
  const cases = join(root, 'tests/draft2020-12');
  const names = readdirSync(cases).filter((name) => name.endsWith('.json'));
  return { files: new Map(names.sort().map((name) => [name.slice(0, -5), readCases(cases, name)])), remotes: readRemotes(root) };
}

function readCases(folder: string, name: string): readonly SuiteCase[] {
  const cases = JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly Omit<SuiteCase, 'file'>[];
  return cases.map((each) => ({ ...each, file: name.slice(0, -5) }));
}

/** The suite serves its remote documents from this address; those in folders of other drafts are not ours. */
function readRemotes(root: string): Readonly<Record<string, Schema>> {
  const folder = join(root, 'remotes');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.json') && (name.startsWith('draft2020-12/') || !/^(draft|v\d)/.test(name)));
  return Object.fromEntries(names.map((name) => [`http://localhost:1234/${name}`, JSON.parse(readFileSync(join(folder, name), 'utf8'))]));
}
