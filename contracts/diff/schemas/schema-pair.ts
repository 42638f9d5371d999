/** Two corresponding flat schemas and their edits. An edit is one changed keyword with its effect on the allowed values. */

import { type Json, printJson } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { ChangeLevel, HalfOfExchange } from '../../../core/results/diff-result.ts';
import type { EditedSide } from '../component-places.ts';
import type { ChangeVerb } from '../describe-value-change.ts';
import { type FlatSchema, type FlatSchemaCache, type KeywordOccurrence, keywordValues } from './flat-schema.ts';

/**
 * Effect of an edit on the set of allowed values: smaller, larger, both (some lost, some gained) or none. `unknown` needs a comparison of
 * the full schemas.
 */
export type EditEffect = 'narrower' | 'wider' | 'both' | 'none' | 'unknown';

/** Effect of losing and gaining values. */
export function effectOf(loses: boolean, gains: boolean): EditEffect {
  if (loses && gains) return 'both';
  if (loses) return 'narrower';
  return gains ? 'wider' : 'none';
}

/** One difference between two schemas. */
export interface SchemaEdit {
  /** Second half of the change id, such as `enum-value-removed`. */
  readonly rule: string;
  readonly effect: EditEffect;
  readonly before: EditedSide;
  readonly after: EditedSide;
  /** The name, value or keyword that changed. */
  readonly changedItem: string;
  /** Sentence on the edit, or on several edits that differ by their members, or by the values that they are at. */
  readonly text: (names: EditNames) => string;
  /** The property of the value that the edit is about. */
  readonly property?: string;
  /** What the edit is about if it is no property: a branch, or a value of a list. */
  readonly member?: string;
  /** Fixed levels. Without them, the level follows from the effect. */
  readonly levels?: Partial<Readonly<Record<HalfOfExchange, ChangeLevel>>>;
  /** Consequence for clients, if the default reason of the level is too vague: of both halves of an exchange, or of one. */
  readonly reason?: string | Partial<Readonly<Record<HalfOfExchange, string>>>;
  /** Halves of an exchange in which validators need not check what is lost, so no witness shows it. */
  readonly unchecked?: readonly HalfOfExchange[];
  /** The added or removed branch of a choice. */
  readonly branch?: Schema;
  /** Schemas of the changed keyword alone. They aim the search for a witness at this edit. */
  readonly constraints?: EditConstraints;
}

/** Names in the sentence on an edit, ready to print. */
export interface EditNames {
  /** The edited value, such as `` `totals.discount` ``, or several. */
  readonly name: string;
  /** The properties or the members that the edit is about; the name itself if it is about none. */
  readonly members: string;
  /** True for several members, or for several values. */
  readonly isPlural: boolean;
}

/**
 * Schemas of a changed keyword: a value lost by the edit violates `new`, and a value gained by it violates `old`. If one is missing, the
 * full schema of that side counts.
 */
interface EditConstraints {
  readonly old?: Schema;
  readonly new?: Schema;
}

/** A step from a schema to a schema inside it. */
export type SchemaStep =
  | { readonly kind: 'property'; readonly name: string; readonly isReadOnly: boolean; readonly isWriteOnly: boolean }
  | { readonly kind: 'items' }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'contains' }
  | { readonly kind: 'others' }
  | { readonly kind: 'matching'; readonly pattern: string }
  | { readonly kind: 'names' }
  /** A schema of the same value, such as a branch of `anyOf`. */
  | { readonly kind: 'same'; readonly keyword: string; readonly label: string; readonly old: Schema; readonly new: Schema }
  /** The schema of `not`, which reverses effects. */
  | { readonly kind: 'negated' };

/** Two corresponding schemas and their edits. */
export interface SchemaPair {
  readonly old: FlatSchema;
  readonly new: FlatSchema;
  readonly edits: readonly SchemaEdit[];
  readonly children: readonly { readonly step: SchemaStep; readonly pair: SchemaPair }[];
}

/** Context of the keyword rules: two flat schemas, and functions to report edits and to compare the schemas inside them. */
export interface SchemaComparison {
  readonly flatSchemas: FlatSchemaCache;
  readonly old: FlatSchema;
  readonly new: FlatSchema;
  /** Adds a pair of schemas inside these to the comparison. */
  readonly compareBelow: (step: SchemaStep, old: Schema, next: Schema) => unknown;
  readonly report: (edit: SchemaEdit) => unknown;
  /** True if the keyword comparisons find an edit with an effect in two schemas or below them, also behind references. */
  readonly differs: (old: Schema, next: Schema) => boolean;
  /** The new references to renamed components, by the old one. */
  readonly renamedComponents: ReadonlyMap<string, string>;
  /** Today as `2026-12-31`, for announced removals. */
  readonly today: string;
  /** True if it is proved that `sup` allows every value of `sub`. */
  readonly includes: (sub: Schema, sup: Schema) => boolean;
}

/** Compares two schemas of the same value, such as matched branches. */
export function compareSameValue(comparison: SchemaComparison, keyword: string, label: string, old: Schema, next: Schema): void {
  comparison.compareBelow({ kind: 'same', keyword, label, old, new: next }, old, next);
}

/** Value and place of a changed keyword on both sides. Of several occurrences, takes one that `isChosen` accepts or the other side lacks. */
export function changedSides(
  { flatSchemas, old, new: next }: SchemaComparison,
  keyword: string,
  isChosen: (value: Json) => boolean = () => false,
): Pick<SchemaEdit, 'before' | 'after' | 'changedItem'> {
  const chosenIn = (flat: FlatSchema, other: FlatSchema): KeywordOccurrence | undefined => {
    const unmatched = keywordValues(other, keyword).map((value) => printJson(value));
    const occurrences = flat.keywords.get(keyword) ?? [];
    // Two schemas of an allOf may have equal values, so each value of the other side matches only one.
    const changed = occurrences.filter(({ value }) => {
      const index = unmatched.indexOf(printJson(value));
      if (index >= 0) unmatched.splice(index, 1);
      return index < 0;
    });
    return occurrences.find(({ value }) => isChosen(value)) ?? changed[0];
  };
  const [before, after] = [chosenIn(old, next), chosenIn(next, old)];
  const sideOf = (flat: FlatSchema, chosen: typeof before, other: typeof before): EditedSide => {
    if (chosen !== undefined) return { value: chosen.value, place: flatSchemas.placeOfMember(chosen.holder, keyword) };
    // What stands beside a reference is not about its target.
    const isBesideReference = other?.holder['$ref'] !== undefined;
    return { value: undefined, place: isBesideReference ? flat.place : flatSchemas.placeOfContent(flat) };
  };
  return { before: sideOf(old, before, after), after: sideOf(next, after, before), changedItem: keyword };
}

/** Schemas that hold only this keyword, one for each side. */
export function keywordConstraints({ flatSchemas, old, new: next }: SchemaComparison, keyword: string): EditConstraints {
  const constraintOf = (flat: FlatSchema): Schema =>
    flatSchemas.combine(keywordValues(flat, keyword).map((value) => ({ [keyword]: value })));
  return { old: constraintOf(old), new: constraintOf(next) };
}

/** Value, place and constraints of a changed keyword on both sides. */
export function sidesWithConstraints(
  comparison: SchemaComparison,
  keyword: string,
): Pick<SchemaEdit, 'before' | 'after' | 'changedItem'> & { readonly constraints: EditConstraints } {
  return { ...changedSides(comparison, keyword), constraints: keywordConstraints(comparison, keyword) };
}

/** Effect of changed constraints. A loss or a gain counts unless a proof excludes it. */
export function provedEffect({ includes }: SchemaComparison, { old = true, new: next = true }: EditConstraints): EditEffect {
  return effectOf(!includes(old, next), !includes(next, old));
}

/** Effect of adding, removing or changing a constraint. */
export const effectOfVerb: Readonly<Record<ChangeVerb, EditEffect>> = { added: 'narrower', removed: 'wider', changed: 'unknown' };
