/** The official test suite: every schema that rejects something gives invalid examples with true labels. */

import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InvalidExample, invalidArbitraryFor, invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { draw } from '../../unit/generators/drawing.ts';
import { problemsOfRepetition, problemsOfShrinking } from '../../unit/generators/instance-properties.ts';
import { precisionOf, problemsOfInvalidExample } from '../../unit/generators/invalid-example-properties.ts';
import { readSuite, withoutSuite } from '../../unit/generators/suite.ts';
import { schemasOfSuite } from '../../unit/generators/suite-schemas.ts';

const suite = readSuite(process.env);
const refutable = suite === undefined ? [] : schemasOfSuite(suite).filter(({ isRefutable }) => isRefutable);
const files = suite === undefined ? ['any file'] : [...new Set(refutable.map(({ title }) => title.split(': ')[0] ?? ''))];

interface ScalarResult {
  readonly arbitrary: Arbitrary<InvalidExample>;
  /** Some that were drawn. */
  readonly invalidExamples: readonly InvalidExample[];
}

const opened = new Map<string, ScalarResult>();

/** The invalid examples of a schema. Opening one takes long, so both tests share it. */
function missesOf({ title, schema, sources }: (typeof refutable)[number]): ScalarResult {
  const known = opened.get(title);
  if (known !== undefined) return known;
  const arbitrary = invalidExampleFor(schema, sources);
  const fresh = { arbitrary, invalidExamples: draw(arbitrary, { seed: 1, count: 8 }) };
  opened.set(title, fresh);
  return fresh;
}

describe('invalid examples of the official suite', () => {
  it.for(files)('%s', (file, context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    for (const [index, refuting] of refutable.filter((each) => each.title.startsWith(`${file}: `)).entries()) {
      const { title, schema, sources, judge } = refuting;
      const isWrong = (example: InvalidExample): readonly string[] => problemsOfInvalidExample(example, judge);
      const { arbitrary, invalidExamples } = missesOf(refuting);
      expect(invalidExamples.flatMap(isWrong), title).toEqual([]);
      expect(problemsOfShrinking(arbitrary, isWrong, { seed: 3, count: 1 }), title).toEqual([]);
      if (index % 4 !== 1) continue;
      expect(
        problemsOfRepetition(() => invalidExampleFor(schema, sources), { seed: 2, count: 3 }, arbitrary),
        title,
      ).toEqual([]);
      const invalid = draw(invalidArbitraryFor(schema, sources), { seed: 4, count: 3 });
      expect(
        invalid.filter((value) => judge(value).length === 0),
        title,
      ).toEqual([]);
    }
  });

  it('are wrong in one place only, nearly always', (context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    const precisions = refutable
      .filter(({ isJudgedByAjv }) => isJudgedByAjv)
      .map((refuting) => precisionOf(missesOf(refuting).invalidExamples, refuting.judge));
    const mean = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(precisions.length).toBeGreaterThan(240);
    expect(mean(precisions.map(({ single }) => single))).toBeGreaterThan(0.9);
    expect(mean(precisions.map(({ confirmed }) => confirmed))).toBeGreaterThan(0.8);
  });
});
