/** Checks, while a contract is loaded, its annotations against their published schema, and finds misspelt keywords. Names and pointers are not followed. */

import { nearest } from '../did-you-mean.ts';
import { SpecError } from '../errors.ts';
import { isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { type Document, follow, loadDocument, placeBelow } from '../openapi/document.ts';
import { type MemberMeaning, membersOf } from '../openapi/document-members.ts';
import { deepestViolation, keysToViolation, type SchemaViolation } from '../openapi/schema-violation.ts';
import { createValidators, type Validator } from '../openapi/validator.ts';
import { annotationsSchemaFile } from '../shipped-files.ts';

/** The keywords of the annotations, such as `x-collection`, and the validators of their values. */
interface Vocabulary {
  readonly keywords: readonly string[];
  readonly validatorOf: (keyword: string) => Validator | undefined;
}

let cachedVocabulary: Promise<Vocabulary> | undefined;

/**
 * Checks all annotations of a document by their schema. Extensions of other tools are ignored.
 * @throws {SpecError} for an unknown key, a value of the wrong shape, or a misspelt annotation keyword.
 */
export async function checkAnnotations(document: Document): Promise<void> {
  cachedVocabulary ??= loadVocabulary();
  const vocabulary = await cachedVocabulary;
  const operations = listOperationValues(document);
  for (const root of document.files.values()) checkValue(document, vocabulary, root, operations);
}

/** Lists the objects that are operations, the only place for some keywords. */
function listOperationValues(document: Document): ReadonlySet<Json> {
  const items = isObject(document.root['paths']) ? Object.values(document.root['paths']).map((item) => follow(document, item)) : [];
  return new Set(items.filter(isObject).flatMap((item) => Object.values(item)));
}

const operationKeywords: ReadonlySet<string> = new Set(['x-collection', 'x-resource', 'x-parameter-rules']);

async function loadVocabulary(): Promise<Vocabulary> {
  const document = await loadDocument(annotationsSchemaFile());
  const definitions: JsonObject = objectOrEmpty(document.root['$defs']);
  const validators = createValidators(document);
  const keywords = Object.keys(definitions).filter((name) => name.startsWith('x-'));
  const validatorsByKeyword = new Map(keywords.map((keyword) => [keyword, validators.compile(definitions[keyword] as JsonObject)]));
  return { keywords, validatorOf: (keyword) => validatorsByKeyword.get(keyword) };
}

function checkValue(
  document: Document,
  vocabulary: Vocabulary,
  value: Json,
  operations: ReadonlySet<Json>,
  meaning: MemberMeaning = 'keywords',
): void {
  for (const { key, member, meaning: memberMeaning } of membersOf(value, meaning)) {
    if (memberMeaning !== 'extension') checkValue(document, vocabulary, member, operations, memberMeaning);
    else if (!operationKeywords.has(String(key)) || operations.has(value))
      checkKeyword(document, vocabulary, value as JsonObject, String(key), member);
    else
      throw new SpecError(
        document.place(value as JsonObject, key),
        `${key} is allowed in operations only, and this is not one; move it into its operation`,
      );
  }
}

function checkKeyword(document: Document, vocabulary: Vocabulary, holder: JsonObject, keyword: string, value: Json): void {
  // In a schema, x-unspecified is only the id of a question.
  if (keyword === 'x-unspecified' && typeof value === 'string') return;
  const validator = vocabulary.validatorOf(keyword);
  if (validator === undefined) refuseMisspelt(document, vocabulary, holder, keyword);
  const violation = deepestViolation(validator?.(value) ?? []);
  if (violation === undefined) return;
  const place = placeBelow(document, holder, [keyword, ...keysToViolation(violation)]);
  throw new SpecError(place, `${keyword}${violation.path} ${explain(violation)}`);
}

/** Refuses an extension that is probably a misspelt annotation keyword. */
function refuseMisspelt(document: Document, vocabulary: Vocabulary, holder: JsonObject, extension: string): void {
  const name = extension.slice(2);
  // A longer name, such as x-resourceId, is another keyword.
  const isPrefix = (keyword: string): boolean => name.startsWith(keyword) && /^[A-Z_-]/.test(name.slice(keyword.length));
  // Short keywords such as x-api are similar to too many names.
  const candidates = vocabulary.keywords.map((keyword) => keyword.slice(2)).filter((keyword) => keyword.length > 4 && !isPrefix(keyword));
  const suggestion = nearest(name, candidates);
  if (suggestion !== undefined)
    throw new SpecError(document.place(holder, extension), `${extension} is not an annotation; did you mean x-${suggestion}?`);
}

function explain(violation: SchemaViolation): string {
  const foundText = violation.found === undefined ? '' : `; found ${JSON.stringify(violation.found)}`;
  return violation.unknownKey === undefined ? `${violation.message}${foundText}` : violation.message;
}
