/** The one-line settings of docs/reference/diff.md for changes that reviewers rate differently. */

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { LevelSetting } from '../../../../contracts/diff/level-settings.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { bodyOf, compareFiles, documentOf } from './small-documents.ts';

const lines = [...(await readFile('docs/reference/diff.md', 'utf8')).matchAll(/`- (\{ id: .*?\})` \|/g)].map(
  ([, line = '']) => parse(line) as LevelSetting,
);
const closed = (names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  additionalProperties: false,
});
const servers = (...urls: readonly string[]): JsonObject => documentOf({}, { servers: urls.map((url) => ({ url })) });

describe('a change that reviewers rate differently', () => {
  it.each<[string, JsonObject, JsonObject, string, string]>([
    [
      'a property of a closed response',
      bodyOf('response', closed(['a'])),
      bodyOf('response', closed(['a', 'b'])),
      'breaking',
      'compatible',
    ],
    [
      'a value of an enum in responses',
      bodyOf('response', { enum: ['a', 'b'] }),
      bodyOf('response', { enum: ['a', 'b', 'c'] }),
      'breaking',
      'risky',
    ],
    ['a removed server', servers('https://a.example/v1', 'https://b.example/v1'), servers('https://a.example/v1'), 'risky', 'breaking'],
  ])('has a default and a line that sets another level: %s', async (_, old, next, byDefault, set) => {
    const levelsWith = async (levels: readonly LevelSetting[]): Promise<readonly string[]> =>
      (await compareFiles({ 'api.json': old }, { 'api.json': next }, { levels })).changes.map(({ level }) => level);
    expect(lines).toHaveLength(3);
    expect([await levelsWith([]), await levelsWith(lines)]).toEqual([[byDefault], [set]]);
  });
});
