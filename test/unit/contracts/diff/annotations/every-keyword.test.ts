/** Every annotation keyword apart from those of lists: an edit is one change, with its level and lines. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../../../core/json.ts';
import { annotationsSchemaFile } from '../../../../../core/shipped-files.ts';
import { expectReportedOnce } from './confirm-change.ts';
import { isOfFile, keywordEdits } from './keyword-edits.ts';

const definitions = (JSON.parse(readFileSync(annotationsSchemaFile(), 'utf8')) as { readonly $defs: JsonObject }).$defs;

/** Definitions of the annotations' schema that hold keywords, apart from the annotations themselves. */
const holders = ['cursorPage', 'numberedPage', 'offsetPage', 'sortKey', 'filter', 'textSearch', 'visible', 'question'];

/** Keywords of a definition, down to those without keywords of their own. */
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

/** Keywords that only refer to other definitions. */
const passing = ['x-collection/order', 'x-collection/page', 'x-collection/filters', 'x-collection/visible'];

describe('the vocabulary', () => {
  it('has an edit of each keyword', () => {
    const edited = Object.keys(keywordEdits);
    expect(words.filter((word) => !edited.includes(word) && !passing.includes(word))).toEqual([]);
    expect(edited.filter((word) => !words.includes(word))).toEqual([]);
  });

  it.each(Object.entries(keywordEdits).filter(([word]) => isOfFile(word)))('%s is reported once', (_, expected) =>
    expectReportedOnce(expected),
  );
});
