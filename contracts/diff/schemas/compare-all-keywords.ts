import { isObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { HalfOfExchange } from '../../../core/results/diff-result.ts';
import type { EditedSide } from '../component-places.ts';
import { compareItems } from './compare-array-keywords.ts';
import { compareBranches, compareConditions, compareHeirs } from './compare-composition-keywords.ts';
import { compareMetadata } from './compare-metadata-keywords.ts';
import { compareProperties, compareUnnamedProperties } from './compare-object-keywords.ts';
import { compareBounds, compareEnums, compareStringKeywords, compareTypes } from './compare-value-keywords.ts';
import type { FlatSchema } from './flat-schema.ts';
import { openChoices } from './open-choice.ts';
import type { SchemaComparison, SchemaEdit, SchemaPair, SchemaStep } from './schema-pair.ts';

type Placed = Pick<EditedSide, 'place'>;

interface GrowingPair extends SchemaPair {
  readonly edits: SchemaEdit[];
  readonly children: { readonly step: SchemaStep; readonly pair: SchemaPair }[];
}

/** Compares all keywords of two schemas and of the schemas below them, once for each pair of schemas. It rates nothing. */
export class KeywordComparer {
  readonly #tools: Pick<SchemaComparison, 'flatSchemas' | 'includes' | 'renamedComponents' | 'today'>;
  readonly #pairs = new WeakMap<FlatSchema, WeakMap<FlatSchema, SchemaPair>>();
  readonly #unchanged = { request: new WeakSet<SchemaPair>(), response: new WeakSet<SchemaPair>() };

  constructor(tools: Pick<SchemaComparison, 'flatSchemas' | 'includes' | 'renamedComponents' | 'today'>) {
    this.#tools = tools;
  }

  /** The pair of two schemas, with its edits. `around` gives the places for schemas without one of their own. */
  compare(old: Schema, next: Schema, around: { readonly old: Placed; readonly new: Placed }): SchemaPair {
    const { flatSchemas } = this.#tools;
    const [before, after] = [flatSchemas.of(old, around.old), flatSchemas.of(next, around.new)];
    const pairsOfOld = this.#pairs.get(before) ?? new WeakMap<FlatSchema, SchemaPair>();
    const comparedPair = pairsOfOld.get(after);
    if (comparedPair !== undefined) return comparedPair;
    const [opened, newOpened] = openChoices(flatSchemas, before, after);
    const pair: GrowingPair = { old: opened, new: newOpened, edits: [], children: [] };
    this.#pairs.set(before, pairsOfOld.set(after, pair));
    if (isObject(before.schema) || before.schema !== after.schema) this.#compareKeywords(pair);
    return pair;
  }

  /** Records pairs that mean the same in a direction, with all pairs below them, so that no other use walks through them. */
  recordUnchanged(pairs: readonly SchemaPair[], direction: HalfOfExchange): void {
    for (const pair of pairs) this.#unchanged[direction].add(pair);
  }

  isUnchanged(pair: SchemaPair, direction: HalfOfExchange): boolean {
    return this.#unchanged[direction].has(pair);
  }

  #compareKeywords(pair: GrowingPair): void {
    const pairBelow = (before: Schema, after: Schema): SchemaPair => this.compare(before, after, pair);
    const comparison: SchemaComparison = {
      ...this.#tools,
      old: pair.old,
      new: pair.new,
      differs: (before, after) => hasEdits(pairBelow(before, after)),
      report: (edit) => pair.edits.push(edit),
      compareBelow: (step, before, after) => pair.children.push({ step, pair: pairBelow(before, after) }),
    };
    compareMetadata(comparison);
    const haveCommonType = compareTypes(comparison);
    if (!haveCommonType) return;
    compareEnums(comparison);
    compareBounds(comparison);
    compareStringKeywords(comparison);
    compareProperties(comparison);
    compareUnnamedProperties(comparison);
    compareItems(comparison);
    for (const keyword of ['anyOf', 'oneOf'] as const) compareBranches(comparison, keyword);
    compareHeirs(comparison);
    compareConditions(comparison);
  }
}

/** True if a pair, or a pair below it, has an edit with an effect. */
function hasEdits(root: SchemaPair): boolean {
  const seen = new Set([root]);
  for (const pair of seen) {
    if (pair.edits.some(({ effect }) => effect !== 'none')) return true;
    for (const { pair: below } of pair.children) seen.add(below);
  }
  return false;
}
