/**
 * Open questions and their answers. `{ unspecified: ID }` stands where an extension would state a value, and `x-unspecified: ID` stands in a
 * schema; a profile answers each question, and answering all of them gives a closed document with the same lines.
 */

import { nearest, type SourceLocation, SpecError, UsageError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { createDocument, type Document } from '../openapi/document.ts';
import { type Position, positionOf } from '../openapi/document-positions.ts';
import { copyOrigin } from '../openapi/source-positions.ts';
import { toPointer } from '../pointer.ts';

/** A point that the API documents leave open. */
export interface Question {
  /** The id of the question, a key of a profile. */
  readonly id: string;
  /** The question as a sentence. */
  readonly question: string;
  /** The section of the API document that leaves it open. */
  readonly source: string;
  /** The name of the choice that the mock takes unless a profile says otherwise; in a question without choices, what the mock does. */
  readonly mock: string;
  /** Legal answers by name, each a value for the place where the question stands; empty when the question is only asked. */
  readonly choices: ReadonlyMap<string, Json>;
  /** JSON Pointers of the places where the answer would stand; in another file, with its name and a `#` before. */
  readonly pointers: readonly string[];
  /** Place of the question in its file. */
  readonly place: SourceLocation;
}

/** The members that a question beside a schema is about: those that its choices name. Without any, it is about the value itself. */
export function askedMembers({ choices }: Question): readonly string[] {
  const named = [...choices.values()]
    .filter(isObject)
    .flatMap(({ properties, required }) => [
      ...(isObject(properties) ? Object.keys(properties) : []),
      ...(Array.isArray(required) ? (required as readonly Json[]).map(String) : []),
    ]);
  return [...new Set(named)];
}

/** Question → name of the chosen answer. */
export type Profile = Readonly<Record<string, string>>;

/**
 * Lists the questions of a document, each with the places that ask it.
 * @throws {SpecError} when a place names a question that is not asked, or one without choices, or `mock` is not a choice.
 */
export function listQuestions(document: Document): ReadonlyMap<string, Question> {
  const asked = document.root['x-unspecified'];
  const uses = [...document.files].flatMap(([file, root]) =>
    [...listUses(root, [], document)].map((use) => (file === document.file ? use : { ...use, pointer: `${file}#${use.pointer}` })),
  );
  const entries = isObject(asked) ? Object.entries(asked) : [];
  for (const use of uses) checkUse(use, new Map(entries));
  return new Map(entries.map(([id, entry]) => [id, toQuestion(document, asked as JsonObject, id, entry, uses)]));
}

function checkUse(use: Use, asked: ReadonlyMap<string, Json>): void {
  const question = asked.get(use.id);
  if (question === undefined) {
    const meant = nearest(use.id, asked.keys());
    const advice = meant === undefined ? '; add it there' : `; is ${meant} meant?`;
    throw new SpecError(use.place, `no question ${use.id} is asked under x-unspecified${advice}`);
  }
  if (isObject(question) && isObject(question['choices'])) return;
  throw new SpecError(use.place, `the question ${use.id} has no choices, so nothing can stand here; list them under x-unspecified`);
}

/**
 * Completes a profile with the mock's answers.
 * @throws {UsageError} when it answers a question that is not asked, or with something that is not a choice.
 */
export function completeProfile(questions: ReadonlyMap<string, Question>, answers: Profile): Profile {
  for (const [id, answer] of Object.entries(answers)) {
    const question = questions.get(id);
    if (question === undefined)
      throw new UsageError(`the profile answers ${id}, and there is no such question${hint(id, questions.keys())}`);
    if (question.choices.size === 0) throw new UsageError(`the profile answers ${id}, which has no choices: it is only asked`);
    if (question.choices.has(answer)) continue;
    throw new UsageError(`the profile answers ${id} with ${answer}; the choices are ${[...question.choices.keys()].join(', ')}`);
  }
  const defaults = [...questions.values()].filter((question) => question.choices.size > 0).map((question) => [question.id, question.mock]);
  return { ...Object.fromEntries(defaults), ...answers };
}

/** Extent of a profile: the rules alone, so that schemas still accept every legal response, or the schemas too. */
export type ResolvedDocument = 'rules' | 'rules-and-schemas';

/** The document with its open places answered by a complete profile. Values keep the places of the ones that they replace. */
export function closeDocument(
  document: Document,
  questions: ReadonlyMap<string, Question>,
  profile: Profile,
  closing: ResolvedDocument,
): Document {
  const answer: Answer = (id) => questions.get(id)?.choices.get(profile[id] ?? '') ?? null;
  const files = new Map([...document.files].map(([file, root]) => [file, close(root, answer, closing) as JsonObject]));
  return createDocument(document.file, files);
}

type Answer = (id: string) => Json;

function close(value: Json, answer: Answer, closing: ResolvedDocument, position: Position = 'keywords'): Json {
  if (typeof value !== 'object' || value === null || position === 'data') return value;
  if (Array.isArray(value)) {
    return keepPlace(
      value,
      (value as readonly Json[]).map((member, index) => close(member, answer, closing, positionOf(position, index, member))),
    );
  }
  const object = value as JsonObject;
  if (position === 'extension' && isOpen(object)) return answer(object.unspecified);
  const entries = Object.entries(object).map(([key, member]) => {
    // The questions themselves stay as they are asked.
    const isQuestion = key === 'x-unspecified' && position === 'keywords';
    return [key, isQuestion ? member : close(member, answer, closing, positionOf(position, key, member))] as const;
  });
  const copy = Object.fromEntries(entries);
  const id = position === 'keywords' ? object['x-unspecified'] : undefined;
  return typeof id === 'string' && closing === 'rules-and-schemas' ? conjoin(object, copy, answer(id)) : keepPlace(object, copy);
}

/** An answer in a schema holds beside what the schema says already; `false` means that there is nothing at all. */
function conjoin(original: JsonObject, schema: JsonObject, answer: Json): Json {
  if (answer === false) return false;
  const { 'x-unspecified': _, ...rest } = schema;
  const allOf = Array.isArray(rest['allOf']) ? (rest['allOf'] as readonly Json[]) : [];
  return keepPlace(original, { ...rest, allOf: [...allOf, answer] });
}

function keepPlace<T extends object>(original: object, copy: T): T {
  copyOrigin(original, copy);
  return copy;
}

function isOpen(value: JsonObject): value is JsonObject & { readonly unspecified: string } {
  return typeof value['unspecified'] === 'string' && Object.keys(value).length === 1;
}

interface Use {
  readonly id: string;
  readonly pointer: string;
  readonly place: SourceLocation;
}

function* listUses(value: Json, keys: readonly (string | number)[], document: Document, position: Position = 'keywords'): Generator<Use> {
  if (typeof value !== 'object' || value === null || position === 'data') return;
  if (!Array.isArray(value)) yield* usesOf(value as JsonObject, keys, document, position);
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as JsonObject);
  for (const [key, member] of entries) {
    const isQuestion = key === 'x-unspecified' && position === 'keywords';
    if (!isQuestion) yield* listUses(member, [...keys, key], document, positionOf(position, key, member));
  }
}

function* usesOf(value: JsonObject, keys: readonly (string | number)[], document: Document, position: Position): Generator<Use> {
  if (position === 'extension' && isOpen(value)) yield { id: value.unspecified, pointer: toPointer(keys), place: document.place(value) };
  const id = position === 'keywords' ? value['x-unspecified'] : undefined;
  if (typeof id === 'string') yield { id, pointer: toPointer(keys), place: document.place(value, 'x-unspecified') };
}

function toQuestion(document: Document, holder: JsonObject, id: string, entry: Json, uses: readonly Use[]): Question {
  const place = document.place(holder, id);
  const fields: JsonObject = isObject(entry) ? entry : {};
  const choices = new Map(isObject(fields['choices']) ? Object.entries(fields['choices']) : []);
  const mock = String(fields['mock']);
  if (choices.size > 0 && !choices.has(mock))
    throw new SpecError(place, `mock: ${mock} is not a choice of ${id}; the choices are ${[...choices.keys()].join(', ')}`);
  const pointers = uses.filter((use) => use.id === id).map((use) => use.pointer);
  if (choices.size > 0 && pointers.length === 0)
    throw new SpecError(place, `the question ${id} has choices, and no place asks it; use it or remove its choices`);
  return { id, question: String(fields['question']), source: String(fields['source']), mock, choices, pointers, place };
}

function hint(id: string, known: Iterable<string>): string {
  const meant = nearest(id, known);
  return meant === undefined ? '' : `; is ${meant} meant?`;
}
