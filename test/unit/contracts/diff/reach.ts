/** Use of each part of a contract file in requests, responses or both, following every reference from the operations. */

import { isObject, type Json } from '../../../../core/json.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { followOnce, rawOf } from '../../../../core/openapi/raw-document.ts';
import type { HalfOfExchange } from '../../../../core/results/diff-result.ts';

/** Directions in which each object of the file is used. */
export type Reach = ReadonlyMap<object, ReadonlySet<HalfOfExchange>>;

/** Walks from the operations: `parameters` and `requestBody` belong to requests, `responses` to responses. */
export function reachOf(document: Document): Reach {
  const found = new Map<object, Set<HalfOfExchange>>();
  const visit = (value: Json | undefined, half: HalfOfExchange | undefined): void => {
    if (typeof value !== 'object' || value === null) return;
    const known = found.get(value) ?? new Set();
    if (half !== undefined && known.has(half)) return;
    found.set(value, half === undefined ? known : known.add(half));
    if (isObject(value)) visit(followOnce(document, value), half);
    for (const [key, member] of Object.entries(value)) visit(member as Json, half ?? halves[key]);
  };
  visit(rawOf(document).root['paths'], undefined);
  return found;
}

const halves: Readonly<Record<string, HalfOfExchange>> = { parameters: 'request', requestBody: 'request', responses: 'response' };
