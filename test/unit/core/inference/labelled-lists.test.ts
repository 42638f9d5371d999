import { beforeAll, expect, test } from 'vitest';
import type { Filter } from '../../../../core/annotations/annotations.ts';
import { type Guess, type InferredCollection, type InferredList, isSure } from '../../../../core/inference/guess.ts';
import { inferContract } from '../../../../core/inference/infer-contract.ts';
import { isSameNoun } from '../../../../core/inference/names.ts';
import { type Label, loadExcerpt, readExcerpts } from '../../../helpers/labelled-lists.ts';

/** The number of guesses that are sure, of those among them that are true, and of all that could be found. */
interface Score {
  sure: number;
  right: number;
  known: number;
  readonly wrong: string[];
}

const scores = new Map<string, Score>();
let lists = 0;
let files = 0;

function count(kind: string, name: string, truth: string | null | undefined, guess: string | undefined): void {
  const score = scores.get(kind) ?? { sure: 0, right: 0, known: 0, wrong: [] };
  scores.set(kind, score);
  if (truth !== null && truth !== undefined) score.known += 1;
  if (guess === undefined) return;
  score.sure += 1;
  if (guess === truth) score.right += 1;
  else score.wrong.push(`${name}: ${guess}, not ${String(truth)}`);
}

function sureValue<T>(guess: Guess<T> | undefined): T | undefined {
  return isSure(guess) ? guess.value : undefined;
}

interface Found {
  readonly collection: InferredCollection;
  readonly list: InferredList;
}

function countOperation(name: string, label: Label, found: Found | undefined): void {
  count('items', name, label.items, sureValue(found?.list.items));
  // What is said of something that is no list is never used.
  const used = found !== undefined && isSure(found.list.items) ? found : undefined;
  count('key', name, label.key, sureValue(used?.collection.key));
  const paging = sureValue(used?.list.paging);
  count(
    'page',
    name,
    label.page,
    paging === undefined ? undefined : [paging.style, paging.limit ?? '', paging.start ?? ''].join(' ').trim(),
  );
  countFilters(name, label, used);
  for (const [index, truth] of (label.parents ?? []).entries())
    count('parents', `${name} parent ${index}`, truth, sameNoun(truth, sureValue(used?.collection.parents[index])));
  const references = used?.collection.references ?? [];
  for (const field of new Set([...references.map((each) => each.field), ...Object.keys(label.references ?? {})])) {
    const truth = label.references?.[field];
    count('references', `${name} ${field}`, truth, sameNoun(truth, sureValue(references.find((each) => each.field === field)?.target)));
  }
}

function countFilters(name: string, label: Label, used: Found | undefined): void {
  const filters = used?.list.filters ?? new Map<string, Guess<Filter>>();
  for (const parameter of new Set([...filters.keys(), ...Object.keys(label.filters ?? {})])) {
    const filter = sureValue(filters.get(parameter));
    const field = filter?.operator === 'matches' ? filter.fields.join(',') : filter?.field;
    count('filters', `${name} ${parameter}`, label.filters?.[parameter], filter === undefined ? undefined : `${filter.operator} ${field}`);
  }
}

/** The labelled noun where a guess has it, in the singular or the plural, with or without the nouns before it. */
function sameNoun(truth: string | null | undefined, guess: string | undefined): string | undefined {
  return guess !== undefined && typeof truth === 'string' && isSameNoun(guess.split('-').at(-1) ?? '', truth) ? truth : guess;
}

beforeAll(async () => {
  for (const [api, excerpt] of Object.entries(readExcerpts())) {
    files += 1;
    const { collections } = inferContract(await loadExcerpt(excerpt));
    for (const { id, label } of excerpt.operations) {
      if (label === undefined) continue;
      if (label.list !== false) lists += 1;
      const collection = collections.find((each) => each.lists.some(({ operation }) => operation.id === id));
      const list = collection?.lists.find(({ operation }) => operation.id === id);
      countOperation(`${api} ${id}`, label, collection === undefined || list === undefined ? undefined : { collection, list });
    }
  }
}, 120_000);

const precisionOf = ({ right, sure }: Score): number => right / sure;
const recallOf = ({ right, known }: Score): number => right / known;

test('the list has at least 200 lists of 25 files', () => {
  expect(files).toBeGreaterThanOrEqual(25);
  expect(lists).toBeGreaterThanOrEqual(200);
});

test.each(['items', 'key', 'page', 'filters', 'parents', 'references'])('sure guesses of %s are right in 97 of 100', (kind) => {
  const score = scores.get(kind);
  expect(score).toBeDefined();
  if (score === undefined) return;
  expect(precisionOf(score), JSON.stringify(score, null, 1)).toBeGreaterThanOrEqual(0.97);
});

test('arrays, keys and pages are found in 70 of 100', () => {
  const all = ['items', 'key', 'page'].map((kind) => scores.get(kind)).filter((score) => score !== undefined);
  const total = {
    sure: 0,
    right: all.reduce((sum, { right }) => sum + right, 0),
    known: all.reduce((sum, { known }) => sum + known, 0),
    wrong: [],
  };
  expect(recallOf(total)).toBeGreaterThanOrEqual(0.7);
});

test.each([
  ['filters', 0.5],
  ['parents', 0.7],
  ['references', 0.7],
])('%s are found in a part of the cases', (kind, least) => {
  const score = scores.get(kind);
  expect(score === undefined ? 0 : recallOf(score), JSON.stringify(score)).toBeGreaterThanOrEqual(least);
});
