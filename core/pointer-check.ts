/** Checks that what the extensions of a contract name exists: every pointer leads to a place that a schema describes, every name is a parameter's. */

import type { Document } from './document.ts';
import { nearest, type Place, SpecError } from './errors.ts';
import type { Json } from './json.ts';
import { isObject } from './json.ts';
import type { Operation } from './operation.ts';
import { valueAt } from './pointer.ts';
import type { Question } from './profile.ts';
import { schemaOfSuccess } from './read-operation.ts';
import type { Collection, ErrorShape, Filter, Page } from './rules.ts';
import { type Schema, schemasAt } from './schema.ts';

/** What is checked of a contract. */
export interface CheckedContract {
  readonly document: Document;
  readonly closed: Document;
  readonly questions: ReadonlyMap<string, Question>;
  readonly operations: readonly Operation[];
  readonly scopes: readonly { readonly role: string }[];
  readonly error: (ErrorShape & { readonly schema: Schema }) | undefined;
  readonly place: Place;
}

/**
 * Checks the extensions of every operation, and those of the whole API.
 * @throws {SpecError} for a pointer that leads nowhere or a name that is no parameter.
 */
export function checkPointers(contract: CheckedContract): void {
  for (const operation of contract.operations) {
    const checker = new Checker(contract, operation);
    if (operation.collection !== undefined) checkCollection(checker, operation.collection);
    if (operation.resource !== undefined) checkResource(checker, contract, operation);
    for (const rule of operation.rules) for (const parameter of rule.parameters) checker.parameter('x-parameter-rules', parameter);
    checkScopes(contract, operation);
  }
  checkError(contract);
}

function checkCollection(checker: Checker, collection: Collection): void {
  checker.body('x-collection', 'items', collection.items);
  const fields = [collection.key, collection.version, collection.visible?.field, ...collection.order.map((key) => key.by)];
  for (const field of [...fields, ...[...collection.filters.values()].flatMap(fieldsOf)]) {
    if (field !== undefined) checker.field(collection, field);
  }
  for (const parameter of [...collection.filters.keys(), ...pageParameters(collection.page)]) checker.parameter('x-collection', parameter);
  for (const pointer of pagePointers(collection.page)) checker.body('x-collection', 'page', pointer);
}

function fieldsOf(filter: Filter): readonly string[] {
  return filter.operator === 'matches' ? filter.fields : [filter.field];
}

function pageParameters(page: Page): readonly string[] {
  if (page.style === 'cursor') return [page.limit, page.cursor, ...page.fixed];
  return page.style === 'page' ? [page.limit, page.page] : [page.limit, page.offset];
}

function pagePointers(page: Page): readonly string[] {
  if (page.style === 'cursor') return [page.next, page.more];
  if (page.style === 'offset') return [page.total, page.more].filter((pointer) => pointer !== undefined);
  return [page.total, page.echo?.limit, page.echo?.page].filter((pointer) => pointer !== undefined);
}

function checkResource(checker: Checker, contract: CheckedContract, operation: Operation): void {
  const candidates = candidatesAt(contract, operation);
  for (const at of candidates) checker.body('x-resource', 'at', at);
  for (const [parameter, field] of operation.resource?.by ?? []) {
    checker.parameter('x-resource', parameter);
    for (const at of candidates) checker.body('x-resource', `by of ${parameter}`, `${at}${field}`, field);
  }
}

/** Where an open question stands for the place of a resource, each of its choices must be a place. */
function candidatesAt(contract: CheckedContract, operation: Operation): readonly string[] {
  const open = valueAt(contract.document.root, `${operation.pointer}/x-resource/at`);
  const question = isObject(open) ? contract.questions.get(String(open['unspecified'])) : undefined;
  return question === undefined ? [operation.resource?.at ?? ''] : [...question.choices.values()].map(String);
}

/** A scope that no one describes is most likely misspelt, and would lock every key out. */
function checkScopes(contract: CheckedContract, operation: Operation): void {
  if (contract.scopes.length === 0) return;
  const known = contract.scopes.map((scope) => scope.role);
  for (const scope of operation.security.flat().flatMap((credential) => credential.scopes)) {
    if (known.includes(scope)) continue;
    const meant = nearest(scope, known);
    throw new SpecError(
      operation.place,
      `the scope ${scope} is not described under x-api/scopes${meant === undefined ? '' : `; is ${meant} meant?`}`,
    );
  }
}

function checkError(contract: CheckedContract): void {
  const { error } = contract;
  if (error === undefined) return;
  for (const pointer of [error.code, error.message, error.request].filter((each) => each !== undefined)) {
    if (schemasAt(contract.closed, error.schema, pointer).length === 0) {
      throw new SpecError(
        wordPlace(contract.document.root, 'x-api', contract),
        `x-api/error: ${pointer} leads nowhere in the schema of errors; name a place that it describes`,
      );
    }
  }
}

class Checker {
  private readonly contract: CheckedContract;
  private readonly operation: Operation;
  private readonly success: Schema | undefined;

  constructor(contract: CheckedContract, operation: Operation) {
    this.contract = contract;
    this.operation = operation;
    this.success = schemaOfSuccess(operation.responses);
  }

  /** The pointer must lead to something that the schema of the success describes. */
  body(word: string, key: string, pointer: string, shown: string = pointer): void {
    if (this.success !== undefined && schemasAt(this.contract.closed, this.success, pointer).length > 0) return;
    throw new SpecError(
      this.place(word),
      `${word}: ${key} ${shown === '' ? "''" : shown} leads nowhere in the success of ${this.operation.id}; name a place that its schema describes`,
    );
  }

  /** A record's field is described by the list, or else by the single read of the same thing: a search may look where lists do not show. */
  field(collection: Collection, field: string): void {
    const details = this.contract.operations.filter(({ resource }) => resource?.name === collection.name && resource.by.size > 0);
    const isDetail = details.some(({ responses, resource }) => {
      const schema = schemaOfSuccess(responses);
      return schema !== undefined && schemasAt(this.contract.closed, schema, `${resource?.at ?? ''}${field}`).length > 0;
    });
    if (!isDetail) this.body('x-collection', 'a field', `${collection.items}/0${field}`, field);
  }

  parameter(word: string, name: string): void {
    const known = this.operation.parameters.map((parameter) => parameter.name);
    if (known.includes(name)) return;
    const meant = nearest(name, known);
    throw new SpecError(
      this.place(word),
      `${word} names ${name}, which is no parameter of ${this.operation.id}${meant === undefined ? '; declare it or correct its name' : `; is ${meant} meant?`}`,
    );
  }

  private place(word: string): Place {
    return wordPlace(valueAt(this.contract.document.root, this.operation.pointer), word, this.contract);
  }
}

function wordPlace(holder: Json | undefined, word: string, contract: CheckedContract): Place {
  return isObject(holder) ? contract.document.place(holder, word) : contract.place;
}
