/** The project speaks the words of its field: words that it once made up stay out of code, texts and pages. docs/glossary.md has the words that remain special. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, repository } from '../../helpers/tree.ts';

/** A retired word, and the word of the field that takes its place. */
const retired: ReadonlyMap<string, string> = new Map([
  ['law', 'rule'],
  ['rival', 'mutant'],
  ['weather', 'chaos'],
  ['universe', 'snapshot'],
  ['lab', 'run context'],
  ['sighting', 'reading'],
  ['ledger', 'history index'],
  ['chronicle', 'history'],
  ['taste', 'character weights'],
  ['quarry', 'target'],
  ['workshop', 'factory'],
  ['oddity', 'malformed value'],
]);

/** Texts that name a retired word on purpose: this test, and records of earlier decisions and measurements. */
const exempt = /^(test\/unit\/architecture\/words\.test\.ts|CHANGELOG\.md|docs\/reference\/campaigns\/code-mutants\.md|package-lock\.json)/;

/** The words of a text, in lower case: `openLab` has two. */
function wordsOf(text: string): readonly string[] {
  return (text.replaceAll('GitLab', '').match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

/** Retired words in a text, each with its replacement; plurals count. */
function listRetired(text: string): readonly string[] {
  const plain = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');
  const found = new Set(wordsOf(text).flatMap((word) => [word, plain(word)].filter((each) => retired.has(each))));
  return [...found].map((word) => `${word}: write ${retired.get(word)}`);
}

describe('words', () => {
  it.each([
    ['openLab(laws)', ['lab: write run context', 'law: write rule']],
    ['a label on GitLab, an outlaw and a ledger', ['ledger: write history index']],
    ['rules and mutants', []],
  ] as const)('%s', (text, expected) => {
    expect(listRetired(text)).toEqual(expected);
  });

  it('that are retired stand nowhere', () => {
    const found = listFiles(repository)
      .filter((path) => /\.(ts|mjs|cjs|md|json|ya?ml|sh)$/.test(path) && !exempt.test(path))
      .flatMap((path) => [path, readFileSync(join(repository, path), 'utf8')].flatMap(listRetired).map((each) => `${path}: ${each}`));
    expect(found).toEqual([]);
  });
});
