/** Pairs of schemas at corresponding places, and what differs between them: each pair is compared once, however many operations reach it. */

import type { Place } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { compareAll } from './keyword-all.ts';
import { compareBounds } from './keyword-bounds.ts';
import { compareBranches } from './keyword-branches.ts';
import { compareConditions } from './keyword-conditions.ts';
import { compareItems } from './keyword-items.ts';
import { compareMembers } from './keyword-members.ts';
import { compareNotes } from './keyword-notes.ts';
import { compareProperties } from './keyword-properties.ts';
import { compareTexts } from './keyword-text.ts';
import { compareListed, compareTypes } from './keyword-values.ts';
import type { SchemaEdit, SchemaPair, Step, Two } from './schema-edit.ts';
import type { View, Views } from './schema-view.ts';

interface OpenPair extends SchemaPair {
  readonly edits: SchemaEdit[];
  readonly children: { readonly step: Step; readonly pair: SchemaPair }[];
}

/** Compares schemas of two contracts. */
export class SchemaPairs {
  readonly #views: Views;
  readonly #includes: Two['includes'];
  readonly #otherwise: Two['comparedElsewhere'];
  readonly #known = new WeakMap<View, WeakMap<View, SchemaPair>>();

  constructor(views: Views, includes: Two['includes'], comparedElsewhere: Two['comparedElsewhere']) {
    this.#otherwise = comparedElsewhere;
    this.#views = views;
    this.#includes = includes;
  }

  /** The pair of two schemas; `around` is where those stand that have no place of their own. */
  of(old: Schema, next: Schema, around: { readonly old: Place; readonly new: Place }): SchemaPair {
    const [before, after] = [this.#views.of(old, around.old), this.#views.of(next, around.new)];
    const known = this.#known.get(before)?.get(after);
    if (known !== undefined) return known;
    const pair: OpenPair = { old: before, new: after, edits: [], children: [] };
    const ofOld = this.#known.get(before) ?? new WeakMap<View, SchemaPair>();
    this.#known.set(before, ofOld.set(after, pair));
    this.#compare(pair);
    return pair;
  }

  #compare(pair: OpenPair): void {
    const [old, next] = [pair.old.schema, pair.new.schema];
    const two: Two = {
      views: this.#views,
      old: pair.old,
      new: pair.new,
      includes: this.#includes,
      comparedElsewhere: this.#otherwise,
      differs: (before, after) => hasEdits(this.of(before, after, { old: pair.old.place, new: pair.new.place })),
      report: (edit) => pair.edits.push(edit),
      below: (step, before, after) => {
        pair.children.push({ step, pair: this.of(before, after, { old: pair.old.place, new: pair.new.place }) });
      },
    };
    if (!isObject(old) && old === next) return;
    compareNotes(two);
    // Of values that have no type in common, nothing else is worth saying.
    if (!compareTypes(two)) return;
    compareListed(two);
    compareBounds(two);
    compareTexts(two);
    compareProperties(two);
    compareMembers(two);
    compareItems(two);
    compareAll(two);
    for (const keyword of ['anyOf', 'oneOf'] as const) compareBranches(two, keyword);
    compareConditions(two);
  }
}

/** Whether a pair, or one below it, has an edit that matters. */
function hasEdits(root: SchemaPair): boolean {
  const seen = new Set([root]);
  for (const pair of seen) {
    if (pair.edits.some(({ effect }) => effect !== 'none')) return true;
    for (const { pair: below } of pair.children) seen.add(below);
  }
  return false;
}
