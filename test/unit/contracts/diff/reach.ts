/** What a part of a contract file is used for: in requests, in answers, in both, by following every reference from the operations. */

import type { HalfOfExchange } from '../../../../core/change.ts';
import type { Document } from '../../../../core/document.ts';
import { referred } from '../../../../core/document.ts';
import { isObject, type Json } from '../../../../core/json.ts';

/** The halves of an exchange that reach each object of the file. */
export type Reach = ReadonlyMap<object, ReadonlySet<HalfOfExchange>>;

/** Walks from the operations: what stands below `parameters` and `requestBody` is of requests, what stands below `responses` is of answers. */
export function reachOf(document: Document): Reach {
  const found = new Map<object, Set<HalfOfExchange>>();
  const visit = (value: Json | undefined, half: HalfOfExchange | undefined): void => {
    if (typeof value !== 'object' || value === null) return;
    const known = found.get(value) ?? new Set();
    if (half !== undefined && known.has(half)) return;
    found.set(value, half === undefined ? known : known.add(half));
    if (isObject(value)) visit(referred(document, value), half);
    for (const [key, member] of Object.entries(value)) visit(member as Json, half ?? halves[key]);
  };
  visit(document.root['paths'], undefined);
  return found;
}

const halves: Readonly<Record<string, HalfOfExchange>> = { parameters: 'request', requestBody: 'request', responses: 'response' };
