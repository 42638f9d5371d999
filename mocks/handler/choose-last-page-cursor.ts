/**
 * Chooses, once for each list operation, what the last page has in place of a next cursor: null, a cursor, or nothing. Many API documents leave this open, so
 * the schema of the response decides.
 */

import type { CursorPage } from '../../core/annotations/annotations.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { certainSchemas, type Schema, schemasAt } from '../../core/openapi/schema-facts.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';

/** The cursor member on the last page: null, missing, or a cursor. */
export type LastPageCursor = 'null' | 'absent' | 'cursor';

/** A text in place of a cursor, long enough for the minimum length of any usual schema. */
const anyCursor = 'x'.repeat(64);

/** The first choice that the schema allows beside `more: false`: null, a cursor, or none. Without an allowed one, the choice with the fewest violations. */
export function chooseLastPageCursor(contract: Contract, schema: Schema, page: CursorPage): LastPageCursor {
  const keys = fromPointer(page.next);
  const holder = toPointer(keys.slice(0, -1));
  const name = keys.at(-1) ?? '';
  const { closed, validators } = contract;
  const schemas = schemasAt(closed, schema, holder).filter(
    (part) => isObject(part) && certainSchemas(closed, part).some((each) => isObject(each) && isObject(each['properties'])),
  );
  const compiled = schemas.filter((part) => !isBranch(schemas, part)).map((part) => validators.compile(part));
  const more = fromPointer(page.more).at(-1) ?? '';
  const candidates: readonly (readonly [LastPageCursor, JsonObject])[] = [
    ['null', { [more]: false, [name]: null }],
    ['cursor', { [more]: false, [name]: anyCursor }],
    ['absent', { [more]: false }],
  ];
  const violations = candidates.map(([choice, value]) => ({ choice, count: compiled.flatMap((validate) => validate(value)).length }));
  return violations.toSorted((left, right) => left.count - right.count)[0]?.choice ?? 'null';
}

/** True for a schema that is the `if`, `then` or `else` of another one in the list. */
function isBranch(schemas: readonly Schema[], schema: Schema): boolean {
  return schemas.some((other) => isObject(other) && (other['if'] === schema || other['then'] === schema || other['else'] === schema));
}
