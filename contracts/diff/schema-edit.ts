/** Edits of schemas: one difference of one keyword, and what it does to the values that are allowed, whoever sends them. */

import type { HalfOfExchange, Level, Side } from '../../core/change.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import type { View, Views } from './schema-view.ts';

/**
 * What an edit does to the values that a schema allows: fewer than before, more than before, some gone and some new, or neither. What can be told
 * only by comparing the schemas whole is `unknown`.
 */
export type Effect = 'narrower' | 'wider' | 'both' | 'none' | 'unknown';

/** The effect of losing and gaining values. */
export function effectOf(loses: boolean, gains: boolean): Effect {
  if (loses && gains) return 'both';
  if (loses) return 'narrower';
  return gains ? 'wider' : 'none';
}

/** One difference between two schemas at one place. */
export interface SchemaEdit {
  /** The second half of a change's id, such as `enum-value-removed`. */
  readonly rule: string;
  readonly effect: Effect;
  readonly before: Side;
  readonly after: Side;
  /** The name or the value that it is about. */
  readonly subject: string;
  readonly text: string;
  /** Where policy, not logic, decides. */
  readonly levels?: Partial<Readonly<Record<HalfOfExchange, Level>>>;
  /** Who breaks, where there is more to say than the level says. */
  readonly reason?: string;
  /** The demand of the new schema that an old value fails, and that of the old schema that a new value fails; the whole schema where none is given. */
  readonly demands?: { readonly old?: Schema; readonly new?: Schema };
}

/** A step from a schema to one below it. */
export type Step =
  | { readonly kind: 'property'; readonly name: string; readonly isReadOnly: boolean; readonly isWriteOnly: boolean }
  | { readonly kind: 'items' }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'contains' }
  | { readonly kind: 'others' }
  | { readonly kind: 'matching'; readonly pattern: string }
  | { readonly kind: 'names' }
  /** A schema about the same value, such as a branch of `anyOf`. */
  | { readonly kind: 'same'; readonly keyword: string; readonly label: string }
  /** A schema that turns what is below it round: `not`. */
  | { readonly kind: 'negated' };

/** Two schemas at corresponding places, and all that differs between them. */
export interface SchemaPair {
  readonly old: View;
  readonly new: View;
  readonly edits: readonly SchemaEdit[];
  readonly children: readonly { readonly step: Step; readonly pair: SchemaPair }[];
}

/** What the rules of keywords work with. */
export interface Two {
  readonly views: Views;
  readonly old: View;
  readonly new: View;
  /** The pair below a step. */
  readonly below: (step: Step, old: Schema, next: Schema) => void;
  readonly report: (edit: SchemaEdit) => void;
  /** Keywords that others compare. */
  readonly comparedElsewhere: ReadonlySet<string>;
  /** Whether two schemas differ in what they allow as far as rules see it, also where their words are the same and what they refer to is not. */
  readonly differs: (old: Schema, next: Schema) => boolean;
  /** Whether one schema's instances are all instances of the other, as far as that is proved. */
  readonly includes: (sub: Schema, sup: Schema) => boolean;
}

/** Both sides of an edit of a keyword. Where it is stated several times, the statement that the other side does not have, or one that is meant. */
export function sides(two: Two, keyword: string, isMeant?: (value: Json) => boolean): Pick<SchemaEdit, 'before' | 'after'> {
  return { before: sideOf(two, two.old, two.new, keyword, isMeant), after: sideOf(two, two.new, two.old, keyword, isMeant) };
}

function sideOf({ views }: Two, view: View, other: View, keyword: string, isMeant?: (value: Json) => boolean): Side {
  const textsOf = (each: View): readonly string[] => (each.keywords.get(keyword) ?? []).map(({ value }) => JSON.stringify(value));
  const known = textsOf(other);
  const stated = view.keywords.get(keyword) ?? [];
  const meant = stated.find(({ value }) => isMeant?.(value) === true) ?? stated.find(({ value }) => !known.includes(JSON.stringify(value)));
  return { value: meant?.value, place: meant === undefined ? view.place : views.placeIn(meant.holder, keyword) };
}

/** The demands that one keyword makes on each side, as schemas of their own. */
export function demandsOf(two: Two, keyword: string): NonNullable<SchemaEdit['demands']> {
  const alone = (view: View): Schema => {
    const stated = view.keywords.get(keyword) ?? [];
    const parts: readonly JsonObject[] = stated.map(({ value }) => ({ [keyword]: value }));
    return two.views.join(parts);
  };
  return { old: alone(two.old), new: alone(two.new) };
}

/** A value as sentences show it. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
