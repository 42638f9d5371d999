/** How records and resources are shown: the body of an answer around them, by which they can be judged as a client would judge it. */

import type { Contract } from '../../core/contract.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { fromPointer, withValueAt } from '../../core/pointer.ts';
import { schemaOfSuccess } from '../../core/read-operation.ts';
import { certainSchemas, flatten, type Schema, schemasAt } from '../../core/schema.ts';
import type { Violation } from '../../core/violation.ts';
import { chooseLastCursor } from '../last-cursor.ts';
import { constantsOf, createFit } from '../shape.ts';

/** A place of an answer at which a value is shown. */
export interface Showing {
  readonly operation: Operation;
  /** The schemas that hold for a value at the place, or may; the one that says most of it comes first. */
  readonly schemasFor: (value: JsonObject) => readonly Schema[];
  /** What is wrong with a value once it is shown, with paths that begin at the value. */
  readonly judge: (value: JsonObject) => readonly Violation[];
}

/** Where a record of a collection is shown: alone, and then in the list. */
export function showingsOfRecord(contract: Contract, name: string): readonly Showing[] {
  const { operations } = contract;
  const alone = operations.filter(({ resource }) => resource?.name === name && resource.by.size > 0);
  const lists = operations.filter(({ collection }) => collection?.name === name);
  return [
    ...alone.map((operation) => createShowing(contract, operation, operation.resource?.at ?? '', (value) => value)),
    ...lists.map((operation) => {
      const items = operation.collection?.items ?? '';
      return createShowing(contract, operation, `${items}/0`, (value) => [value], items);
    }),
  ];
}

/** Where a view of something that exists once is shown. */
export function showingsOfResource(contract: Contract, name: string, view: string | undefined): readonly Showing[] {
  const shown = contract.operations.filter(({ resource }) => resource?.name === name && resource.by.size === 0 && resource.view === view);
  return shown.map((operation) => createShowing(contract, operation, operation.resource?.at ?? '', (value) => value));
}

/** Where the head of a list is shown; none of its lists may have a place for one. */
export function showingsOfHead(contract: Contract, name: string): readonly Showing[] {
  return contract.operations.flatMap((operation) => {
    const { collection } = operation;
    if (collection?.name !== name || collection.head === undefined) return [];
    const schema = schemaOfSuccess(operation.responses) ?? true;
    const envelope = emptyList(contract, operation, schema);
    const validate = contract.validators.compile(schema);
    const head = collection.head;
    return [
      {
        operation,
        schemasFor: () => [],
        judge: (value) => below(validate(withValueAt(envelope, head, value)), head),
      },
    ];
  });
}

function createShowing(contract: Contract, operation: Operation, at: string, wrap: (value: Json) => Json, put = at): Showing {
  const { closed, validators } = contract;
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const holding = schemasAt(closed, schema, at);
  const toShape = createFit(closed, holding);
  const envelope = operation.collection === undefined ? (constantsOf(closed, schema) ?? {}) : emptyList(contract, operation, schema);
  const outermost = holding.filter((each) => !holding.some((other) => other !== each && certainSchemas(closed, other).includes(each)));
  const known = outermost.map((each) => ({ schema: each, members: Object.keys(flatten(closed, each)['properties'] ?? {}) }));
  const schemasFor = (value: JsonObject): readonly Schema[] => {
    const spoken = ({ members }: { readonly members: readonly string[] }): number =>
      members.filter((member) => Object.hasOwn(value, member)).length;
    return known.toSorted((left, right) => spoken(right) - spoken(left)).map((each) => each.schema);
  };
  const whole = validators.compile(schema);
  const judge = (value: JsonObject): readonly Violation[] => {
    const shown = toShape(value);
    const found = whole(withValueAt(envelope, put, wrap(shown)));
    if (found.length === 0) return [];
    // A body that may hold the value at several places is wrong in as many ways; the schema that speaks most of it tells what is meant.
    for (const each of schemasFor(value)) {
      const violations = validators.compile(each)(shown);
      if (violations.length > 0) return violations;
    }
    return below(found, at);
  };
  return { operation, schemasFor, judge };
}

/** The body of a list without items. */
function emptyList(contract: Contract, operation: Operation, schema: Schema): Json {
  const { collection } = operation;
  const envelope = constantsOf(contract.closed, schema) ?? {};
  if (collection === undefined) return envelope;
  const { page, items } = collection;
  const members: readonly (readonly [string | undefined, Json | undefined])[] =
    page.style === 'cursor'
      ? [
          [page.more, false],
          [page.next, { null: null, absent: undefined, given: 'x' }[chooseLastCursor(contract, schema, page)]],
        ]
      : page.style === 'page'
        ? [
            [page.echo?.limit, 1],
            [page.echo?.page, 1],
            [page.total, 0],
          ]
        : [
            [page.total, 0],
            [page.more, false],
          ];
  return [[items, []] as const, ...members].reduce<Json>(
    (body, [pointer, value]) => (pointer === undefined || value === undefined ? body : withValueAt(body, pointer, value)),
    envelope,
  );
}

/** The violations at a place and below it, with paths from there on. */
function below(violations: readonly Violation[], at: string): readonly Violation[] {
  const depth = fromPointer(at).length;
  return violations
    .filter(({ path }) => path === at || path.startsWith(`${at}/`))
    .map((violation) => ({ ...violation, path: depth === 0 ? violation.path : violation.path.slice(at.length) }));
}
