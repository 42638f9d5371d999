/** Files that people write by hand, checked by the JSON Schema that is published for them: every message has the line to change. */

import { SpecError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { fromPointer } from '../pointer.ts';
import { createDocument, type Document, loadDocument, placeBelow } from './document.ts';
import type { SchemaViolation } from './schema-violation.ts';
import { createValidators, type Validator } from './validator.ts';

const compiled = new Map<string, Promise<Validator>>();

/**
 * Checks what was read from a file. A refused value is told by its type alone, unless it may be shown: what stands where it should not may be a secret.
 * @throws {SpecError} at the deepest place that the schema refuses.
 */
export async function checkBySchema(schemaFile: string, file: string, root: JsonObject, showsValues = true): Promise<void> {
  const pending = compiled.get(schemaFile) ?? compileFile(schemaFile);
  compiled.set(schemaFile, pending);
  const depth = (each: SchemaViolation): number => fromPointer(each.path).length + (each.unknownKey === undefined ? 0 : 0.5);
  // The deepest is the line to change; and a misspelt member is also a missing one, which stands nowhere.
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
      : `; found ${isPlain ? JSON.stringify(found) : 'something else'}`;
  const hidden = typeof found === 'string' && !showsValues ? '' : shown;
  return `${name === '' ? 'the file' : name} ${message}${hidden}`;
}
