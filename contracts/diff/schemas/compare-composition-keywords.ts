/**
 * Compares `anyOf`, `oneOf`, `not`, `if`, `then` and `else`, and the schemas that inherit from one with a discriminator. The branches of `allOf` need no
 * comparison, since flat schemas already contain them.
 */

import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { canonicalText, equal } from '../../../core/json-equality.ts';
import { heirsOf } from '../../../core/openapi/schema-direction.ts';
import { certainSchemas, type Schema } from '../../../core/openapi/schema-facts.ts';
import { taggedUnionOf, tagOfBranch, tagSchema } from '../../../core/openapi/tagged-union.ts';
import { fromPointer } from '../../../core/pointer.ts';
import { type ChangeVerb, noLongerLimitedTo, nowLimitedTo, showJson } from '../describe-value-change.ts';
import { pairEntries } from '../pair-renamed-entries.ts';
import { allowedTypes, type FlatSchema, isSchema, keywordSchemas, keywordValues, pickKeywords } from './flat-schema.ts';
import {
  changedSides,
  compareSameValue,
  effectOfVerb,
  type SchemaComparison,
  type SchemaEdit,
  sidesWithConstraints,
} from './schema-pair.ts';

type ChoiceKeyword = 'anyOf' | 'oneOf';

const idOf: Readonly<Record<ChoiceKeyword, string>> = { anyOf: 'any-of', oneOf: 'one-of' };

/** Compares the branches of `anyOf` or `oneOf`: reports added and removed branches, and compares the matched ones. */
export function compareBranches(comparison: SchemaComparison, keyword: ChoiceKeyword): void {
  const [old, next] = [choicesIn(comparison.old, keyword), choicesIn(comparison.new, keyword)];
  const [before, after] = [old[0], next[0]];
  // If the keyword occurs several times for one value, only a full comparison can decide.
  if (before === undefined || after === undefined || old.length > 1 || next.length > 1) {
    compareUnmatched(comparison, keyword, old.flat(), next.flat());
    return;
  }
  const matching = matchBranches(comparison, keyword, before, after);
  for (const [left, right] of matching.matched) {
    compareImplicitNames(comparison, keyword, left, right);
    compareSameValue(comparison, keyword, branchLabel(right, after.indexOf(right)), left, right);
  }
  reportBranches(comparison, keyword, before, after, matching);
}

/** Without a mapping, the name of a component is the value of the discriminator (OpenAPI 3.1 §4.8.25), so another name is another value. */
function compareImplicitNames(comparison: SchemaComparison, keyword: ChoiceKeyword, left: Schema, right: Schema): void {
  const { flatSchemas, old, new: next } = comparison;
  if (!isObject(left) || branchName(left) === branchName(right)) return;
  const tagIn = (flat: FlatSchema, branch: Schema): ReturnType<typeof tagOfBranch> => {
    const holder = flat.keywords.get(keyword)?.[0]?.holder;
    return holder === undefined ? undefined : tagOfBranch(flatSchemas.document, holder, branch);
  };
  const [was, is] = [tagIn(old, left), tagIn(next, right)];
  if (was === undefined || is === undefined || was.value !== nameOfReference(left) || equal(was.value, is.value)) return;
  comparison.report({
    ...changedSides(comparison, 'discriminator'),
    rule: 'discriminator-value-changed',
    effect: 'none',
    changedItem: `${showJson(was.value)} ${showJson(is.value)}`,
    text: ({ name }) => `${showJson(was.value)} in \`${was.member}\` of ${name} is now ${showJson(is.value)}`,
    levels: { request: 'breaking', response: 'breaking' },
    reason: 'The component has another name, which is the value that tells the schemas apart.',
  });
}

/** The branches of each occurrence of a keyword. */
function choicesIn(flat: FlatSchema, keyword: ChoiceKeyword): readonly (readonly Schema[])[] {
  return keywordValues(flat, keyword).flatMap((value) => (Array.isArray(value) ? [(value as readonly Json[]).filter(isSchema)] : []));
}

function compareUnmatched(comparison: SchemaComparison, keyword: ChoiceKeyword, old: readonly Schema[], next: readonly Schema[]): void {
  const [hadKeyword, hasKeyword] = [comparison.old.keywords.has(keyword), comparison.new.keywords.has(keyword)];
  if ((!hadKeyword && !hasKeyword) || haveSameMeaning(comparison, old, next)) return;
  comparison.report({
    ...changedSides(comparison, keyword),
    rule: `${idOf[keyword]}-${hadKeyword ? (hasKeyword ? 'changed' : 'dropped') : 'introduced'}`,
    effect: 'unknown',
    ...(hadKeyword === hasKeyword ? {} : levelsOfChoice(comparison, hadKeyword)),
    text: ({ name, isPlural }) =>
      hadKeyword && hasKeyword
        ? `${keyword} of ${name} changed`
        : `${name} ${describeChoice(keyword, hadKeyword ? old : next, hadKeyword, isPlural)}`,
  });
}

/** An added choice allows nothing new, and a removed one refuses nothing more, unless other keywords came or went with it or depend on it. */
function levelsOfChoice({ old, new: next }: SchemaComparison, isGone: boolean): Pick<SchemaEdit, 'levels'> {
  const [wide, narrow] = isGone ? [next, old] : [old, next];
  const isRestriction = [...wide.keywords.keys()].every((keyword) => narrow.keywords.has(keyword) && !keyword.startsWith('unevaluated'));
  return isRestriction ? { levels: isGone ? { request: 'compatible' } : { response: 'compatible' } } : {};
}

/** What a choice that came or went means for values. */
function describeChoice(keyword: ChoiceKeyword, branches: readonly Schema[], isGone: boolean, isPlural: boolean): string {
  const constants = branches.flatMap((branch) => (isObject(branch) && branch['const'] !== undefined ? [showJson(branch['const'])] : []));
  if (constants.length === branches.length) return isGone ? noLongerLimitedTo(constants, isPlural) : nowLimitedTo(constants);
  const adverb = isGone ? 'no longer' : 'now';
  const howMany = keyword === 'oneOf' ? 'exactly one' : 'at least one';
  return `${adverb} ${isPlural ? 'have' : 'has'} to match ${howMany} of ${branches.length} schemas (${keyword})`;
}

/** True if two lists hold the same schemas. The targets of references are compared too. */
function haveSameMeaning(comparison: SchemaComparison, old: readonly Schema[], next: readonly Schema[]): boolean {
  return equal(old, next) && old.every((schema, index) => !comparison.differs(schema, next[index] ?? true));
}

function reportBranches(
  comparison: SchemaComparison,
  keyword: ChoiceKeyword,
  old: readonly Schema[],
  next: readonly Schema[],
  { gone, added }: BranchMatches,
): void {
  const base = sidesWithConstraints(comparison, keyword);
  // Added and removed branches together are a rewrite; a full comparison decides its effect.
  const isRewritten = gone.length > 0 && added.length > 0 && [...gone, ...added].some((each) => branchName(each) === undefined);
  for (const branch of gone)
    comparison.report({
      ...base,
      rule: `${idOf[keyword]}-removed`,
      effect: isRewritten ? 'unknown' : 'narrower',
      branch,
      changedItem: printJson(branch),
      before: { value: branch, place: comparison.flatSchemas.of(branch, base.before).place },
      after: { ...base.after, value: undefined },
      member: branchLabel(branch, old.indexOf(branch)),
      text: ({ name, members, isPlural }) => `${members} ${isPlural ? 'were' : 'was'} removed from ${keyword} of ${name}`,
    });
  for (const branch of added)
    comparison.report({
      ...base,
      rule: `${idOf[keyword]}-added`,
      // A new branch of `anyOf` often allows nothing new, and never refuses anything.
      effect: isRewritten || keyword === 'anyOf' ? 'unknown' : 'wider',
      ...(keyword === 'anyOf' ? { levels: { request: 'compatible' } } : {}),
      branch,
      changedItem: printJson(branch),
      before: { ...base.before, value: undefined },
      after: { value: branch, place: comparison.flatSchemas.of(branch, base.after).place },
      member: branchLabel(branch, next.indexOf(branch)),
      text: ({ name, members, isPlural }) => `${members} ${isPlural ? 'were' : 'was'} added to ${keyword} of ${name}`,
    });
}

/** Label of a branch: its name, its only value, or its position. */
function branchLabel(branch: Schema, index: number): string {
  if (isObject(branch) && branch['$ref'] === undefined && branch['const'] !== undefined) return showJson(branch['const']);
  const name = branchName(branch);
  return name === undefined ? `branch ${index + 1}` : code(name.slice(name.lastIndexOf('/') + 1));
}

function nameOfReference(reference: JsonObject): string {
  return fromPointer(String(reference['$ref']).replace(/^.*#/, '')).at(-1) ?? '';
}

/** The `$ref` or the `title` of a branch. */
function branchName(schema: Schema): string | undefined {
  if (!isObject(schema)) return undefined;
  const name = schema['$ref'] ?? schema['title'];
  return typeof name === 'string' ? name : undefined;
}

interface BranchMatches {
  readonly matched: readonly (readonly [Schema, Schema])[];
  readonly gone: readonly Schema[];
  readonly added: readonly Schema[];
}

/** Matches branches by name, then by the value that tells them apart; unnamed ones by JSON text, then by type if it is unique, then by position. */
function matchBranches(
  comparison: SchemaComparison,
  keyword: ChoiceKeyword,
  old: readonly Schema[],
  next: readonly Schema[],
): BranchMatches {
  const left = new Set(old);
  const right = new Set(next);
  const matched: (readonly [Schema, Schema])[] = [];
  const match = (before: Schema, after: Schema | undefined): void => {
    if (after === undefined) return;
    matched.push([before, after]);
    left.delete(before);
    right.delete(after);
  };
  const isNamed = (each: Schema): boolean => branchName(each) !== undefined;
  for (const before of old.filter(isNamed))
    match(
      before,
      [...right].find((each) => branchName(each) === (comparison.renamedComponents.get(branchName(before) ?? '') ?? branchName(before))),
    );
  const tags = tagsOfBranches(comparison, comparison.new, keyword);
  for (const [before, tag] of tagsOfBranches(comparison, comparison.old, keyword))
    if (left.has(before))
      match(
        before,
        [...right].find((each) => tags.get(each) === tag),
      );
  const typeOf = (schema: Schema): string => [...(allowedTypes(comparison.flatSchemas.of(schema, comparison.old)) ?? [])].join();
  for (const keyOf of [(schema: Schema): string => printJson(schema), typeOf])
    for (const [before, after] of pairUnnamed(left, right, keyOf)) match(before, after);
  // If both sides have the same number of unmatched branches and none has a name, each branch counts as rewritten in place.
  const isRewritten = left.size === right.size && ![...left, ...right].some(isNamed);
  for (const before of isRewritten ? [...left] : [])
    match(
      before,
      next.find((each) => right.has(each)),
    );
  return { matched, gone: [...left], added: [...right] };
}

/** The member and the values that tell each branch apart, as text; empty if nothing does. */
function tagsOfBranches({ flatSchemas }: SchemaComparison, flat: FlatSchema, keyword: ChoiceKeyword): ReadonlyMap<Schema, string> {
  const holder = flat.keywords.get(keyword)?.[0]?.holder;
  const union = holder === undefined ? undefined : taggedUnionOf(flatSchemas.document, holder);
  if (union?.keyword !== keyword) return new Map();
  return new Map(union.cases.map(({ branch, values }) => [branch, canonicalText([union.member, ...values])]));
}

/** Unnamed branches with the same key, if both sides have the same number of them. */
function pairUnnamed(
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
    if (branchName(schema) !== undefined) continue;
    const key = keyOf(schema);
    groups.set(key, [...(groups.get(key) ?? []), schema]);
  }
  return groups;
}

/** Compares the schemas that inherit from both by `allOf`, as if they were branches: a discriminator tells which of them a value has. */
export function compareHeirs(comparison: SchemaComparison): void {
  const [old, next] = [heirsIn(comparison, comparison.old), heirsIn(comparison, comparison.new)];
  if (old === undefined || next === undefined) return;
  for (const { key, newKey, old: before, new: after } of pairEntries(old.byName, next.byName, ({ tag }) => tag)) {
    if (before !== undefined && after !== undefined) compareSameValue(comparison, 'oneOf', code(newKey), before.schema, after.schema);
    else reportHeir(comparison, key, { isGone: after === undefined, hasOthers: old.hasOthers && next.hasOthers, heir: before ?? after });
  }
}

/** A schema that inherits from another one, with the value of the discriminator that names it. */
interface Heir {
  readonly schema: Schema;
  readonly tag: string;
  readonly reference: JsonObject;
}

/** The heirs of a schema, and whether values may have other names too; `undefined` if it has none, or is an heir itself. */
function heirsIn(
  { flatSchemas }: SchemaComparison,
  flat: FlatSchema,
): { readonly byName: ReadonlyMap<string, Heir>; readonly hasOthers: boolean } | undefined {
  const base = flat.keywords.get('discriminator')?.[0]?.holder;
  const references = base === undefined ? undefined : heirsOf(flatSchemas.document).get(base);
  if (base === undefined || references === undefined) return undefined;
  const heirs = references.filter((reference) => flatSchemas.referenceTarget(reference) !== base);
  const parts = new Set(certainSchemas(flatSchemas.document, flat.schema));
  if (heirs.some((reference) => parts.has(flatSchemas.referenceTarget(reference) ?? true))) return undefined;
  const byName = heirs.map((reference): readonly [string, Heir] => {
    const { member = '', value = '' } = tagOfBranch(flatSchemas.document, base, reference) ?? {};
    const schema = flatSchemas.combine([reference, tagSchema(member, [value])]);
    return [nameOfReference(reference), { schema, tag: canonicalText(value), reference }];
  });
  return { byName: new Map(byName), hasOthers: heirs.length < references.length };
}

function reportHeir(
  comparison: SchemaComparison,
  name: string,
  { isGone, hasOthers, heir }: { readonly isGone: boolean; readonly hasOthers: boolean; readonly heir: Heir | undefined },
): void {
  const { before, after } = changedSides(comparison, 'discriminator');
  const value = heir?.reference;
  comparison.report({
    rule: `heir-${isGone ? 'removed' : 'added'}`,
    effect: hasOthers ? 'none' : isGone ? 'narrower' : 'wider',
    // The base alone allows their values, but its readers look for the name.
    ...(hasOthers ? { levels: { request: isGone ? 'risky' : 'compatible', response: isGone ? 'compatible' : 'risky' } } : {}),
    before: { ...before, value: isGone ? value : undefined },
    after: { ...after, value: isGone ? undefined : value },
    changedItem: name,
    member: code(name),
    text: ({ name: base, members, isPlural }) =>
      isGone
        ? `${members} no longer ${isPlural ? 'inherit' : 'inherits'} from ${base}`
        : `${members} now ${isPlural ? 'inherit' : 'inherits'} from ${base}`,
    reason: 'Readers choose the schema by the discriminator, and one side does not know this one.',
  });
}

const code = (text: string): string => `\`${text}\``;

/** Compares `not` and `if`. */
export function compareConditions(comparison: SchemaComparison): void {
  compareNegation(comparison);
  compareCondition(comparison);
}

function compareNegation(comparison: SchemaComparison): void {
  const [old, next] = [keywordSchemas(comparison.old, 'not'), keywordSchemas(comparison.new, 'not')];
  const [before, after] = [old[0], next[0]];
  if (old.length === 1 && next.length === 1 && before !== undefined && after !== undefined) {
    comparison.compareBelow({ kind: 'negated' }, before, after);
    return;
  }
  if (haveSameMeaning(comparison, old, next)) return;
  const verb: ChangeVerb = old.length === 0 ? 'added' : next.length === 0 ? 'removed' : 'changed';
  comparison.report({
    ...sidesWithConstraints(comparison, 'not'),
    rule: `not-${verb}`,
    effect: effectOfVerb[verb],
    text: ({ name }) =>
      ({
        added: `some values of ${name} are now excluded by \`not\``,
        removed: `values of ${name} are no longer excluded by \`not\``,
        changed: `the values of ${name} that \`not\` excludes changed`,
      })[verb],
  });
}

function compareCondition(comparison: SchemaComparison): void {
  const parts = ['if', 'then', 'else'];
  const [old, next] = [pickKeywords(comparison.old, parts, keywordSchemas), pickKeywords(comparison.new, parts, keywordSchemas)];
  const changed = parts.find((part) => !isSamePart(comparison, part, old[part], next[part]));
  if (changed === undefined) {
    // Both conditions have the same JSON text, but the targets of their references may differ.
    for (const part of ['then', 'else']) {
      const [before, after] = [old[part], next[part]];
      if (isSchema(before) && isSchema(after)) compareSameValue(comparison, part, part, before, after);
    }
    return;
  }
  const [had, has] = [Object.keys(old).length > 0, Object.keys(next).length > 0];
  const verb: ChangeVerb = had ? (has ? 'changed' : 'removed') : 'added';
  comparison.report({
    ...changedSides(comparison, changed),
    rule: `condition-${verb}`,
    effect: effectOfVerb[verb],
    text: ({ name }) => `a condition (\`if\`) on ${name} ${verb === 'changed' ? verb : `was ${verb}`}`,
    constraints: { old, new: next },
  });
}

/** True if a part of a condition is equal; in `if`, the targets of references must be the same too. */
function isSamePart(comparison: SchemaComparison, part: string, before: Json | undefined, after: Json | undefined): boolean {
  if (!equal(before ?? null, after ?? null)) return false;
  return part !== 'if' || !isSchema(before) || !isSchema(after) || !comparison.differs(before, after);
}
