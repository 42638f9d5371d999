/** Checks, while a contract is loaded, its annotations against their published schema, and finds misspelt keywords. Names and pointers are not followed. */

import { nearest } from '../did-you-mean.ts';
import type { SourceLocation } from '../errors.ts';
import { isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import type { Document } from '../openapi/document.ts';
import { loadDocument } from '../openapi/loading/load-document.ts';
import { type MemberMeaning, membersOf } from '../openapi/member-meanings.ts';
import type { Remark } from '../openapi/mending/set-aside.ts';
import { follow, rawOf } from '../openapi/raw-document.ts';
import { deepestViolation, keysToViolation, type SchemaViolation } from '../openapi/schema-violation.ts';
import { placeBelow } from '../openapi/source-positions.ts';
import { createValidators, type Validator } from '../openapi/validator.ts';
import { annotationsSchemaFile } from '../shipped-files.ts';
import { isAnnotation, isForeign } from './is-annotation.ts';

/** The keywords of the annotations, such as `x-collection`, and the validators of their values. */
interface Vocabulary {
  readonly keywords: readonly string[];
  readonly validatorOf: (keyword: string) => Validator | undefined;
}

let cachedVocabulary: Promise<Vocabulary> | undefined;

/**
 * Lists the mistakes in the annotations of a document: unknown keys, values of the wrong shape, and misspelt keywords. Extensions of other tools are ignored;
 * unless the reading is strict, also those with a name of ours.
 */
export async function listAnnotationMistakes(document: Document, strict: boolean): Promise<readonly Mistake[]> {
  cachedVocabulary ??= loadVocabulary();
  const vocabulary = await cachedVocabulary;
  const operations = listOperationValues(document);
  const mistakes: Mistake[] = [];
  for (const root of rawOf(document).files.values()) checkValue({ document, vocabulary, operations, mistakes, strict }, root);
  return mistakes;
}

/** A mistake in an annotation, at its place. */
interface Mistake {
  readonly place: SourceLocation;
  readonly message: string;
}

/** What a walk of the document needs. */
interface Walk {
  readonly document: Document;
  readonly vocabulary: Vocabulary;
  readonly operations: ReadonlySet<Json>;
  readonly mistakes: Mistake[];
  readonly strict: boolean;
}

/** Lists the objects that are operations, the only place for some keywords. */
function listOperationValues(document: Document): ReadonlySet<Json> {
  const items = Object.values(objectOrEmpty(rawOf(document).root['paths'])).map((item) => follow(document, item));
  return new Set(items.filter(isObject).flatMap((item) => Object.values(item)));
}

const operationKeywords: ReadonlySet<string> = new Set(['x-collection', 'x-resource', 'x-parameter-rules']);

async function loadVocabulary(): Promise<Vocabulary> {
  const document = await loadDocument(annotationsSchemaFile());
  const definitions: JsonObject = objectOrEmpty(rawOf(document).root['$defs']);
  const validators = createValidators(document);
  const keywords = Object.keys(definitions).filter((name) => name.startsWith('x-'));
  const validatorsByKeyword = new Map(keywords.map((keyword) => [keyword, validators.compile(definitions[keyword] as JsonObject)]));
  return { keywords, validatorOf: (keyword) => validatorsByKeyword.get(keyword) };
}

function checkValue(walk: Walk, value: Json, meaning: MemberMeaning = 'keywords'): void {
  for (const { key, member, meaning: memberMeaning } of membersOf(value, meaning)) {
    if (memberMeaning !== 'extension') checkValue(walk, member, memberMeaning);
    else if (meaning !== 'extension') checkKeyword(walk, value as JsonObject, String(key), member);
  }
}

function checkKeyword(walk: Walk, holder: JsonObject, keyword: string, value: Json): void {
  // In a schema, x-unspecified is only the id of a question.
  if (keyword === 'x-unspecified' && typeof value === 'string') return;
  const { document, vocabulary, operations, mistakes, strict } = walk;
  const validator = vocabulary.validatorOf(keyword);
  if (validator === undefined) {
    noteMisspelt(walk, holder, keyword, value);
    return;
  }
  if (!strict && !isAnnotation(keyword, value)) return;
  if (operationKeywords.has(keyword) && !operations.has(holder)) {
    const message = `${keyword} is only allowed in an operation, and this is not an operation; move it into one`;
    mistakes.push({ place: document.place(holder, keyword), message });
    return;
  }
  const violation = deepestViolation(validator(value));
  if (violation === undefined) return;
  const place = placeBelow(document.file, holder, [keyword, ...keysToViolation(violation)]);
  mistakes.push({ place, message: `${keyword}${violation.path} ${explain(violation)}` });
}

/** Notes an extension that is probably a misspelt annotation keyword: its name is similar, and its value has the shape of one. */
function noteMisspelt({ document, vocabulary, mistakes, strict }: Walk, holder: JsonObject, extension: string, value: Json): void {
  const name = extension.slice(2);
  // A longer name, such as x-resourceId, is another keyword.
  const isPrefix = (keyword: string): boolean => name.startsWith(keyword) && /^[A-Z_-]/.test(name.slice(keyword.length));
  // Short keywords such as x-api are similar to too many names.
  const candidates = vocabulary.keywords.map((keyword) => keyword.slice(2)).filter((keyword) => keyword.length > 4 && !isPrefix(keyword));
  const suggestion = nearest(name, candidates);
  if (suggestion === undefined || (!strict && !isAnnotation(`x-${suggestion}`, value))) return;
  mistakes.push({ place: document.place(holder, extension), message: `${extension} is not an annotation; did you mean x-${suggestion}?` });
}

/** Notes the extensions of other tools that have the name of an annotation. They are ignored. */
export function listForeignExtensions(document: Document): readonly Remark[] {
  const remarks = new Map<string, { readonly place: SourceLocation; count: number }>();
  const visit = (value: Json, meaning: MemberMeaning): void => {
    for (const { key, member, meaning: memberMeaning } of membersOf(value, meaning)) {
      if (memberMeaning !== 'extension') visit(member, memberMeaning);
      else if (meaning !== 'extension' && isForeign(String(key), member)) {
        const remark = getOrCompute(remarks, String(key), () => ({ place: document.place(value as JsonObject, key), count: 0 }));
        remark.count += 1;
      }
    }
  };
  for (const root of rawOf(document).files.values()) visit(root, 'keywords');
  return [...remarks].map(([keyword, { place, count }]) => {
    const others = count === 1 ? '' : ` (and ${count - 1} more)`;
    return { place, message: `${keyword} is ignored: it has none of Touchstone’s members, so it seems to belong to another tool${others}` };
  });
}

function explain(violation: SchemaViolation): string {
  const foundText = violation.found === undefined ? '' : `; found ${printJson(violation.found)}`;
  return violation.unknownKey === undefined ? `${violation.message}${foundText}` : violation.message;
}
