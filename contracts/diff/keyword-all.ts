/** The rule for schemas that are put beside others: `allOf`. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { labelOf } from './keyword-branches.ts';
import type { Two } from './schema-edit.ts';
import type { View } from './schema-view.ts';

/**
 * A schema that is put beside others in `allOf` is meant to demand more. Its keywords are compared together with all others; it is told by itself only
 * where nothing else of the schema changed.
 */
export function compareAll(two: Two): void {
  const [before, after] = [allOf(two.old.schema), allOf(two.new.schema)];
  if (before === undefined || after === undefined || before.rest !== after.rest) return;
  const isAppended = before.texts.every((text) => after.texts.includes(text));
  const isCut = after.texts.every((text) => before.texts.includes(text));
  if (isAppended === isCut) return;
  const [longer, shorter] = isAppended ? [after, before] : [before, after];
  for (const [index, branch] of longer.branches.entries()) {
    if (shorter.texts.includes(longer.texts[index] ?? '') || demandsNothing(two.views.of(branch, two.new.place))) continue;
    report(two, branch, labelOf(branch, index), isAppended);
  }
}

function report(two: Two, branch: Schema, label: string, isAppended: boolean): void {
  two.report({
    before: { value: isAppended ? undefined : branch, place: two.old.place },
    after: { value: isAppended ? branch : undefined, place: two.new.place },
    rule: isAppended ? 'all-of-added' : 'all-of-removed',
    effect: isAppended ? 'narrower' : 'wider',
    subject: JSON.stringify(branch),
    text: `${label} is ${isAppended ? 'new in' : 'gone from'} allOf`,
    demands: isAppended ? { new: branch } : { old: branch },
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
