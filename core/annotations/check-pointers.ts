/**
 * Checks that names and pointers in annotations exist: a schema describes each pointer, and each name is a parameter or a scope. `loadContract` calls it
 * after the operations were read.
 */

import { didYouMean, type SourceLocation, SpecError } from '../errors.ts';
import { isObject } from '../json.ts';
import { type Document, follow, placeBelow } from '../openapi/document.ts';
import type { Operation } from '../openapi/operation.ts';
import { schemaOfSuccess } from '../openapi/read-operations.ts';
import { type Schema, schemasAt } from '../openapi/schema.ts';
import type { ErrorShape, Page } from './annotations.ts';
import type { Question } from './profile.ts';

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

/**
 * Checks the annotations of every operation, and `x-api`.
 * @throws {SpecError} at the line of a pointer that leads nowhere, or of a name that does not exist.
 */
export function checkPointers(contract: CheckedContract): void {
  for (const operation of contract.operations) {
    const checker = new OperationChecker(contract, operation);
    checker.collection();
    checker.resource();
    checker.rules();
    checkScopes(contract, operation);
  }
  checkError(contract);
}

/** Checks scopes: an undescribed scope is probably misspelt, and then no key has it. */
function checkScopes(contract: CheckedContract, { value, security }: Operation): void {
  if (contract.scopes.length === 0) return;
  const known = contract.scopes.map((scope) => scope.role);
  const holder = value['security'] === undefined ? contract.closed.root : value;
  for (const [index, alternative] of security.entries()) {
    for (const { scheme, scopes } of alternative) {
      const at = scopes.findIndex((scope) => !known.includes(scope));
      if (at < 0) continue;
      const place = placeBelow(contract.closed, holder, ['security', index, scheme, at]);
      throw new SpecError(
        place,
        `the scope ${scopes[at]} is not described under x-api/scopes; ${didYouMean(scopes[at] ?? '', known, 'describe it there')}`,
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

/** Checks the annotations of one operation. */
class OperationChecker {
  private readonly contract: CheckedContract;
  private readonly operation: Operation;
  private readonly success: Schema | undefined;

  constructor(contract: CheckedContract, operation: Operation) {
    this.contract = contract;
    this.operation = operation;
    this.success = schemaOfSuccess(operation.responses);
  }

  collection(): void {
    const rules = this.operation.collection;
    if (rules === undefined) return;
    const keyword = 'x-collection';
    this.body([keyword, 'items'], rules.items);
    if (rules.head !== undefined) this.body([keyword, 'head'], rules.head);
    this.field([keyword, 'key'], rules.key);
    if (rules.version !== undefined) this.field([keyword, 'version'], rules.version);
    if (rules.visible !== undefined) this.field([keyword, 'visible', 'field'], rules.visible.field);
    for (const [index, key] of rules.order.entries()) this.field([keyword, 'order', index, 'by'], key.by);
    for (const [parameter, filter] of rules.filters) {
      this.parameter([keyword, 'filters', parameter], parameter);
      if (filter.operator !== 'matches') this.field([keyword, 'filters', parameter, filter.operator], filter.field);
      else
        for (const [index, field] of filter.fields.entries())
          this.field([keyword, 'filters', parameter, 'matches', 'fields', index], field);
    }
    this.page([keyword, 'page']);
  }

  resource(): void {
    const { resource } = this.operation;
    if (resource === undefined) return;
    const candidates = this.candidates(resource.at);
    for (const at of candidates) this.body(['x-resource', 'at'], at);
    for (const [parameter, field] of resource.by) {
      this.parameter(['x-resource', 'by', parameter], parameter);
      for (const at of candidates) this.body(['x-resource', 'by', parameter], `${at}${field}`, field);
    }
  }

  rules(): void {
    for (const [index, { rule, parameters }] of this.operation.rules.entries()) {
      for (const [at, parameter] of parameters.entries()) this.parameter(['x-parameter-rules', index, rule, at], parameter);
    }
  }

  private page(keys: Keys): void {
    const page = this.operation.collection?.page;
    if (page === undefined) return;
    for (const [key, name] of Object.entries(parametersOf(page))) this.parameter([...keys, key], name);
    for (const [index, name] of (page.style === 'cursor' ? page.fixed : []).entries()) this.parameter([...keys, 'fixed', index], name);
    for (const [key, pointer] of Object.entries(pointersOf(page))) if (pointer !== undefined) this.body([...keys, key], pointer);
    const echo = page.style === 'page' ? page.echo : undefined;
    for (const [key, pointer] of Object.entries(echo ?? {})) this.body([...keys, 'echo', key], pointer);
  }

  /** Lists the possible pointers of a resource: its pointer, or the choices of the open question in its place. */
  private candidates(at: string): readonly string[] {
    const paths = this.contract.document.root['paths'];
    const item = follow(this.contract.document, isObject(paths) ? paths[this.operation.path] : undefined);
    const written = isObject(item) ? item[this.operation.method.toLowerCase()] : undefined;
    const resource = isObject(written) ? written['x-resource'] : undefined;
    const pointer = isObject(resource) ? resource['at'] : undefined;
    const question = isObject(pointer) ? this.contract.questions.get(String(pointer['unspecified'])) : undefined;
    return question === undefined ? [at] : [...question.choices.values()].map(String);
  }

  /** Requires that the schema of a successful response describes a pointer. The message shows it as `shown`. */
  private body(keys: Keys, pointer: string, shown: string = pointer): void {
    if (this.describes(this.operation, pointer)) return;
    const problem = `leads nowhere in the successful response of ${this.operation.id}; name a place that its schema describes`;
    throw new SpecError(this.place(keys), `${keys[0]}: ${shown === '' ? "''" : shown} ${problem}`);
  }

  /** Requires a record field, in the list or in the single read of the same collection: a search may use fields that lists do not show. */
  private field(keys: Keys, field: string): void {
    const { collection } = this.operation;
    const details = this.contract.operations.filter(({ resource }) => resource?.name === collection?.name && (resource?.by.size ?? 0) > 0);
    if (details.some((detail) => this.describes(detail, `${detail.resource?.at ?? ''}${field}`))) return;
    this.body(keys, `${collection?.items ?? ''}/0${field}`, field);
  }

  private describes(operation: Operation, pointer: string): boolean {
    const schema = operation === this.operation ? this.success : schemaOfSuccess(operation.responses);
    return schema !== undefined && schemasAt(this.contract.closed, schema, pointer).length > 0;
  }

  private parameter(keys: Keys, name: string): void {
    const known = this.operation.parameters.map((parameter) => parameter.name);
    if (known.includes(name)) return;
    const message = `${keys[0]} names ${name}, which is not a parameter of ${this.operation.id}`;
    throw new SpecError(this.place(keys), `${message}; ${didYouMean(name, known, 'declare it or correct its name')}`);
  }

  private place(keys: Keys): SourceLocation {
    return placeBelow(this.contract.closed, this.operation.value, keys);
  }
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
