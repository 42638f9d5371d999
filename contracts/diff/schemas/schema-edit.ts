/** Edits of schemas: one changed keyword, and its effect on the allowed values. The keyword-*.ts files report them. */

import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema.ts';
import type { ChangeLevel, ChangeSide, HalfOfExchange } from '../../../core/results/contract-change.ts';
import { type FlatSchema, type FlatSchemas, keywordValues } from './flat-schema.ts';

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
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  /** The name, value or keyword that changed. */
  readonly changedItem: string;
  readonly text: string;
  /** Levels set by policy, in place of those that follow from the effect. */
  readonly levels?: Partial<Readonly<Record<HalfOfExchange, ChangeLevel>>>;
  /** Affected clients, where the default reason of the level is not enough. */
  readonly reason?: string;
  /** The constraint that lost values violate, and the one that gained values violated; the full schemas by default. */
  readonly constraints?: EditConstraints;
}

/** The constraints of both sides; the full schema where one is missing. */
export interface EditConstraints {
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
  | { readonly kind: 'same'; readonly keyword: string; readonly label: string }
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
  readonly flatSchemas: FlatSchemas;
  readonly old: FlatSchema;
  readonly new: FlatSchema;
  /** Compares a pair of schemas inside these. */
  readonly compareBelow: (step: SchemaStep, old: Schema, next: Schema) => unknown;
  readonly report: (edit: SchemaEdit) => unknown;
  /** Keywords that other rules compare. */
  readonly comparedElsewhere: ReadonlySet<string>;
  /** True if two schemas differ in what they allow, as far as keyword rules see it. Targets of references count. */
  readonly differs: (old: Schema, next: Schema) => boolean;
  /** True if it is proved that `sup` allows every value of `sub`. */
  readonly includes: (sub: Schema, sup: Schema) => boolean;
}

/** Both sides of a changed keyword. Of several occurrences, the one that `isChosen` accepts, or one that the other side lacks. */
export function changedSides(
  { flatSchemas, old, new: next }: SchemaComparison,
  keyword: string,
  isChosen: (value: Json) => boolean = () => false,
): Pick<SchemaEdit, 'before' | 'after' | 'changedItem'> {
  const sideOf = (flat: FlatSchema, other: FlatSchema): ChangeSide => {
    const known = keywordValues(other, keyword).map((value) => JSON.stringify(value));
    const stated = flat.keywords.get(keyword) ?? [];
    const chosen = stated.find(({ value }) => isChosen(value)) ?? stated.find(({ value }) => !known.includes(JSON.stringify(value)));
    return { value: chosen?.value, place: chosen === undefined ? flat.place : flatSchemas.placeOfMember(chosen.holder, keyword) };
  };
  return { before: sideOf(old, next), after: sideOf(next, old), changedItem: keyword };
}

/** The constraint that a keyword sets on each side, as a schema of its own. */
export function keywordConstraints({ flatSchemas, old, new: next }: SchemaComparison, keyword: string): EditConstraints {
  const constraintOf = (flat: FlatSchema): Schema =>
    flatSchemas.combine(keywordValues(flat, keyword).map((value) => ({ [keyword]: value })));
  return { old: constraintOf(old), new: constraintOf(next) };
}

/** Both sides of a changed keyword, with its constraints. */
export function sidesWithConstraints(
  comparison: SchemaComparison,
  keyword: string,
): Pick<SchemaEdit, 'before' | 'after' | 'changedItem'> & { readonly constraints: EditConstraints } {
  return { ...changedSides(comparison, keyword), constraints: keywordConstraints(comparison, keyword) };
}

/** Effect of changed constraints, from proofs that no value is lost or gained. */
export function provedEffect({ includes }: SchemaComparison, { old = true, new: next = true }: EditConstraints): EditEffect {
  return effectOf(!includes(old, next), !includes(next, old));
}

/** Edit of an optional value. */
export type ChangeVerb = 'added' | 'removed' | 'changed';

/** Edit of a value. */
export function changeVerb(before: unknown, after: unknown): ChangeVerb {
  return before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
}

/** Effect of adding, removing or changing a constraint. */
export const effectOfVerb: Readonly<Record<ChangeVerb, EditEffect>> = { added: 'narrower', removed: 'wider', changed: 'unknown' };

/** A keyword in an id: `allow-reserved`. */
export function toKebab(keyword: string): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
