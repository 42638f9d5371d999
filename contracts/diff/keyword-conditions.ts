/** Rules for what is excluded and what holds under a condition: `not`, and `if` with `then` and `else`. */

import type { Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { demandsOf, sides, type Two } from './schema-edit.ts';
import { isSchema, type View } from './schema-view.ts';

/** Compares exclusions and conditions. */
export function compareConditions(two: Two): void {
  compareNegation(two);
  compareCondition(two);
}

function statedIn(view: View, keyword: string): readonly Schema[] {
  return (view.keywords.get(keyword) ?? []).map(({ value }) => value).filter(isSchema);
}

function compareNegation(two: Two): void {
  const [old, next] = [statedIn(two.old, 'not'), statedIn(two.new, 'not')];
  const [before, after] = [old[0], next[0]];
  if (old.length === 1 && next.length === 1 && before !== undefined && after !== undefined) {
    two.below({ kind: 'negated' }, before, after);
    return;
  }
  if (isSameList(two, old, next)) return;
  const verb = old.length === 0 ? 'added' : next.length === 0 ? 'removed' : 'changed';
  two.report({
    ...sides(two, 'not'),
    rule: `not-${verb}`,
    effect: ({ added: 'narrower', removed: 'wider', changed: 'unknown' } as const)[verb],
    subject: 'not',
    text: { added: 'some values are excluded now', removed: 'values are no longer excluded', changed: 'what is excluded changed' }[verb],
    demands: demandsOf(two, 'not'),
  });
}

const words = ['if', 'then', 'else'] as const;

function compareCondition(two: Two): void {
  const [old, next] = [conditionIn(two.old), conditionIn(two.new)];
  const changed = words.find((word) => !isSameWord(two, word, old[word], next[word]));
  if (changed === undefined) {
    compareConsequences(two, old, next);
    return;
  }
  const [had, has] = [Object.keys(old).length > 0, Object.keys(next).length > 0];
  const verb = had ? (has ? 'changed' : 'removed') : 'added';
  two.report({
    ...sides(two, changed),
    rule: `condition-${verb}`,
    effect: ({ added: 'narrower', removed: 'wider', changed: 'unknown' } as const)[verb],
    subject: changed,
    text: { added: 'a condition is new', removed: 'a condition is gone', changed: 'what holds under a condition changed' }[verb],
    demands: { old, new: next },
  });
}

/** Whether a word of a condition says the same; of what follows from it, differences are told one by one. */
function isSameWord(two: Two, word: string, before: Json | undefined, after: Json | undefined): boolean {
  if (JSON.stringify(before) !== JSON.stringify(after)) return false;
  return word !== 'if' || !isSchema(before) || !isSchema(after) || !two.differs(before, after);
}

/** Whether two lists hold the same schemas, in words and in what these refer to. */
function isSameList(two: Two, old: readonly Schema[], next: readonly Schema[]): boolean {
  if (JSON.stringify(old) !== JSON.stringify(next)) return false;
  return old.every((schema, index) => !two.differs(schema, next[index] ?? true));
}

/** The words of both conditions are the same; what they refer to may not be. */
function compareConsequences(two: Two, old: Readonly<Record<string, Json>>, next: Readonly<Record<string, Json>>): void {
  for (const word of ['then', 'else'] as const) {
    const [before, after] = [old[word], next[word]];
    if (isSchema(before) && isSchema(after)) two.below({ kind: 'same', keyword: word, label: word }, before, after);
  }
}

function conditionIn(view: View): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    words.flatMap((word) =>
      statedIn(view, word)
        .slice(0, 1)
        .map((schema) => [word, schema] as const),
    ),
  );
}
