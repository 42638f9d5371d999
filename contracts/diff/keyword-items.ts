/** Rules for keywords about the items of arrays. */

import { isObject, type Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { compareSingle } from './keyword-members.ts';
import { demandsOf, effectOf, show, sides, type Two } from './schema-edit.ts';
import type { View } from './schema-view.ts';

/** Compares what is said of items. */
export function compareItems(two: Two): void {
  compareElements(two);
  compareSingle(two, 'items', { kind: 'items' });
  compareSingle(two, 'unevaluatedItems', { kind: 'items' });
  compareSingle(two, 'contains', { kind: 'contains' });
  compareUnique(two);
}

function elementsIn(view: View): readonly Schema[] {
  const [stated] = view.keywords.get('prefixItems') ?? [];
  const list = Array.isArray(stated?.value) ? (stated.value as readonly Json[]) : [];
  return list.filter((item): item is Schema => typeof item === 'boolean' || isObject(item));
}

function compareElements(two: Two): void {
  const [old, next] = [elementsIn(two.old), elementsIn(two.new)];
  for (const [index, schema] of old.entries()) {
    const after = next[index];
    if (after !== undefined) two.below({ kind: 'element', index }, schema, after);
  }
  if (old.length === next.length) return;
  const isLonger = next.length > old.length;
  const demands = withRest(two);
  two.report({
    ...sides(two, 'prefixItems'),
    rule: isLonger ? 'prefix-items-added' : 'prefix-items-removed',
    // What becomes of the items beyond is up to `items`.
    effect: effectOf(!two.includes(demands.old ?? true, demands.new ?? true), !two.includes(demands.new ?? true, demands.old ?? true)),
    subject: 'prefixItems',
    text: `${Math.abs(next.length - old.length)} of the items at fixed places ${isLonger ? 'are new' : 'are gone'}`,
    demands,
  });
}

/** Items at fixed places together with what holds for those after them. */
function withRest(two: Two): ReturnType<typeof demandsOf> {
  const alone = (view: View): Schema =>
    Object.fromEntries(
      ['prefixItems', 'items'].flatMap((word) => (view.keywords.get(word) ?? []).slice(0, 1).map(({ value }) => [word, value])),
    );
  return { old: alone(two.old), new: alone(two.new) };
}

function compareUnique(two: Two): void {
  const [old, next] = [two.old, two.new].map((view) => (view.keywords.get('uniqueItems') ?? []).some(({ value }) => value === true));
  if (old === next) return;
  two.report({
    ...sides(two, 'uniqueItems'),
    rule: next === true ? 'unique-items-added' : 'unique-items-removed',
    effect: next === true ? 'narrower' : 'wider',
    subject: 'uniqueItems',
    text: `uniqueItems changed from ${show(old ?? false)} to ${show(next ?? false)}`,
    demands: demandsOf(two, 'uniqueItems'),
  });
}
