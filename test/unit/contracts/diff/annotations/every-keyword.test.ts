/** Every word of the annotations: an edit of it is one change, as grave as it is, at its lines. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../../../core/json.ts';
import { annotationsSchemaFile } from '../../../../../core/shipped.ts';
import { expectToldOnce } from './confirm-change.ts';
import { isOfFile, vocabularyEdits } from './keyword-edits.ts';

const definitions = (JSON.parse(readFileSync(annotationsSchemaFile(), 'utf8')) as { readonly $defs: JsonObject }).$defs;

/** Definitions that hold words, and are no places in OpenAPI. */
const holders = ['cursorPage', 'numberedPage', 'offsetPage', 'sortKey', 'filter', 'textSearch', 'visible', 'question'];

/** The words that a definition holds, down to those that hold no others of their own. */
function wordsIn(path: string, schema: JsonObject): readonly string[] {
  const { properties, additionalProperties, items, $ref } = schema;
  const below = (name: string, part: unknown): readonly string[] => (isObject(part) ? wordsIn(`${path}${name}`, part) : []);
  const named = isObject(properties) ? Object.entries(properties).flatMap(([name, part]) => below(`/${name}`, part)) : [];
  const others = [...below('/*', additionalProperties), ...below('', items)].filter((word) => word !== path && !word.endsWith('*'));
  const found = [...new Set([...named, ...others])];
  return found.length > 0 && $ref === undefined ? found : [path];
}

const words = Object.entries(definitions)
  .filter(([name]) => name.startsWith('x-') || holders.includes(name))
  .flatMap(([name, definition]) => (isObject(definition) ? wordsIn(name, definition) : []));

/** Words that only lead to definitions of their own, whose words have edits. */
const passing = ['x-collection/order', 'x-collection/page', 'x-collection/filters', 'x-collection/visible'];

describe('the vocabulary', () => {
  it('has an edit of each word', () => {
    const edited = Object.keys(vocabularyEdits);
    expect(words.filter((word) => !edited.includes(word) && !passing.includes(word))).toEqual([]);
    expect(edited.filter((word) => !words.includes(word))).toEqual([]);
  });

  // Those of lists are many: `vocabulary-lists.test.ts` has them.
  it.each(Object.entries(vocabularyEdits).filter(([word]) => isOfFile(word)))('%s is told once', (_, expected) => expectToldOnce(expected));
});
