/**
 * Checks a file against the JSON Schema that Touchstone publishes for it (configuration, waivers, acceptances, overlays, own data, verify reports) whenever it
 * is read, also at a reload. OpenAPI files are not checked here.
 */

import { type SourceLocation, SpecError } from '../errors.ts';
import { isObject, type JsonObject, printJson } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer } from '../pointer.ts';
import { loadDocument } from './loading/load-document.ts';
import { parseYaml } from './loading/yaml.ts';
import { createDocument, rawOf } from './raw-document.ts';
import { deepestViolation, keysToViolation, type SchemaViolation } from './schema-violation.ts';
import { placeBelow } from './source-positions.ts';
import { createValidators, type Validator } from './validator.ts';

/** Validators by schema file. */
const validatorsByFile = new Map<string, Promise<Validator>>();

/**
 * Checks the parsed value of a file. Without `showsValues`, the message does not quote a refused text, since it may be a misplaced secret.
 * @throws {SpecError} at the deepest place that the schema refuses.
 */
export async function checkAgainstSchema(schemaFile: string, file: string, root: JsonObject, showsValues = true): Promise<void> {
  const validator = getOrCompute(validatorsByFile, schemaFile, () => compileFile(schemaFile));
  const violation = deepestViolation((await validator)(root));
  if (violation === undefined) return;
  const document = createDocument(file, new Map([[file, root]]));
  throw new SpecError(placeBelow(document.file, root, keysToViolation(violation)), explain(violation, showsValues));
}

/**
 * Reads a file with a list of entries under one key, such as waivers. The file may be empty, or hold only comments.
 * @throws {SpecError} for anything that the schema refuses, so that no entry is silently ignored.
 */
export async function readEntries(
  file: string,
  text: string,
  key: string,
  schemaFile: string,
): Promise<readonly { readonly entry: JsonObject; readonly place: SourceLocation }[]> {
  const isEmpty = text.split(/\r?\n/).every((line) => /^\s*(#.*|---\s*)?$/.test(line));
  if (isEmpty) return [];
  const root = parseYaml(file, text, `a file of ${key}, which has a list under the key ${key},`);
  await checkAgainstSchema(schemaFile, file, root);
  const list = root[key];
  const document = createDocument(file, new Map([[file, root]]));
  return Array.isArray(list) ? list.filter(isObject).map((entry) => ({ entry, place: document.place(entry) })) : [];
}

async function compileFile(file: string): Promise<Validator> {
  const document = await loadDocument(file);
  return createValidators(document).compile(rawOf(document).root);
}

function explain({ path, message, found, unknownKey, keyword, stated }: SchemaViolation, showsValues: boolean): string {
  const name = fromPointer(path).join('.');
  const isScalar = typeof found !== 'object' || found === null;
  const isHidden = unknownKey !== undefined || keyword === 'required' || found === undefined || (typeof found === 'string' && !showsValues);
  const foundText = isHidden ? '' : `; found ${isScalar ? printJson(found) : Array.isArray(found) ? 'an array' : 'an object'}`;
  const isUnquoted = keyword === 'type' && stated === 'string' && (typeof found === 'number' || typeof found === 'boolean');
  const expectation = keyword === 'pattern' ? (patternWords.get(String(stated)) ?? message) : message;
  return `${name === '' ? 'the file' : name} ${expectation}${foundText}${isUnquoted ? '; write it in quotes' : ''}`;
}

/** The patterns of the published schemas, in words. */
const patternWords: ReadonlyMap<string, string> = new Map([
  ['\\S', 'must not be empty'],
  ['^[A-Z_][A-Z0-9_]*$', 'must be the name of an environment variable, such as FULL_KEY'],
  ['^[0-9a-f]{6}-[0-9a-f]{6}$', 'must be a fingerprint as reports print it, such as 1c9a07-e3b0c4'],
  ['^[0-9a-f]{12}([0-9a-f]{4})?$', 'must be a fingerprint as reports print it, such as 1c9a07e3b0c45d6f'],
]);
