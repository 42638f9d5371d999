/** The official suite: every schema that refuses something gives near misses, each of them wrong in a place that it names. */

import { describe, expect, it } from 'vitest';
import type { NearMiss } from '../../../generators/near-miss.ts';
import { invalidArbitraryFor, nearMissesFor } from '../../../generators/near-miss.ts';
import { draw } from './drawing.ts';
import { breachesOfRepetition, breachesOfShrinking } from './laws.ts';
import { breachesOfMiss, precisionOf } from './miss-laws.ts';
import { readSuite, withoutSuite } from './suite.ts';
import { schemasOfSuite } from './suite-schemas.ts';

const suite = readSuite(process.env);
const refutable = suite === undefined ? [] : schemasOfSuite(suite).filter(({ isRefutable }) => isRefutable);
const files = suite === undefined ? ['any file'] : [...new Set(refutable.map(({ title }) => title.split(': ')[0] ?? ''))];

describe('near misses of the official suite', () => {
  it.for(files)('%s', (file, context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    for (const { title, schema, sources, judge } of refutable.filter((each) => each.title.startsWith(`${file}: `))) {
      const misses = nearMissesFor(schema, sources);
      const isWrong = (miss: NearMiss): readonly string[] => breachesOfMiss(miss, judge);
      expect(draw(misses, { seed: 1, count: 15 }).flatMap(isWrong), title).toEqual([]);
      expect(
        breachesOfRepetition(() => nearMissesFor(schema, sources), { seed: 2, count: 3 }),
        title,
      ).toEqual([]);
      expect(breachesOfShrinking(misses, isWrong, { seed: 3, count: 1 }), title).toEqual([]);
      const invalid = draw(invalidArbitraryFor(schema, sources), { seed: 4, count: 5 });
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
      .map(({ schema, sources, judge }) => precisionOf(draw(nearMissesFor(schema, sources), { seed: 5, count: 8 }), judge));
    const mean = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(precisions.length).toBeGreaterThan(240);
    expect(mean(precisions.map(({ single }) => single))).toBeGreaterThan(0.9);
    expect(mean(precisions.map(({ confirmed }) => confirmed))).toBeGreaterThan(0.8);
  });
});
