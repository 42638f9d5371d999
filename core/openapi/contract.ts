/** Loads contracts, answers their open questions and builds mutants of them. A mistake in a file is an error with its line. */

import type { Collection, Condition, ErrorShape, Resource } from '../annotations/annotations.ts';
import { type AnsweredParts, applyProfile, completeProfile, type Profile } from '../annotations/apply-profile.ts';
import { checkAnnotationReferences } from '../annotations/check-annotation-references.ts';
import { listAnnotationMistakes, listForeignExtensions } from '../annotations/check-annotation-syntax.ts';
import { isAnnotation } from '../annotations/is-annotation.ts';
import { listQuestions, type Question } from '../annotations/open-questions.ts';
import { type SourceLocation, SpecError } from '../errors.ts';
import { isArray, isObject, type JsonObject, objectOrEmpty } from '../json.ts';
import { readTextFile } from '../read-text-file.ts';
import { contractName } from '../shipped-files.ts';
import { type Edit, editDocument } from './copy-with-edits.ts';
import type { Document, ReadText } from './document.ts';
import { loadFiles } from './loading/load-document.ts';
import { openOverlaidRoot } from './loading/overlay.ts';
import { listBrokenExamples } from './mending/list-broken-examples.ts';
import { mendDocument } from './mending/mend-document.ts';
import { type Remark, refuseTogether, type SetAside } from './mending/set-aside.ts';
import type { Operation } from './operation.ts';
import { createDocument, follow, type RawDocument, rawOf } from './raw-document.ts';
import { readOperations } from './read-operations.ts';
import { schemaFor } from './schema-direction.ts';
import type { Schema } from './schema-facts.ts';
import { copyOrigin } from './source-positions.ts';
import { upgradeSchemas } from './upgrade-schemas.ts';
import { createValidators, type Validator, type Validators } from './validator.ts';

/** A scope of an API key, as the contract describes it. */
export interface KeyScope {
  /** The role of the scope in the contract's security requirements. */
  readonly role: string;
  /** The name of the scope in the API; equal to the role if the contract gives no name. */
  readonly name: string;
}

/** A loaded contract. */
export interface Contract {
  /** The file name without folder and ending, such as `notes` of `specs/notes.openapi.yaml`. */
  readonly name: string;
  /** The title of the API (`info.title`). */
  readonly title: string;
  /** The version of the API (`info.version`). */
  readonly version: string;
  /** The document as written, with open questions. */
  readonly document: Document;
  /** The document with answered questions in annotations; after `resolveContract`, in schemas too. */
  readonly closed: Document;
  /** Compilers of the schemas in the file. */
  readonly validators: Validators;
  /** Open questions by id. */
  readonly questions: ReadonlyMap<string, Question>;
  /** The answers in `closed`. */
  readonly profile: Profile;
  /** The shape of every error body, including errors outside any operation; `undefined` without `x-api/error`. */
  readonly error: (ErrorShape & { readonly schema: Schema; readonly validate: Validator }) | undefined;
  /** True if each key belongs to one tenant, and the records of other tenants are absent. */
  readonly tenancy: boolean;
  /** Scopes that keys can have. */
  readonly scopes: readonly KeyScope[];
  /** Precedence of conditions: if several are true, the first of this list is reported. */
  readonly precedence: readonly Condition[];
  /** Operations in the order of the file. */
  readonly operations: readonly Operation[];
  /** Collections that list operations read. */
  readonly collections: readonly Collection[];
  /** Resources that single reads return. */
  readonly resources: readonly Resource[];
  /** What could not be read in the file when it was loaded. It is neither served nor checked. */
  readonly setAside: readonly SetAside[];
  /** What is read in one of several ways, and examples that break their schema. */
  readonly remarks: readonly Remark[];
  /** Place of the API's description in its file. */
  readonly place: SourceLocation;
}

/** Settings for reading a contract file. */
export interface LoadOptions {
  /** True to reject a file with any mistake. By default, parts that cannot be read are skipped, and the rest works. */
  readonly strict?: boolean;
}

/** Precedence where `x-api` does not state it: the usual order of HTTP servers. */
const defaultPrecedence: readonly Condition[] = [
  'unauthenticated',
  'throttled',
  'forbidden',
  'unavailable',
  'invalid',
  'absent',
  'unchanged',
];

/** Lists what cannot be read in the file of a contract, including the schemas that were met since it was loaded and cannot be compiled. */
export function listSetAside({ setAside, validators }: Contract): readonly SetAside[] {
  const places = [...setAside];
  validators.onMistake((mistake) => places.push({ ...mistake, operations: [] }));
  return places;
}

/**
 * Loads and checks a contract file. Its schemas accept every legal answer to an open question; its annotations have the mock's answers. Unless the reading is
 * strict, most schemas are compiled on first use.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} for mistakes in the annotations and, if the reading is strict, anywhere in the file: up to ten, each with its place and its correction.
 * @example
 * ```ts
 * import { loadContract } from 'touchstone';
 *
 * const contract = await loadContract('api.openapi.yaml');
 * for (const { method, path } of contract.operations) console.log(method, path);
 * ```
 */
export async function loadContract(file: string, read?: ReadText, { strict = false }: LoadOptions = {}): Promise<Contract> {
  const document = await openDocument(file, read, { strict });
  const contract = await contractOfDocument(document, { strict });
  if (strict) refuseTogether(contract.validators.prepare());
  await checkChoices(contract, strict);
  const remarks = [...contract.remarks, ...listBrokenExamples(contract)];
  return { ...contract, document: { ...contract.document, remarks }, remarks };
}

/**
 * Builds the contract of an opened document. It checks the annotations, but compiles schemas on first use and tries only the mock's choice of each question,
 * which leaves out most of the work of `loadContract`.
 * @throws {SpecError} for mistakes in the annotations and, if the reading is strict, anywhere in the file.
 */
export async function contractOfDocument(document: Document, { strict = false }: LoadOptions = {}): Promise<Contract> {
  refuseTogether([...(strict ? document.setAside : []), ...(await listAnnotationMistakes(document, strict))]);
  const questions = listQuestions(document);
  const contract = await checkAndBuild(document, questions, completeProfile(questions, {}), 'rules', strict);
  if (strict) refuseTogether(contract.setAside);
  checkAnnotationReferences(contract);
  return contract;
}

/** Answers the questions of a document and checks its annotations again, since the answers of questions may have any shape. */
async function checkAndBuild(
  document: Document,
  questions: ReadonlyMap<string, Question>,
  profile: Profile,
  answeredParts: AnsweredParts,
  strict: boolean,
): Promise<Contract> {
  const closed = applyProfile(document, questions, profile, answeredParts);
  refuseTogether(await listAnnotationMistakes(closed, strict));
  return buildContract(document, closed, questions, profile);
}

/**
 * Checks that every choice of every question is legal in its place. Each built contract tests one choice of each question, so the longest list of choices
 * decides the number of builds.
 */
async function checkChoices(contract: Contract, strict: boolean): Promise<void> {
  const questions = [...contract.questions.values()].filter((question) => question.choices.size > 0);
  const builds = Math.max(0, ...questions.map((question) => question.choices.size));
  for (let build = 0; build < builds; build += 1) {
    const profile = Object.fromEntries(questions.map(({ id, choices }) => [id, [...choices.keys()][build % choices.size] ?? '']));
    const resolved = await checkAndBuild(contract.document, contract.questions, profile, 'rules-and-schemas', strict);
    checkAnnotationReferences(resolved);
    const known = contract.validators.prepare().map(({ message }) => message);
    refuseTogether(resolved.validators.prepare().filter(({ message }) => !known.includes(message)));
  }
}

/**
 * Loads a contract file without checking it, which is faster. Only for files that are known to be correct, such as those of the package. Schemas are
 * compiled on first use.
 * @throws {UsageError} if the file cannot be read.
 */
export async function loadUncheckedContract(file: string, read?: ReadText): Promise<Contract> {
  return uncheckedContractOf(await openDocument(file, read));
}

/** Builds the contract of an opened document without checking it. */
export function uncheckedContractOf(document: Document): Contract {
  const questions = listQuestions(document);
  return answerAndBuild(document, questions, completeProfile(questions, {}), 'rules');
}

/**
 * Opens an OpenAPI file, or an overlay of one, as OpenAPI 3.1.
 * @throws {UsageError} if it cannot be read.
 * @throws {SpecError} if it is not OpenAPI 3, or has a reference without a target.
 */
export async function openDocument(file: string, read: ReadText = readTextFile, { strict = false }: LoadOptions = {}): Promise<Document> {
  const { document, unread } = await loadFiles(file, read, openOverlaidRoot, strict);
  requireOpenApi(document);
  const mended = mendDocument({ document: asOpenApi31(document), unread });
  return { ...mended, remarks: [...mended.remarks, ...listForeignExtensions(mended)] };
}

/** Converts a document to OpenAPI 3.1 with schemas of draft 2020-12. Values keep their positions in the file. */
function asOpenApi31(document: RawDocument): RawDocument {
  const upgraded = upgradeSchemas(document);
  if (String(rawOf(document).root['openapi']).startsWith('3.1.')) return upgraded;
  const root = copyOrigin(rawOf(upgraded).root, { ...rawOf(upgraded).root, openapi: '3.1.0' });
  return {
    ...upgraded,
    ...createDocument(upgraded.file, new Map([...rawOf(upgraded).files, [upgraded.file, root]]), document.texts),
    remarks: upgraded.remarks,
  };
}

/**
 * Answers the open questions of a contract by a profile, in its annotations and its schemas. Questions that the profile does not answer get the mock's
 * answer.
 * @throws {UsageError} if the profile answers an unknown question, or with something that is not a choice.
 * @example
 * ```ts
 * import { contractFile, loadContract, resolveContract } from 'touchstone';
 *
 * const contract = await loadContract(contractFile('business'));
 * const resolved = resolveContract(contract, { 'order-place': 'data' });
 * ```
 */
export function resolveContract(contract: Contract, answers: Profile = {}): Contract {
  return answerAndBuild(contract.document, contract.questions, completeProfile(contract.questions, answers), 'rules-and-schemas');
}

/**
 * Answers some open questions of a contract by a profile. The others stay open, in its annotations and in its schemas.
 * @throws {UsageError} if the profile answers an unknown question, or with something that is not a choice.
 */
export function answerQuestions({ document, questions }: Contract, answers: Profile): Contract {
  completeProfile(questions, answers);
  const openQuestions = new Map([...questions].filter(([id]) => answers[id] === undefined));
  return answerAndBuild(
    applyProfile(document, questions, answers, 'rules-and-schemas'),
    openQuestions,
    completeProfile(openQuestions, {}),
    'rules',
  );
}

/**
 * Builds a mutant of a contract: the same contract with an edited closed document. Its written document and its questions stay.
 * @throws {RangeError} if an edit leads nowhere.
 * @throws {SpecError} if the edited document is not a valid contract.
 */
export function editContract(contract: Contract, edits: readonly Edit[]): Contract {
  const { document, questions, profile, name } = contract;
  return { ...buildContract(document, editDocument(contract.closed, edits), questions, profile), name };
}

function answerAndBuild(
  document: Document,
  questions: ReadonlyMap<string, Question>,
  profile: Profile,
  answeredParts: AnsweredParts,
): Contract {
  return buildContract(document, applyProfile(document, questions, profile, answeredParts), questions, profile);
}

function buildContract(document: Document, closed: Document, questions: ReadonlyMap<string, Question>, profile: Profile): Contract {
  const validators = createValidators(closed, { isTolerant: true });
  const { operations, setAside } = readOperations(closed, validators);
  const info: JsonObject = objectOrEmpty(rawOf(closed).root['info']);
  const stated = rawOf(closed).root['x-api'];
  const api: JsonObject = isAnnotation('x-api', stated) ? objectOrEmpty(stated) : {};
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
    setAside: [...document.setAside, ...setAside],
    remarks: document.remarks,
    place: document.place(rawOf(document).root),
  };
}

function requireOpenApi(document: Document): void {
  const version = rawOf(document).root['openapi'];
  if (typeof version === 'string' && /^3\.[012]\.\d+(?:-[\w.]+)?$/.test(version)) return;
  const { swagger } = rawOf(document).root;
  const place = document.place(rawOf(document).root, swagger === undefined ? 'openapi' : 'swagger');
  if (swagger !== undefined)
    throw new SpecError(
      place,
      `swagger: ${String(swagger)} is not supported; convert the file to OpenAPI 3 first, such as with npx swagger2openapi FILE`,
    );
  if (version === undefined) throw new SpecError(place, 'this is not an OpenAPI document: it has no version, such as openapi: 3.1.0');
  throw new SpecError(place, `openapi: ${String(version)} is not supported; write the contract in OpenAPI 3.0, 3.1 or 3.2`);
}

function readError(document: Document, validators: Validators, api: JsonObject): Contract['error'] {
  const shape = api['error'];
  if (!isObject(shape)) return undefined;
  const request = typeof shape['request'] === 'string' ? shape['request'] : undefined;
  // The name of the error schema is a plain string, as in OpenAPI's `discriminator`.
  const reference = copyOrigin(shape, { $ref: String(shape['schema']) }, new Map([['$ref', 'schema']]));
  const schema = typeof shape['schema'] === 'string' ? schemaFor(document, follow(document, reference) as Schema, 'response') : true;
  return { code: String(shape['code']), message: String(shape['message']), request, schema, validate: validators.compile(schema) };
}

/** Returns the conditions that the file ranks, then the others in the default order. */
function readPrecedence(api: JsonObject): readonly Condition[] {
  const statedOrder = isArray(api['precedence']) ? (api['precedence'] as readonly Condition[]) : [];
  return [...new Set([...statedOrder, ...defaultPrecedence])];
}

function readScopes(api: JsonObject): readonly KeyScope[] {
  const scopes = Object.entries(objectOrEmpty(api['scopes']));
  return scopes.map(([role, scope]) => ({ role, name: isObject(scope) && typeof scope['name'] === 'string' ? scope['name'] : role }));
}
