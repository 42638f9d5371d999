/** Cursor of the last page: an open question of many APIs, answered by the closed schema alone. */

import type { CursorPage } from '../../core/annotations/annotations.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { certainSchemas, type Schema, schemasAt } from '../../core/openapi/schema.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';

/** Value of the cursor on the last page. */
export type LastCursor = 'null' | 'absent' | 'given';

/** Long enough for any schema that only wants a text that could be a cursor. */
const anyCursor = 'x'.repeat(64);

/** The first of null, a cursor and nothing that the closed contract accepts beside `more: false`. */
export function chooseLastCursor(contract: Contract, schema: Schema, page: CursorPage): LastCursor {
  const keys = fromPointer(page.next);
  const holder = toPointer(keys.slice(0, -1));
  const name = keys.at(-1) ?? '';
  const { closed, validators } = contract;
  const rules = schemasAt(closed, schema, holder).filter(
    (part) => isObject(part) && certainSchemas(closed, part).some((each) => isObject(each) && isObject(each['properties'])),
  );
  const judges = rules.filter((rule) => !isBranch(rules, rule)).map((rule) => validators.compile(rule));
  const more = fromPointer(page.more).at(-1) ?? '';
  const candidates: readonly (readonly [LastCursor, JsonObject])[] = [
    ['null', { [more]: false, [name]: null }],
    ['given', { [more]: false, [name]: anyCursor }],
    ['absent', { [more]: false }],
  ];
  const mistakes = candidates.map(([choice, value]) => ({ choice, count: judges.flatMap((judge) => judge(value)).length }));
  return mistakes.toSorted((left, right) => left.count - right.count)[0]?.choice ?? 'null';
}

/** True for a schema that is only the `if`, `then` or `else` of another one in the list. */
function isBranch(rules: readonly Schema[], rule: Schema): boolean {
  return rules.some((other) => isObject(other) && (other['if'] === rule || other['then'] === rule || other['else'] === rule));
}
