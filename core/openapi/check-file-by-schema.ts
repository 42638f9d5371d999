/**
 * Validates configurations, waivers and earlier reports by their published JSON Schema. Called after the file was parsed; the error names
 * the line to change. Bodies are validated by validator.ts.
 */

import { SpecError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer } from '../pointer.ts';
import { createDocument, type Document, loadDocument, placeBelow } from './document.ts';
import type { SchemaViolation } from './schema-violation.ts';
import { createValidators, type Validator } from './validator.ts';

/** Validators by schema file. */
const compiled = new Map<string, Promise<Validator>>();

/**
 * Checks the parsed value of a file. Without `showsValues`, the message does not quote a refused text, since it may be a misplaced secret.
 * @throws {SpecError} at the deepest place that the schema refuses.
 */
export async function checkBySchema(schemaFile: string, file: string, root: JsonObject, showsValues = true): Promise<void> {
  const pending = getOrCompute(compiled, schemaFile, () => compileFile(schemaFile));
  const depth = ({ path, unknownKey }: SchemaViolation): number => fromPointer(path).length + (unknownKey === undefined ? 0 : 0.5);
  // The deepest violation is at the line to change. A misspelt member is both unknown and missing; the unknown one has a line.
  const [violation] = (await pending)(root).toSorted((left, right) => depth(right) - depth(left));
  if (violation === undefined) return;
  const document = createDocument(file, new Map([[file, root]]));
  throw new SpecError(placeOf(document, violation), explain(violation, showsValues));
}

async function compileFile(file: string): Promise<Validator> {
  const document = await loadDocument(file);
  return createValidators(document).compile(document.root);
}

function placeOf(document: Document, { path, unknownKey }: SchemaViolation): SpecError['place'] {
  const keys = fromPointer(path).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  return placeBelow(document, document.root, unknownKey === undefined ? keys : [...keys, unknownKey]);
}

function explain({ path, message, found, unknownKey, keyword }: SchemaViolation, showsValues: boolean): string {
  const name = fromPointer(path).join('.');
  const isPlain = typeof found !== 'object' || found === null;
  const shown =
    unknownKey !== undefined || keyword === 'required' || found === undefined
      ? ''
      : `; found ${isPlain ? JSON.stringify(found) : Array.isArray(found) ? 'an array' : 'an object'}`;
  const hidden = typeof found === 'string' && !showsValues ? '' : shown;
  return `${name === '' ? 'the file' : name} ${message}${hidden}`;
}
