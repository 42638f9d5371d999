/**
 * The open questions of a contract, listed while it is loaded, and the references to them: `{ unspecified: ID }` in annotations, `x-unspecified: ID` in
 * schemas. They are not answered here.
 */

import { didYouMean } from '../did-you-mean.ts';
import { type SourceLocation, SpecError } from '../errors.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Document } from '../openapi/document.ts';
import { type MemberMeaning, membersOf } from '../openapi/member-meanings.ts';
import { rawOf } from '../openapi/raw-document.ts';
import { toPointer } from '../pointer.ts';

/** A point that the API documentation leaves open. */
export interface Question {
  /** The id of the question, a key of a profile. */
  readonly id: string;
  /** The question as a sentence. */
  readonly question: string;
  /** The section of the API documentation that leaves it open. */
  readonly source: string;
  /** The choice of the mock without a profile. For a question without choices, a description of the mock's behaviour. */
  readonly mock: string;
  /** Legal answers by name, each the value that replaces the reference; empty if nothing refers to the question. */
  readonly choices: ReadonlyMap<string, Json>;
  /** JSON Pointers of the references to the question. In another file, its name and `#` come first. */
  readonly pointers: readonly string[];
  /** Place of the question in its file. */
  readonly place: SourceLocation;
}

/** The open questions at a JSON Pointer of the contract or below it. */
export function questionsBelow({ questions }: { readonly questions: ReadonlyMap<string, Question> }, pointer: string): readonly Question[] {
  const isBelow = (each: string): boolean => each === pointer || each.startsWith(`${pointer}/`);
  return [...questions.values()].filter((question) => question.pointers.some(isBelow));
}

/** Lists the members that a question in a schema concerns: those in its choices. An empty list means the value itself. */
export function askedMembers({ choices }: Question): readonly string[] {
  const members = [...choices.values()]
    .filter(isObject)
    .flatMap(({ properties, required }) => [...Object.keys(objectOrEmpty(properties)), ...arrayOrEmpty(required).map(String)]);
  return [...new Set(members)];
}

/**
 * Lists the questions of a document with their references.
 * @throws {SpecError} for a reference to an unknown question or to one without choices, and if `mock` is not a choice.
 */
export function listQuestions(document: Document): ReadonlyMap<string, Question> {
  const declarations = rawOf(document).root['x-unspecified'];
  const references = [...rawOf(document).files].flatMap(([file, root]) =>
    [...listReferences(root, [], document)].map((reference) =>
      file === document.file ? reference : { ...reference, pointer: `${file}#${reference.pointer}` },
    ),
  );
  const entries = Object.entries(objectOrEmpty(declarations));
  for (const reference of references) checkQuestionReference(reference, new Map(entries));
  return new Map(entries.map(([id, entry]) => [id, toQuestion(document, declarations as JsonObject, id, entry, references)]));
}

function checkQuestionReference(reference: QuestionReference, declarations: ReadonlyMap<string, Json>): void {
  const question = declarations.get(reference.id);
  if (question === undefined) {
    throw new SpecError(
      reference.place,
      `x-unspecified has no question ${reference.id}; ${didYouMean(reference.id, declarations.keys(), 'add it there')}`,
    );
  }
  if (isObject(question) && isObject(question['choices'])) return;
  throw new SpecError(
    reference.place,
    `the question ${reference.id} has no choices, so nothing can replace it here; list them under x-unspecified`,
  );
}

/** A reference to a question. */
interface QuestionReference {
  readonly id: string;
  readonly pointer: string;
  readonly place: SourceLocation;
}

function* listReferences(
  value: Json,
  keys: readonly (string | number)[],
  document: Document,
  meaning: MemberMeaning = 'keywords',
): Generator<QuestionReference> {
  if (meaning === 'extension' && isQuestionReference(value))
    yield { id: value.unspecified, pointer: toPointer(keys), place: document.place(value) };
  for (const { key, member, meaning: memberMeaning } of membersOf(value, meaning)) {
    if (key !== 'x-unspecified' || meaning !== 'keywords') yield* listReferences(member, [...keys, key], document, memberMeaning);
    else if (typeof member === 'string') yield { id: member, pointer: toPointer(keys), place: document.place(value as JsonObject, key) };
  }
}

/** True for `{ unspecified: ID }`, which stands for the answer to a question. */
export function isQuestionReference(value: Json): value is JsonObject & { readonly unspecified: string } {
  return isObject(value) && typeof value['unspecified'] === 'string' && Object.keys(value).length === 1;
}

function toQuestion(document: Document, holder: JsonObject, id: string, entry: Json, references: readonly QuestionReference[]): Question {
  const place = document.place(holder, id);
  const fields: JsonObject = objectOrEmpty(entry);
  const choices = new Map(Object.entries(objectOrEmpty(fields['choices'])));
  const mock = String(fields['mock']);
  if (choices.size > 0 && !choices.has(mock))
    throw new SpecError(place, `mock: ${mock} is not a choice of ${id}; the choices are ${[...choices.keys()].join(', ')}`);
  const pointers = references.filter((reference) => reference.id === id).map((reference) => reference.pointer);
  if (choices.size > 0 && pointers.length === 0)
    throw new SpecError(place, `the question ${id} has choices, but nothing refers to it; refer to it or remove its choices`);
  return { id, question: String(fields['question']), source: String(fields['source']), mock, choices, pointers, place };
}
