/** A contract: everything that one annotated OpenAPI file says, as values. */

import type { Collection, Condition, ErrorShape, Resource } from '../annotations/annotations.ts';
import { checkPointers } from '../annotations/check-pointers.ts';
import {
  closeDocument,
  completeProfile,
  listQuestions,
  type Profile,
  type Question,
  type ResolvedDocument,
} from '../annotations/profile.ts';
import { nearest, type SourceLocation, SpecError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { fromPointer } from '../pointer.ts';
import { annotationsSchemaFile, contractName } from '../shipped.ts';
import { type Edit, editDocument } from './contract-edit.ts';
import { modernise } from './dialect.ts';
import { createDocument, type Document, follow, loadDocument, placeBelow, type ReadText } from './document.ts';
import { type Position, positionOf } from './document-positions.ts';
import type { Operation } from './operation.ts';
import { readOperations } from './read-operations.ts';
import type { Schema } from './schema.ts';
import type { SchemaViolation } from './schema-violation.ts';
import { copyOrigin } from './source-positions.ts';
import { createValidators, type Validator, type Validators } from './validator.ts';

/** A scope of an API key, as the contract describes it. */
export interface KeyScope {
  /** The role of the scope in the contract's security requirements. */
  readonly role: string;
  /** The name that the API gives it, when that differs from the role that the contract uses. */
  readonly name: string;
}

/** A contract file, read whole. */
export interface Contract {
  /** The file name without folder and ending, such as `notes` of `specs/notes.openapi.yaml`. */
  readonly name: string;
  /** The title of the API (`info.title`). */
  readonly title: string;
  /** The version of the API (`info.version`). */
  readonly version: string;
  /** The file as it is written, its questions open. */
  readonly document: Document;
  /** The same with its rules closed; schemas are closed too when the contract was resolved. */
  readonly closed: Document;
  /** Compilers of the schemas in the file. */
  readonly validators: Validators;
  /** Open questions by id. */
  readonly questions: ReadonlyMap<string, Question>;
  /** The answers that close the rules. */
  readonly profile: Profile;
  /** The shape of every failure, also outside every operation; `undefined` in a contract without `x-api`. */
  readonly error: (ErrorShape & { readonly schema: Schema; readonly validate: Validator }) | undefined;
  /** True if each key belongs to one tenant, and the records of other tenants are absent. */
  readonly tenancy: boolean;
  /** Scopes that keys can have. */
  readonly scopes: readonly KeyScope[];
  /** Precedence of conditions: the first of this list that holds is reported. */
  readonly precedence: readonly Condition[];
  /** Operations in the order of the file. */
  readonly operations: readonly Operation[];
  /** Collections that list operations read. */
  readonly collections: readonly Collection[];
  /** Resources that single reads return. */
  readonly resources: readonly Resource[];
  /** Place of the API's description in its file. */
  readonly place: SourceLocation;
}

const customaryPrecedence: readonly Condition[] = [
  'unauthenticated',
  'throttled',
  'forbidden',
  'unavailable',
  'invalid',
  'absent',
  'unchanged',
];

/**
 * Reads a contract file. Its schemas accept every legal answer to an open question; its rules are closed by the mock's answers.
 * @throws {UsageError} when the file cannot be read.
 * @throws {SpecError} for a mistake in it, with the place, the value and the way out.
 * @example
 * ```ts
 * import { loadContract } from 'touchstone';
 *
 * const contract = await loadContract('api.openapi.yaml');
 * for (const { method, path } of contract.operations) console.log(method, path);
 * ```
 */
export async function loadContract(file: string, read?: ReadText): Promise<Contract> {
  const document = await openDocument(file, read);
  await checkAnnotations(document);
  const questions = listQuestions(document);
  const contract = await buildChecked(document, questions, completeProfile(questions, {}), 'rules');
  checkPointers(contract);
  contract.validators.prepare();
  await checkChoices(contract);
  return contract;
}

/** Closes a contract by answers that anybody may have written: whatever reads the rules relies on their shape, so it is checked before. */
async function buildChecked(
  document: Document,
  questions: ReadonlyMap<string, Question>,
  profile: Profile,
  closing: ResolvedDocument,
): Promise<Contract> {
  const closed = closeDocument(document, questions, profile, closing);
  await checkAnnotations(closed);
  return readClosed(document, closed, questions, profile);
}

/**
 * Checks that every choice of every question is legal where the question stands. One closed contract holds a choice of each question, so as many
 * are enough as the longest list of choices has.
 */
async function checkChoices(contract: Contract): Promise<void> {
  const asked = [...contract.questions.values()].filter((question) => question.choices.size > 0);
  const rounds = Math.max(0, ...asked.map((question) => question.choices.size));
  for (let round = 0; round < rounds; round += 1) {
    const profile = Object.fromEntries(asked.map(({ id, choices }) => [id, [...choices.keys()][round % choices.size] ?? '']));
    const closed = await buildChecked(contract.document, contract.questions, profile, 'rules-and-schemas');
    checkPointers(closed);
    closed.validators.prepare();
  }
}

/**
 * Reads a contract file that is known to be good, such as one of the package, whose tests load it: nothing is checked that only finds mistakes, and
 * schemas are compiled when they are first needed.
 * @throws {UsageError} when the file cannot be read.
 */
export async function readContract(file: string, read?: ReadText): Promise<Contract> {
  return assemble(await openDocument(file, read));
}

async function openDocument(file: string, read: ReadText | undefined): Promise<Document> {
  const document = await (read === undefined ? loadDocument(file) : loadDocument(file, read));
  requireOpenApi(document);
  return asOpenApi31(document);
}

/** A document of OpenAPI 3.0 in 3.1, with its schemas in draft 2020-12; everything keeps its place in the file. */
function asOpenApi31(document: Document): Document {
  if (String(document.root['openapi']).startsWith('3.1.')) return document;
  const modern = modernise(document);
  const root = { ...modern.root, openapi: '3.1.0' };
  copyOrigin(modern.root, root);
  return createDocument(modern.file, new Map([...modern.files, [modern.file, root]]));
}

function assemble(document: Document): Contract {
  const questions = listQuestions(document);
  return build(document, questions, completeProfile(questions, {}), 'rules');
}

/**
 * Closes a contract by a profile: what it leaves open is answered in its rules and in its schemas. Questions that the profile does not answer
 * get the mock's answer.
 * @throws {UsageError} when the profile answers a question that is not asked, or with something that is not a choice.
 * @example
 * ```ts
 * import { contractFile, loadContract, resolveContract } from 'touchstone';
 *
 * const contract = await loadContract(contractFile('business'));
 * const resolved = resolveContract(contract, { 'order-place': 'data' });
 * ```
 */
export function resolveContract(contract: Contract, answers: Profile = {}): Contract {
  return build(contract.document, contract.questions, completeProfile(contract.questions, answers), 'rules-and-schemas');
}

/**
 * A mutant of a contract: the same contract but for edits of its closed document. What was written, and what was asked, stay as they are.
 * @throws {RangeError} when an edit leads nowhere.
 * @throws {SpecError} when the edited document is no contract any more.
 */
export function editContract(contract: Contract, edits: readonly Edit[]): Contract {
  const { document, questions, profile, name } = contract;
  return { ...readClosed(document, editDocument(contract.closed, edits), questions, profile), name };
}

function build(document: Document, questions: ReadonlyMap<string, Question>, profile: Profile, closing: ResolvedDocument): Contract {
  return readClosed(document, closeDocument(document, questions, profile, closing), questions, profile);
}

function readClosed(document: Document, closed: Document, questions: ReadonlyMap<string, Question>, profile: Profile): Contract {
  const validators = createValidators(closed);
  const operations = readOperations(closed, validators);
  const info: JsonObject = isObject(closed.root['info']) ? closed.root['info'] : {};
  const api: JsonObject = isObject(closed.root['x-api']) ? closed.root['x-api'] : {};
  return {
    name: contractName(document.file),
    title: String(info['title'] ?? contractName(document.file)),
    version: String(info['version'] ?? ''),
    document,
    closed,
    validators,
    questions,
    profile,
    error: readError(closed, validators, api),
    tenancy: api['tenancy'] === 'key',
    scopes: readScopes(api),
    precedence: readPrecedence(api),
    operations,
    collections: operations.flatMap((operation) => operation.collection ?? []),
    resources: operations.flatMap((operation) => operation.resource ?? []),
    place: document.place(document.root),
  };
}

function requireOpenApi(document: Document): void {
  const version = document.root['openapi'];
  if (typeof version === 'string' && /^3\.[01]\.\d+(?:-[\w.]+)?$/.test(version)) return;
  const { swagger } = document.root;
  const place = document.place(document.root, swagger === undefined ? 'openapi' : 'swagger');
  if (swagger !== undefined)
    throw new SpecError(
      place,
      `swagger: ${String(swagger)} is not read here; convert the file to OpenAPI 3 first, as with npx swagger2openapi FILE`,
    );
  if (version === undefined) throw new SpecError(place, 'this is not an OpenAPI document: it does not say openapi: 3.1.0');
  throw new SpecError(place, `openapi: ${String(version)} is not read here; contracts are written in OpenAPI 3.0 or 3.1`);
}

function readError(document: Document, validators: Validators, api: JsonObject): Contract['error'] {
  const shape = api['error'];
  if (!isObject(shape)) return undefined;
  const reference = String(shape['schema']);
  const schema = typeof shape['schema'] === 'string' ? (follow(document, referenceFrom(shape, reference, document)) as Schema) : true;
  const request = typeof shape['request'] === 'string' ? shape['request'] : undefined;
  return { code: String(shape['code']), message: String(shape['message']), request, schema, validate: validators.compile(schema) };
}

/** The schema of errors is named by a plain string, as OpenAPI names things in `discriminator`; a mistake in it is told at that string. */
function referenceFrom(holder: JsonObject, reference: string, document: Document): JsonObject {
  const member = { $ref: reference };
  const place = document.place(holder, 'schema');
  const known = createDocument(document.file, document.files);
  try {
    follow(known, member);
  } catch (cause) {
    if (cause instanceof SpecError)
      throw new SpecError(place, `${reference} leads nowhere; name the schema of every failure, such as #/components/schemas/Error`, {
        cause,
      });
    throw cause;
  }
  return member;
}

/** A condition that the file does not rank comes after those that it ranks, in the customary order. */
function readPrecedence(api: JsonObject): readonly Condition[] {
  const ranked = Array.isArray(api['precedence']) ? (api['precedence'] as readonly Condition[]) : [];
  return [...new Set([...ranked, ...customaryPrecedence])];
}

function readScopes(api: JsonObject): readonly KeyScope[] {
  const scopes = isObject(api['scopes']) ? Object.entries(api['scopes']) : [];
  return scopes.map(([role, scope]) => ({ role, name: isObject(scope) && typeof scope['name'] === 'string' ? scope['name'] : role }));
}

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
  const depth = (each: SchemaViolation): number => fromPointer(each.path).length + (each.unknownKey === undefined ? 0 : 0.5);
  const violation = violations.toSorted((left, right) => depth(right) - depth(left))[0];
  if (violation === undefined) return;
  const keys = [word, ...fromPointer(violation.path), ...(violation.unknownKey === undefined ? [] : [violation.unknownKey])];
  throw new SpecError(placeBelow(document, holder, keys), `${word}${violation.path} ${explain(violation)}`);
}

/** Other tools' extensions are none of our business, unless one is a slip of the pen for one of ours. */
function refuseMisspelt(document: Document, vocabulary: Vocabulary, holder: JsonObject, word: string): void {
  const written = word.slice(2);
  // A longer name, such as x-resourceId, is another keyword.
  const goesOn = (each: string): boolean => written.startsWith(each) && /^[A-Z_-]/.test(written.slice(each.length));
  const known = vocabulary.words.map((each) => each.slice(2)).filter((each) => each.length > 4 && !goesOn(each));
  const meant = nearest(written, known);
  if (meant !== undefined)
    throw new SpecError(document.place(holder, word), `${word} is not a word of the annotations; is x-${meant} meant?`);
}

function explain(violation: SchemaViolation): string {
  const found = violation.found === undefined ? '' : `; found ${JSON.stringify(violation.found)}`;
  return violation.unknownKey === undefined ? `${violation.message}${found}` : violation.message;
}
