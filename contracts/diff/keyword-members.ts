/** Rules for members without names: those that match a pattern, all others, and what the presence of one demands. */

import { isObject, type Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { demandsOf, type Step, sides, type Two } from './schema-edit.ts';
import { isSchema, mapIn, saysNothing, type View } from './schema-view.ts';

/** Compares what is said of members that are not named. */
export function compareMembers(two: Two): void {
  comparePatterned(two);
  for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const) compareSingle(two, keyword, { kind: 'others' });
  compareSingle(two, 'propertyNames', { kind: 'names' });
  compareDependencies(two, 'dependentRequired', 'dependent-required');
  compareDependencies(two, 'dependentSchemas', 'dependent-schema');
}

function comparePatterned(two: Two): void {
  const [old, next] = [mapIn(two.old, 'patternProperties'), mapIn(two.new, 'patternProperties')];
  const base = { ...sides(two, 'patternProperties'), demands: demandsOf(two, 'patternProperties') };
  for (const [pattern, schemas] of old) {
    const after = next.get(pattern);
    if (after !== undefined) two.below({ kind: 'matching', pattern }, two.views.join(schemas), two.views.join(after));
    else
      two.report({
        ...base,
        rule: 'pattern-property-removed',
        effect: 'wider',
        subject: pattern,
        text: `nothing is said any more of members whose names match ${pattern}`,
      });
  }
  for (const [pattern] of next)
    if (!old.has(pattern))
      two.report({
        ...base,
        rule: 'pattern-property-added',
        effect: 'narrower',
        subject: pattern,
        text: `members whose names match ${pattern} are described now`,
      });
}

/** Compares a keyword that holds one schema, which demands nothing where it is absent. */
export function compareSingle(two: Two, keyword: string, step: Step): void {
  const [before, after] = [statedIn(two, two.old, keyword), statedIn(two, two.new, keyword)];
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    two.below(step, before, after);
    return;
  }
  const [wasFree, isFree] = [before === undefined || saysNothing(before), after === undefined || saysNothing(after)];
  if (wasFree && isFree) return;
  const word = keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const verb = wasFree ? 'added' : isFree ? 'removed' : 'changed';
  two.report({
    ...sides(two, keyword),
    rule: `${word}-${verb}`,
    effect: after === false || wasFree ? 'narrower' : 'wider',
    subject: keyword,
    text: wasFree ? `${keyword} is said now` : isFree ? `${keyword} is no longer said` : `${keyword} changed`,
  });
}

function statedIn({ views }: Two, view: View, keyword: string): Schema | undefined {
  const stated = (view.keywords.get(keyword) ?? []).map(({ value }) => value).filter(isSchema);
  return stated.length === 0 ? undefined : views.join(stated);
}

function compareDependencies(two: Two, keyword: 'dependentRequired' | 'dependentSchemas', word: string): void {
  const [old, next] = [dependenciesIn(two.old, keyword), dependenciesIn(two.new, keyword)];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [before, after] = [old.get(name), next.get(name)];
    if (keyword === 'dependentSchemas' && isSchema(before) && isSchema(after)) {
      two.below({ kind: 'same', keyword, label: `with ${name}` }, before, after);
      continue;
    }
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const verb = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    two.report({
      ...sides(two, keyword),
      rule: `${word}-${verb}`,
      effect: ({ added: 'narrower', removed: 'wider', changed: 'unknown' } as const)[verb],
      subject: name,
      text: `what the presence of ${name} demands ${{ added: 'is new', removed: 'is gone', changed: 'changed' }[verb]}`,
      demands: demandsOf(two, keyword),
    });
  }
}

function dependenciesIn(view: View, keyword: string): ReadonlyMap<string, Json> {
  return new Map((view.keywords.get(keyword) ?? []).flatMap(({ value }) => Object.entries(isObject(value) ? value : {})));
}
