/** Checks that the extensions of a contract file are well formed, by the published JSON Schema of the annotations. */

import { type Document, follow, loadDocument, placeBelow } from './document.ts';
import { nearest, SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { fromPointer } from './pointer.ts';
import { annotationsSchemaFile } from './shipped.ts';
import { type Position, positionOf } from './traverse.ts';
import { createValidators, type Validator } from './validator.ts';
import type { Violation } from './violation.ts';

/** Checks one extension's value; knows the words of the vocabulary. */
interface Vocabulary {
  readonly words: readonly string[];
  readonly validatorOf: (word: string) => Validator | undefined;
}

let loaded: Promise<Vocabulary> | undefined;

/**
 * Checks every extension of a document.
 * @throws {SpecError} for an unknown key, a value of the wrong shape, or a word that is almost one of the vocabulary's.
 */
export async function checkAnnotations(document: Document): Promise<void> {
  loaded ??= loadVocabulary();
  const vocabulary = await loaded;
  const operations = listOperationValues(document);
  for (const root of document.files.values()) checkValue(document, vocabulary, root, operations);
}

/** The objects that are operations: the only place for the words that speak of one. */
function listOperationValues(document: Document): ReadonlySet<Json> {
  const items = isObject(document.root['paths']) ? Object.values(document.root['paths']).map((item) => follow(document, item)) : [];
  return new Set(items.filter(isObject).flatMap((item) => Object.values(item)));
}

const wordsOfOperations: ReadonlySet<string> = new Set(['x-collection', 'x-resource', 'x-parameter-rules']);

async function loadVocabulary(): Promise<Vocabulary> {
  const document = await loadDocument(annotationsSchemaFile());
  const definitions: JsonObject = isObject(document.root['$defs']) ? document.root['$defs'] : {};
  const validators = createValidators(document);
  const words = Object.keys(definitions).filter((name) => name.startsWith('x-'));
  const compiled = new Map(words.map((word) => [word, validators.compile(definitions[word] as JsonObject)]));
  return { words, validatorOf: (word) => compiled.get(word) };
}

function checkValue(
  document: Document,
  vocabulary: Vocabulary,
  value: Json,
  operations: ReadonlySet<Json>,
  position: Position = 'keywords',
): void {
  if (typeof value !== 'object' || value === null || position === 'data') return;
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as JsonObject);
  for (const [key, member] of entries) {
    const inner = positionOf(position, key, member);
    if (inner !== 'extension') checkValue(document, vocabulary, member, operations, inner);
    else if (!wordsOfOperations.has(String(key)) || operations.has(value))
      checkWord(document, vocabulary, value as JsonObject, String(key), member);
    else
      throw new SpecError(
        document.place(value, key),
        `${key} is read in operations only, and this is none; move it into the operation that it is about`,
      );
  }
}

function checkWord(document: Document, vocabulary: Vocabulary, holder: JsonObject, word: string, value: Json): void {
  // In a schema the word for questions is a reference to one, and needs no more check than that the question exists.
  if (word === 'x-unspecified' && typeof value === 'string') return;
  const validator = vocabulary.validatorOf(word);
  if (validator === undefined) refuseMisspelt(document, vocabulary, holder, word);
  const violations = validator?.(value) ?? [];
  // The deepest is the line to change; and a misspelt key is also a missing one, which stands nowhere.
  const depth = (each: Violation): number => fromPointer(each.path).length + (each.unknownKey === undefined ? 0 : 0.5);
  const violation = violations.toSorted((left, right) => depth(right) - depth(left))[0];
  if (violation === undefined) return;
  const keys = [word, ...fromPointer(violation.path), ...(violation.unknownKey === undefined ? [] : [violation.unknownKey])];
  throw new SpecError(placeBelow(document, holder, keys), `${word}${violation.path} ${explain(violation)}`);
}

/** Other tools' extensions are none of our business, unless one is a slip of the pen for one of ours. */
function refuseMisspelt(document: Document, vocabulary: Vocabulary, holder: JsonObject, word: string): void {
  const written = word.slice(2);
  // What goes on with another word, such as x-resourceId, is a word of its own.
  const goesOn = (each: string): boolean => written.startsWith(each) && /^[A-Z_-]/.test(written.slice(each.length));
  const known = vocabulary.words.map((each) => each.slice(2)).filter((each) => each.length > 4 && !goesOn(each));
  const meant = nearest(written, known);
  if (meant !== undefined)
    throw new SpecError(document.place(holder, word), `${word} is not a word of the annotations; is x-${meant} meant?`);
}

function explain(violation: Violation): string {
  const found = violation.found === undefined ? '' : `; found ${JSON.stringify(violation.found)}`;
  return violation.unknownKey === undefined ? `${violation.message}${found}` : violation.message;
}
