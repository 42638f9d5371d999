/** What the scopes of an array or an object say of one of its items or members. */

import { compileExpression } from '../../core/bounded-expression.ts';
import { type Claim, claimId, isVoid } from './claim.ts';
import type { ArrayFacts, MemberScope, ObjectFacts } from './facts.ts';

/** The claims about the item at an index. */
export function itemClaims(array: ArrayFacts, index: number): readonly Claim[] {
  return distinct(array.scopes.flatMap((scope) => scope.prefix[index] ?? scope.rest ?? []));
}

/** The longest prefix that a scope describes: from there on all items are alike. */
export function prefixLength(array: ArrayFacts): number {
  return Math.max(0, ...array.scopes.map((scope) => scope.prefix.length));
}

/** The claims about the member of a name. */
export function memberClaims(object: ObjectFacts, name: string): readonly Claim[] {
  const found: Claim[] = [];
  for (const scope of object.scopes) addClaims(found, scope, name);
  return distinct(found);
}

/** Whether a scope speaks of a name, so that for it the name is evaluated. */
export function speaksOf(scope: MemberScope, name: string): boolean {
  return scope.named.has(name) || scope.patterned.some(({ pattern }) => matches(pattern, name)) || scope.rest !== undefined;
}

/** Whether a name matches a pattern, anywhere in it, as `patternProperties` does. */
export function matches(pattern: string, name: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    expression = compileExpression(pattern);
    expressions.set(pattern, expression);
  }
  return expression.test(name);
}

/** Claims without those that say nothing and without repetitions. */
export function distinct(claims: readonly Claim[]): readonly Claim[] {
  if (claims.length === 0 || (claims.length === 1 && claims[0] !== undefined && !isVoid(claims[0]))) return claims;
  const found = new Map<number, Claim>();
  for (const claim of claims) if (!isVoid(claim)) found.set(claimId(claim), claim);
  return [...found.values()];
}

function addClaims(found: Claim[], scope: MemberScope, name: string): void {
  const named = scope.named.get(name);
  if (named !== undefined) found.push(...named);
  let isSpoken = named !== undefined;
  for (const { pattern, claims } of scope.patterned) {
    if (!matches(pattern, name)) continue;
    isSpoken = true;
    found.push(...claims);
  }
  if (isSpoken || scope.rest === undefined || scope.over.some((other) => speaksOf(other, name))) return;
  found.push(...scope.rest);
}

const expressions = new Map<string, RegExp>();
