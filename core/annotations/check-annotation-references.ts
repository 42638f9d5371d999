/**
 * Checks, while a contract is loaded, that the names and pointers in its annotations lead somewhere: to a parameter, to a scope, or to a place that a schema
 * describes.
 */

import { didYouMean } from '../did-you-mean.ts';
import { type SourceLocation, SpecError } from '../errors.ts';
import { type Json, objectOrEmpty } from '../json.ts';
import { placeInOperation, placeOfClause, securityPlace } from '../openapi/clauses.ts';
import type { Document } from '../openapi/document.ts';
import { messageOf, refuseTogether } from '../openapi/mending/set-aside.ts';
import type { Operation } from '../openapi/operation.ts';
import { schemaOfSuccess } from '../openapi/operation.ts';
import { valueBehind } from '../openapi/raw-document.ts';
import { type Schema, schemasAt } from '../openapi/schema-facts.ts';
import type { ErrorShape } from './annotations.ts';
import type { Question } from './open-questions.ts';
import { recordPlacesOf } from './record-place.ts';

/** The parts of a contract that the check needs. */
interface CheckedContract {
  readonly document: Document;
  readonly closed: Document;
  readonly questions: ReadonlyMap<string, Question>;
  readonly operations: readonly Operation[];
  readonly scopes: readonly { readonly role: string }[];
  readonly error: (ErrorShape & { readonly schema: Schema }) | undefined;
}

/** A name or pointer in an annotation: the name of a parameter, or a pointer into a record or into the successful response. */
interface AnnotationReference {
  readonly kind: 'parameter' | 'field' | 'body';
  /** Keys from the operation to the text. */
  readonly keys: readonly string[];
  readonly value: string;
  /** The pointer into the response, if `value` is only its end. */
  readonly responsePointer?: string;
}

/**
 * Checks the annotations of every operation, and `x-api`.
 * @throws {SpecError} for pointers that lead nowhere and names that do not exist: up to ten, each with its line.
 */
export function checkAnnotationReferences(contract: CheckedContract): void {
  const mistakes: { place: SourceLocation; message: string }[] = [];
  const attempt = (check: () => void): void => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      mistakes.push({ place: error.place, message: messageOf(error) });
    }
  };
  for (const operation of contract.operations) {
    const filters = [...(operation.collection?.filters.keys() ?? [])];
    const references = [
      ...filters.map((name): AnnotationReference => ({ kind: 'parameter', keys: ['x-collection', 'filters', name], value: name })),
      ...listReferences(objectOrEmpty(valueBehind(operation.document, operation.pointer)), referenceKinds),
      ...referencesOfResource(contract, operation),
    ];
    for (const reference of references) attempt(() => checkReference(contract, operation, reference));
    attempt(() => checkScopes(contract, operation));
    attempt(() => checkStatuses(operation));
  }
  attempt(() => checkError(contract));
  refuseTogether(mistakes);
}

/** Refuses two statuses for invalid requests. Without annotations, their status does not matter. */
function checkStatuses(operation: Operation): void {
  const { collection, resource, rules, responses } = operation;
  const isAnnotated = collection !== undefined || resource !== undefined || rules.length > 0;
  if (!isAnnotated || !responses.has('422') || !responses.has('400')) return;
  throw new SpecError(
    placeInOperation(operation, 'responses', '422'),
    'both 400 and 422 are documented, so the status of an invalid request is unclear; keep one of them',
  );
}

/** Checks scopes: an undescribed scope is probably misspelt, and then no key has it. */
function checkScopes(contract: CheckedContract, operation: Operation): void {
  if (contract.scopes.length === 0) return;
  const roles = contract.scopes.map((scope) => scope.role);
  for (const [index, alternative] of operation.security.entries()) {
    for (const { scheme, scopes } of alternative) {
      const unknownIndex = scopes.findIndex((scope) => !roles.includes(scope));
      if (unknownIndex < 0) continue;
      throw new SpecError(
        securityPlace(operation, index, scheme, unknownIndex),
        `the scope ${scopes[unknownIndex]} is not described under x-api/scopes; ${didYouMean(scopes[unknownIndex] ?? '', roles, 'describe it there')}`,
      );
    }
  }
}

function checkError({ closed, error }: CheckedContract): void {
  if (error === undefined) return;
  for (const key of ['code', 'message', 'request'] as const) {
    const pointer = error[key];
    if (pointer === undefined || schemasAt(closed, error.schema, pointer).length > 0) continue;
    const place = placeOfClause(closed, `/x-api/error/${key}`);
    throw new SpecError(place, `x-api: ${pointer} does not exist in the schema of errors; name a place that the schema describes`);
  }
}

/** The kind of each text in an annotation, by the keywords that lead to it; `*` stands for any key. */
type ReferenceKinds = AnnotationReference['kind'] | { readonly [keyword: string]: ReferenceKinds };

const referenceKinds: ReferenceKinds = {
  'x-collection': {
    items: 'body',
    head: 'body',
    key: 'field',
    version: 'field',
    visible: { field: 'field' },
    order: { '*': { by: 'field' } },
    filters: {
      '*': {
        equals: 'field',
        'any-of': 'field',
        from: 'field',
        to: 'field',
        after: 'field',
        before: 'field',
        matches: { fields: { '*': 'field' } },
      },
    },
    page: {
      limit: 'parameter',
      cursor: 'parameter',
      page: 'parameter',
      offset: 'parameter',
      fixed: { '*': 'parameter' },
      next: 'body',
      more: 'body',
      total: 'body',
      echo: { '*': 'body' },
    },
  },
  'x-parameter-rules': { '*': { '*': { '*': 'parameter' } } },
};

/** Lists the texts of a value that are references. */
function listReferences(value: Json, kindsOfMembers: ReferenceKinds, keys: readonly string[] = []): readonly AnnotationReference[] {
  if (typeof kindsOfMembers === 'string') return typeof value === 'string' ? [{ kind: kindsOfMembers, keys, value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const kindsOfMember = Object.hasOwn(kindsOfMembers, key) ? kindsOfMembers[key] : kindsOfMembers['*'];
    return kindsOfMember === undefined ? [] : listReferences(member, kindsOfMember, [...keys, key]);
  });
}

function referencesOfResource(contract: CheckedContract, operation: Operation): readonly AnnotationReference[] {
  const { resource } = operation;
  if (resource === undefined) return [];
  const places = recordPlacesOf(contract, operation);
  return [
    ...places.map((place): AnnotationReference => ({ kind: 'body', keys: ['x-resource', 'at'], value: place })),
    ...[...resource.by].flatMap(([parameter, field]): readonly AnnotationReference[] => {
      const keys = ['x-resource', 'by', parameter];
      return [
        { kind: 'parameter', keys, value: parameter },
        ...places.map((place) => ({ kind: 'body', keys, value: field, responsePointer: `${place}${field}` }) as const),
      ];
    }),
  ];
}

function checkReference(
  contract: CheckedContract,
  operation: Operation,
  { kind, keys, value, responsePointer = value }: AnnotationReference,
): void {
  const place = (): SourceLocation => placeInOperation(operation, ...keys);
  if (kind === 'parameter') {
    const names = operation.parameters.map((parameter) => parameter.name);
    if (names.includes(value)) return;
    const advice = didYouMean(value, names, 'declare it or correct its name');
    throw new SpecError(place(), `${keys[0]} names ${value}, which is not a parameter of ${operation.id}; ${advice}`);
  }
  if (kind === 'field' ? isFieldDescribed(contract, operation, value) : isDescribedInResponse(contract, operation, responsePointer)) return;
  const problem = `does not exist in the successful response of ${operation.id}; name a place that its schema describes`;
  throw new SpecError(place(), `${keys[0]}: ${value === '' ? "''" : value} ${problem}`);
}

/** True for a field of the records in a list or in the single read of the same collection: a search may use fields that lists do not show. */
function isFieldDescribed(contract: CheckedContract, operation: Operation, field: string): boolean {
  const { collection } = operation;
  const details = contract.operations.filter(({ resource }) => resource?.name === collection?.name && (resource?.by.size ?? 0) > 0);
  return (
    details.some((detail) => isDescribedInResponse(contract, detail, `${detail.resource?.at ?? ''}${field}`)) ||
    isDescribedInResponse(contract, operation, `${collection?.items ?? ''}/0${field}`)
  );
}

/** True if the schema of the successful response describes a pointer. */
function isDescribedInResponse({ closed }: CheckedContract, { responses }: Operation, pointer: string): boolean {
  const schema = schemaOfSuccess(responses);
  return schema !== undefined && schemasAt(closed, schema, pointer).length > 0;
}
