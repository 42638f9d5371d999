/** Evaluators over a few plain records, for tests whose right answer is plain to see. */

import type { Json, JsonObject } from '../../core/json.ts';
import { createQuery, type KindOf, type Query } from '../../core/query.ts';
import type { Filter, OrderKey, Visibility } from '../../core/rules.ts';

/** The rules of a collection that matter to a test. */
export interface SmallRules {
  readonly order?: readonly OrderKey[];
  readonly filters?: Readonly<Record<string, Filter>>;
  readonly visible?: Visibility;
}

const kinds: Readonly<Record<string, 'instant' | 'number'>> = { '/at': 'instant', '/id': 'number', '/size': 'number' };
const kindOf: KindOf = (pointer) => kinds[pointer] ?? 'text';

/** The evaluator of records with the key `/id`; `/at` is an instant, `/id` and `/size` are numbers, and all else is text. */
export function queryOf({ order = [], filters = {}, visible }: SmallRules): Query {
  const rules = { key: '/id', order, filters: new Map(Object.entries(filters)), ...(visible === undefined ? {} : { visible }) };
  return createQuery(rules, kindOf);
}

/** The ids of records, in their order. */
export function idsOf(records: readonly JsonObject[]): readonly Json[] {
  return records.map((record) => record['id'] ?? null);
}

/** Records numbered from 1, with one field; where its value is undefined, the field is missing. */
export function recordsOf(field: string, values: readonly (Json | undefined)[]): readonly JsonObject[] {
  return values.map((value, index) => (value === undefined ? { id: index + 1 } : { id: index + 1, [field]: value }));
}
