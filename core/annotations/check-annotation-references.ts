/**
 * Checks that names and pointers in annotations exist: a schema describes each pointer, and each name is a parameter or a scope. `contract.ts` calls it once
 * for each contract that it checks. A complete check calls it again for each answer that it tries; unchecked loading, as of the package's contracts, never
 * does. Form and spelling are the task of `check-annotation-syntax.ts`.
 */

import { didYouMean } from '../did-you-mean.ts';
import { type SourceLocation, SpecError } from '../errors.ts';
import { type Schema, schemasAt } from '../openapi/applicable-schemas-and-types.ts';
import { type Document, placeBelow } from '../openapi/document.ts';
import type { Operation } from '../openapi/operation.ts';
import { schemaOfSuccess } from '../openapi/operation.ts';
import type { ErrorShape, Page } from './annotations.ts';
import type { Question } from './open-questions.ts';
import { recordPlacesOf } from './record-place-in-single-read.ts';

/** The parts of a contract that the check needs. */
interface CheckedContract {
  readonly document: Document;
  readonly closed: Document;
  readonly questions: ReadonlyMap<string, Question>;
  readonly operations: readonly Operation[];
  readonly scopes: readonly { readonly role: string }[];
  readonly error: (ErrorShape & { readonly schema: Schema }) | undefined;
}

/** Keys from an operation to a value of an annotation. */
type Keys = readonly (string | number)[];

/** A name or pointer in an annotation: the name of a parameter, or a pointer into a record or into the successful response. */
interface AnnotationReference {
  readonly kind: 'parameter' | 'field' | 'body';
  readonly keys: Keys;
  /** `undefined` if the annotation does not have it. */
  readonly value: string | undefined;
  /** The pointer into the response, if `value` is only its end. */
  readonly responsePointer?: string;
}

/**
 * Checks the annotations of every operation, and `x-api`.
 * @throws {SpecError} at the line of a pointer that leads nowhere, or of a name that does not exist.
 */
export function checkAnnotationReferences(contract: CheckedContract): void {
  for (const operation of contract.operations) {
    const references = [
      ...referencesOfCollection(operation),
      ...referencesOfResource(contract, operation),
      ...referencesOfRules(operation),
    ];
    for (const reference of references) checkReference(contract, operation, reference);
    checkScopes(contract, operation);
  }
  checkError(contract);
}

/** Checks scopes: an undescribed scope is probably misspelt, and then no key has it. */
function checkScopes(contract: CheckedContract, { value, security }: Operation): void {
  if (contract.scopes.length === 0) return;
  const roles = contract.scopes.map((scope) => scope.role);
  const holder = value['security'] === undefined ? contract.closed.root : value;
  for (const [index, alternative] of security.entries()) {
    for (const { scheme, scopes } of alternative) {
      const unknownIndex = scopes.findIndex((scope) => !roles.includes(scope));
      if (unknownIndex < 0) continue;
      const place = placeBelow(contract.closed, holder, ['security', index, scheme, unknownIndex]);
      throw new SpecError(
        place,
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
    const place = placeBelow(closed, closed.root, ['x-api', 'error', key]);
    throw new SpecError(place, `x-api: ${pointer} leads nowhere in the schema of errors; name a place that it describes`);
  }
}

function referencesOfCollection({ collection }: Operation): readonly AnnotationReference[] {
  if (collection === undefined) return [];
  const reference = (kind: AnnotationReference['kind'], value: string | undefined, ...keys: Keys): AnnotationReference => ({
    kind,
    value,
    keys: ['x-collection', ...keys],
  });
  const { items, head, key, version, visible, order, filters, page } = collection;
  return [
    reference('body', items, 'items'),
    reference('body', head, 'head'),
    reference('field', key, 'key'),
    reference('field', version, 'version'),
    reference('field', visible?.field, 'visible', 'field'),
    ...order.map(({ by }, index) => reference('field', by, 'order', index, 'by')),
    ...[...filters].flatMap(([parameter, filter]) => [
      reference('parameter', parameter, 'filters', parameter),
      ...(filter.operator === 'matches'
        ? filter.fields.map((field, index) => reference('field', field, 'filters', parameter, 'matches', 'fields', index))
        : [reference('field', filter.field, 'filters', parameter, filter.operator)]),
    ]),
    ...Object.entries(parametersOf(page)).map(([keyword, name]) => reference('parameter', name, 'page', keyword)),
    ...(page.style === 'cursor' ? page.fixed : []).map((name, index) => reference('parameter', name, 'page', 'fixed', index)),
    ...Object.entries(pointersOf(page)).map(([keyword, pointer]) => reference('body', pointer, 'page', keyword)),
    ...Object.entries((page.style === 'page' ? page.echo : undefined) ?? {}).map(([keyword, pointer]) =>
      reference('body', pointer, 'page', 'echo', keyword),
    ),
  ];
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

function referencesOfRules({ rules }: Operation): readonly AnnotationReference[] {
  return rules.flatMap(({ rule, parameters }, index) =>
    parameters.map(
      (value, position): AnnotationReference => ({ kind: 'parameter', keys: ['x-parameter-rules', index, rule, position], value }),
    ),
  );
}

function checkReference(
  contract: CheckedContract,
  operation: Operation,
  { kind, keys, value, responsePointer = value }: AnnotationReference,
): void {
  if (value === undefined || responsePointer === undefined) return;
  const place = (): SourceLocation => placeBelow(contract.closed, operation.value, keys);
  if (kind === 'parameter') {
    const names = operation.parameters.map((parameter) => parameter.name);
    if (names.includes(value)) return;
    const advice = didYouMean(value, names, 'declare it or correct its name');
    throw new SpecError(place(), `${keys[0]} names ${value}, which is not a parameter of ${operation.id}; ${advice}`);
  }
  if (kind === 'field' ? isFieldDescribed(contract, operation, value) : isDescribedInResponse(contract, operation, responsePointer)) return;
  const problem = `leads nowhere in the successful response of ${operation.id}; name a place that its schema describes`;
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

/** Returns the parameters in the annotation of a page, by keyword. */
function parametersOf(page: Page): Readonly<Record<string, string>> {
  if (page.style === 'cursor') return { limit: page.limit, cursor: page.cursor };
  return page.style === 'page' ? { limit: page.limit, page: page.page } : { limit: page.limit, offset: page.offset };
}

/** Returns the pointers in the annotation of a page, by keyword. */
function pointersOf(page: Page): Readonly<Record<string, string | undefined>> {
  if (page.style === 'cursor') return { next: page.next, more: page.more };
  return page.style === 'page' ? { total: page.total } : { total: page.total, more: page.more };
}
