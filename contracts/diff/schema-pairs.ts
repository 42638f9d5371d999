/** Pairs of schemas at corresponding places, and what differs between them: each pair is compared once, however many operations reach it. */

import type { Place } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { compareAll, compareBranches, compareConditions } from './keyword-branches.ts';
import { compareItems, compareMembers, compareProperties } from './keyword-members.ts';
import { compareNotes } from './keyword-notes.ts';
import { compareBounds, compareListed, compareTexts, compareTypes } from './keyword-values.ts';
import type { SchemaEdit, SchemaPair, Step, Two, View } from './schema-edit.ts';

interface OpenPair extends SchemaPair {
  readonly edits: SchemaEdit[];
  readonly children: { readonly step: Step; readonly pair: SchemaPair }[];
}

/** Compares schemas of two contracts. */
export class SchemaPairs {
  readonly #tools: Pick<Two, 'views' | 'includes' | 'comparedElsewhere'>;
  readonly #known = new WeakMap<View, WeakMap<View, SchemaPair>>();

  constructor(tools: Pick<Two, 'views' | 'includes' | 'comparedElsewhere'>) {
    this.#tools = tools;
  }

  /** The pair of two schemas; `around` is where those stand that have no place of their own. */
  of(old: Schema, next: Schema, around: { readonly old: Place; readonly new: Place }): SchemaPair {
    const { views } = this.#tools;
    const [before, after] = [views.of(old, around.old), views.of(next, around.new)];
    const ofOld = this.#known.get(before) ?? new WeakMap<View, SchemaPair>();
    const known = ofOld.get(after);
    if (known !== undefined) return known;
    const pair: OpenPair = { old: before, new: after, edits: [], children: [] };
    this.#known.set(before, ofOld.set(after, pair));
    if (isObject(before.schema) || before.schema !== after.schema) this.#compare(pair);
    return pair;
  }

  #compare(pair: OpenPair): void {
    const pairBelow = (before: Schema, after: Schema): SchemaPair => this.of(before, after, { old: pair.old.place, new: pair.new.place });
    const two: Two = {
      ...this.#tools,
      old: pair.old,
      new: pair.new,
      differs: (before, after) => hasEdits(pairBelow(before, after)),
      report: (edit) => pair.edits.push(edit),
      below: (step, before, after) => pair.children.push({ step, pair: pairBelow(before, after) }),
    };
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
