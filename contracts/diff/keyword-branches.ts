/** Rules for choices: `anyOf` and `oneOf`. */

import { isObject, type Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { typesOf } from './keyword-values.ts';
import { demandsOf, sides, type Two } from './schema-edit.ts';
import { isSchema, type View } from './schema-view.ts';

/** Compares the branches of a choice, one edit for each that came or went, and goes on below those that stayed. */
export function compareBranches(two: Two, keyword: 'anyOf' | 'oneOf'): void {
  const [old, next] = [branchesIn(two.old, keyword), branchesIn(two.new, keyword)];
  if (old === undefined || next === undefined) {
    compareUnmatched(two, keyword);
    return;
  }
  const matching = matchBranches(two, old, next);
  for (const [before, after] of matching.matched)
    two.below({ kind: 'same', keyword, label: labelOf(after, next.indexOf(after)) }, before, after);
  reportBranches(two, keyword, old, next, matching);
}

/** The branches, where the choice is stated once: two choices at the same place are told apart by comparing whole. */
function branchesIn(view: View, keyword: string): readonly Schema[] | undefined {
  const [stated, ...others] = view.keywords.get(keyword) ?? [];
  if (stated === undefined || others.length > 0 || !Array.isArray(stated.value)) return undefined;
  return (stated.value as readonly Json[]).filter(isSchema);
}

/** All branches of all choices of a keyword. */
function choicesIn(view: View, keyword: string): readonly Schema[] {
  return (view.keywords.get(keyword) ?? []).flatMap(({ value }) =>
    Array.isArray(value) ? (value as readonly Json[]).filter(isSchema) : [],
  );
}

function wordOf(keyword: 'anyOf' | 'oneOf'): string {
  return keyword === 'anyOf' ? 'any-of' : 'one-of';
}

function compareUnmatched(two: Two, keyword: 'anyOf' | 'oneOf'): void {
  const [was, is] = [two.old.keywords.has(keyword), two.new.keywords.has(keyword)];
  const base = sides(two, keyword);
  if (!was && !is) return;
  const [old, next] = [choicesIn(two.old, keyword), choicesIn(two.new, keyword)];
  const isSame = JSON.stringify(old) === JSON.stringify(next) && old.every((schema, index) => !two.differs(schema, next[index] ?? true));
  if (isSame) return;
  two.report({
    ...base,
    rule: `${wordOf(keyword)}-${was ? (is ? 'changed' : 'dropped') : 'introduced'}`,
    effect: 'unknown',
    subject: keyword,
    text: was ? (is ? `${keyword} changed` : `there is no ${keyword} any more`) : `there is an ${keyword} now`,
  });
}

function reportBranches(two: Two, keyword: 'anyOf' | 'oneOf', old: readonly Schema[], next: readonly Schema[], matching: Matching): void {
  const { gone, added } = matching;
  const base = { ...sides(two, keyword), demands: demandsOf(two, keyword) };
  // Branches that come and go together were rewritten: which values come and go is then told by comparing whole.
  const isRewritten = gone.length > 0 && added.length > 0 && [...gone, ...added].some((each) => nameOf(each) === undefined);
  for (const branch of gone)
    two.report({
      ...base,
      rule: `${wordOf(keyword)}-removed`,
      effect: isRewritten ? 'unknown' : 'narrower',
      subject: JSON.stringify(branch),
      before: { value: branch, place: two.views.of(branch, base.before.place).place },
      text: `${labelOf(branch, old.indexOf(branch))} is gone from ${keyword}`,
    });
  for (const branch of added)
    two.report({
      ...base,
      rule: `${wordOf(keyword)}-added`,
      // A branch of `anyOf` often allows nothing that the others do not.
      effect: isRewritten || keyword === 'anyOf' ? 'unknown' : 'wider',
      subject: JSON.stringify(branch),
      after: { value: branch, place: two.views.of(branch, base.after.place).place },
      text: `${labelOf(branch, next.indexOf(branch))} is new in ${keyword}`,
    });
}

/** What people call a branch: its name, or its place. */
export function labelOf(branch: Schema, index: number): string {
  const name = nameOf(branch);
  return name === undefined ? `branch ${index + 1}` : name.slice(name.lastIndexOf('/') + 1);
}

function nameOf(schema: Schema): string | undefined {
  if (!isObject(schema)) return undefined;
  const name = schema['$ref'] ?? schema['title'];
  return typeof name === 'string' ? name : undefined;
}

interface Matching {
  readonly matched: readonly (readonly [Schema, Schema])[];
  readonly gone: readonly Schema[];
  readonly added: readonly Schema[];
}

/** Which branch became which: the same name; without names the same words, then the only ones of their type, then the same place. */
function matchBranches(two: Two, old: readonly Schema[], next: readonly Schema[]): Matching {
  const left = new Set(old);
  const right = new Set(next);
  const matched: (readonly [Schema, Schema])[] = [];
  const match = (before: Schema, after: Schema): void => {
    matched.push([before, after]);
    left.delete(before);
    right.delete(after);
  };
  for (const before of old) {
    const name = nameOf(before);
    const after = [...right].find((each) => name !== undefined && nameOf(each) === name);
    if (after !== undefined) match(before, after);
  }
  const typeOf = (schema: Schema): string => [...(typesOf(two.views.of(schema, two.old.place)) ?? [])].join();
  for (const keyOf of [(schema: Schema): string => JSON.stringify(schema), typeOf])
    for (const [before, after] of alike(left, right, keyOf)) match(before, after);
  const rest = [...left, ...right];
  // Where as many are left on both sides, they are taken to have been rewritten where they stand; what has a name was replaced.
  if (left.size === right.size && rest.every((each) => nameOf(each) === undefined))
    for (const [index, before] of [...left].entries()) match(before, [...next].filter((each) => right.has(each))[0] ?? next[index] ?? true);
  return { matched, gone: [...left], added: [...right] };
}

/** The branches without names that have the same key, where there are as many of it on both sides. */
function alike(
  left: ReadonlySet<Schema>,
  right: ReadonlySet<Schema>,
  keyOf: (schema: Schema) => string,
): readonly (readonly [Schema, Schema])[] {
  const [mine, others] = [groupUnnamed(left, keyOf), groupUnnamed(right, keyOf)];
  return [...mine].flatMap(([key, before]) => {
    const after = others.get(key) ?? [];
    return before.length === after.length ? before.map((schema, index) => [schema, after[index] ?? true] as const) : [];
  });
}

function groupUnnamed(schemas: ReadonlySet<Schema>, keyOf: (schema: Schema) => string): ReadonlyMap<string, readonly Schema[]> {
  const groups = new Map<string, Schema[]>();
  for (const schema of schemas) {
    if (nameOf(schema) !== undefined) continue;
    const key = keyOf(schema);
    groups.set(key, [...(groups.get(key) ?? []), schema]);
  }
  return groups;
}
