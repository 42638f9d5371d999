/** Rules for keywords that hold schemas about the same value: `allOf`, `anyOf` and `oneOf`, `not`, and `if` with `then` and `else`. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import {
  alone,
  demanding,
  effectOfVerb,
  isSchema,
  schemasOf,
  sides,
  type Two,
  typesOf,
  type Verb,
  type View,
  valuesOf,
} from './schema-edit.ts';

/**
 * A schema that is put beside others in `allOf` is meant to demand more. Its keywords are compared together with all others; it is told by itself only
 * where nothing else of the schema changed.
 */
export function compareAll(two: Two): void {
  const [before, after] = [allOf(two.old.schema), allOf(two.new.schema)];
  if (before === undefined || after === undefined || before.rest !== after.rest) return;
  const [gone, added] = [branchesBeyond(two, before, after), branchesBeyond(two, after, before)];
  if (gone.length > 0 === added.length > 0) return;
  for (const { text, isWords, branch, label } of [...gone, ...added])
    if (!isWords)
      two.report({
        before: { value: gone.length > 0 ? branch : undefined, place: two.old.place },
        after: { value: gone.length > 0 ? undefined : branch, place: two.new.place },
        subject: text,
        ...(gone.length > 0
          ? { rule: 'all-of-removed', effect: 'wider', text: `${label} is gone from allOf`, demands: { old: branch } }
          : { rule: 'all-of-added', effect: 'narrower', text: `${label} is new in allOf`, demands: { new: branch } }),
      });
}

/** The branches of one conjunction that the other does not have. */
function branchesBeyond(
  { views, new: next }: Two,
  { branches, texts }: Conjunction,
  other: Conjunction,
): readonly { readonly branch: Schema; readonly text: string; readonly label: string; readonly isWords: boolean }[] {
  return branches.flatMap((branch, index) => {
    const text = texts[index] ?? '';
    const isWords = demandsNothing(views.of(branch, next.place));
    return other.texts.includes(text) ? [] : [{ branch, text, label: labelOf(branch, index), isWords }];
  });
}

interface Conjunction {
  readonly branches: readonly Schema[];
  readonly texts: readonly string[];
  /** The other keywords, as text. */
  readonly rest: string;
}

function allOf(schema: Schema): Conjunction | undefined {
  if (!isObject(schema) || !Array.isArray(schema['allOf'])) return undefined;
  const { allOf: branches, ...rest } = schema as JsonObject & { readonly allOf: readonly Json[] };
  return { branches: branches as readonly Schema[], texts: branches.map((each) => JSON.stringify(each)), rest: JSON.stringify(rest) };
}

/** Whether a schema holds only words. */
function demandsNothing(view: View): boolean {
  return [...view.keywords.keys()].every((keyword) => keyword.startsWith('x-') || words.has(keyword));
}

const words: ReadonlySet<string> = new Set([
  ...['title', 'description', '$comment', 'example', 'examples', 'externalDocs', 'default', 'deprecated', 'readOnly', 'writeOnly', 'xml'],
]);

type Choice = 'anyOf' | 'oneOf';

const idOf: Readonly<Record<Choice, string>> = { anyOf: 'any-of', oneOf: 'one-of' };

/** Compares the branches of a choice, one edit for each that came or went, and goes on below those that stayed. */
export function compareBranches(two: Two, keyword: Choice): void {
  const [old, next] = [choicesIn(two.old, keyword), choicesIn(two.new, keyword)];
  const [before, after] = [old[0], next[0]];
  // Two choices at the same place are told apart by comparing whole.
  if (before === undefined || after === undefined || old.length > 1 || next.length > 1) {
    compareUnmatched(two, keyword, old.flat(), next.flat());
    return;
  }
  const matching = matchBranches(two, before, after);
  for (const [left, right] of matching.matched)
    two.below({ kind: 'same', keyword, label: labelOf(right, after.indexOf(right)) }, left, right);
  reportBranches(two, keyword, before, after, matching);
}

/** The branches of each choice of a keyword. */
function choicesIn(view: View, keyword: Choice): readonly (readonly Schema[])[] {
  return valuesOf(view, keyword).flatMap((value) => (Array.isArray(value) ? [(value as readonly Json[]).filter(isSchema)] : []));
}

function compareUnmatched(two: Two, keyword: Choice, old: readonly Schema[], next: readonly Schema[]): void {
  const [was, is] = [two.old.keywords.has(keyword), two.new.keywords.has(keyword)];
  if ((!was && !is) || areAlike(two, old, next)) return;
  two.report({
    ...sides(two, keyword),
    rule: `${idOf[keyword]}-${was ? (is ? 'changed' : 'dropped') : 'introduced'}`,
    effect: 'unknown',
    text: was ? (is ? `${keyword} changed` : `there is no ${keyword} any more`) : `there is an ${keyword} now`,
  });
}

/** Whether two lists hold the same schemas, in words and in what these refer to. */
function areAlike(two: Two, old: readonly Schema[], next: readonly Schema[]): boolean {
  return JSON.stringify(old) === JSON.stringify(next) && old.every((schema, index) => !two.differs(schema, next[index] ?? true));
}

function reportBranches(two: Two, keyword: Choice, old: readonly Schema[], next: readonly Schema[], { gone, added }: Matching): void {
  const base = demanding(two, keyword);
  // Branches that come and go together were rewritten: which values come and go is then told by comparing whole.
  const isRewritten = gone.length > 0 && added.length > 0 && [...gone, ...added].some((each) => nameOf(each) === undefined);
  for (const branch of gone)
    two.report({
      ...base,
      rule: `${idOf[keyword]}-removed`,
      effect: isRewritten ? 'unknown' : 'narrower',
      subject: JSON.stringify(branch),
      before: { value: branch, place: two.views.of(branch, base.before.place).place },
      text: `${labelOf(branch, old.indexOf(branch))} is gone from ${keyword}`,
    });
  for (const branch of added)
    two.report({
      ...base,
      rule: `${idOf[keyword]}-added`,
      // A branch of `anyOf` often allows nothing that the others do not.
      effect: isRewritten || keyword === 'anyOf' ? 'unknown' : 'wider',
      subject: JSON.stringify(branch),
      after: { value: branch, place: two.views.of(branch, base.after.place).place },
      text: `${labelOf(branch, next.indexOf(branch))} is new in ${keyword}`,
    });
}

/** What people call a branch: its name, or its place. */
function labelOf(branch: Schema, index: number): string {
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
  const match = (before: Schema, after: Schema | undefined): void => {
    if (after === undefined) return;
    matched.push([before, after]);
    left.delete(before);
    right.delete(after);
  };
  const isNamed = (each: Schema): boolean => nameOf(each) !== undefined;
  for (const before of old.filter(isNamed))
    match(
      before,
      [...right].find((each) => nameOf(each) === nameOf(before)),
    );
  const typeOf = (schema: Schema): string => [...(typesOf(two.views.of(schema, two.old.place)) ?? [])].join();
  for (const keyOf of [(schema: Schema): string => JSON.stringify(schema), typeOf])
    for (const [before, after] of alike(left, right, keyOf)) match(before, after);
  // Where as many are left on both sides, they are taken to have been rewritten where they stand; what has a name was replaced.
  const isRewritten = left.size === right.size && ![...left, ...right].some(isNamed);
  for (const before of isRewritten ? [...left] : [])
    match(
      before,
      next.find((each) => right.has(each)),
    );
  return { matched, gone: [...left], added: [...right] };
}

/** The branches without names that have the same key, where there are as many of it on both sides. */
function alike(
  left: ReadonlySet<Schema>,
  right: ReadonlySet<Schema>,
  keyOf: (schema: Schema) => string,
): readonly (readonly [Schema, Schema | undefined])[] {
  const others = groupUnnamed(right, keyOf);
  return [...groupUnnamed(left, keyOf)].flatMap(([key, before]) => {
    const after = others.get(key) ?? [];
    return before.length === after.length ? before.map((schema, index) => [schema, after[index]] as const) : [];
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

/** Compares exclusions and conditions. */
export function compareConditions(two: Two): void {
  compareNegation(two);
  compareCondition(two);
}

function compareNegation(two: Two): void {
  const [old, next] = [schemasOf(two.old, 'not'), schemasOf(two.new, 'not')];
  const [before, after] = [old[0], next[0]];
  if (old.length === 1 && next.length === 1 && before !== undefined && after !== undefined) {
    two.below({ kind: 'negated' }, before, after);
    return;
  }
  if (areAlike(two, old, next)) return;
  const verb: Verb = old.length === 0 ? 'added' : next.length === 0 ? 'removed' : 'changed';
  two.report({
    ...demanding(two, 'not'),
    rule: `not-${verb}`,
    effect: effectOfVerb[verb],
    text: { added: 'some values are excluded now', removed: 'values are no longer excluded', changed: 'what is excluded changed' }[verb],
  });
}

function compareCondition(two: Two): void {
  const parts = ['if', 'then', 'else'];
  const [old, next] = [alone(two.old, parts, schemasOf), alone(two.new, parts, schemasOf)];
  const changed = parts.find((part) => !isSamePart(two, part, old[part], next[part]));
  if (changed === undefined) {
    // The words of both conditions are the same; what they refer to may not be.
    for (const part of ['then', 'else']) {
      const [before, after] = [old[part], next[part]];
      if (isSchema(before) && isSchema(after)) two.below({ kind: 'same', keyword: part, label: part }, before, after);
    }
    return;
  }
  const [had, has] = [Object.keys(old).length > 0, Object.keys(next).length > 0];
  const verb: Verb = had ? (has ? 'changed' : 'removed') : 'added';
  two.report({
    ...sides(two, changed),
    rule: `condition-${verb}`,
    effect: effectOfVerb[verb],
    text: { added: 'a condition is new', removed: 'a condition is gone', changed: 'what holds under a condition changed' }[verb],
    demands: { old, new: next },
  });
}

/** Whether a part of a condition says the same; of what follows from it, differences are told one by one. */
function isSamePart(two: Two, part: string, before: Json | undefined, after: Json | undefined): boolean {
  if (JSON.stringify(before) !== JSON.stringify(after)) return false;
  return part !== 'if' || !isSchema(before) || !isSchema(after) || !two.differs(before, after);
}
