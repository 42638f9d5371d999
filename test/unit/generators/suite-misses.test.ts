/** The official suite: every schema that refuses something gives near misses, each of them wrong in a place that it names. */

import { describe, expect, it } from 'vitest';
import { invalidArbitraryFor, type NearMiss, nearMissesFor } from '../../../generators/near-miss.ts';
import { draw } from './drawing.ts';
import { breachesOfShrinking } from './laws.ts';
import { breachesOfMiss, precisionOf } from './miss-laws.ts';
import { readSuite, withoutSuite } from './suite.ts';
import { schemasOfSuite } from './suite-schemas.ts';

const suite = readSuite(process.env);
const refutable = suite === undefined ? [] : schemasOfSuite(suite).filter(({ isRefutable }) => isRefutable);
const files = suite === undefined ? ['any file'] : [...new Set(refutable.map(({ title }) => title.split(': ')[0] ?? ''))];

const drawn = new Map<string, readonly NearMiss[]>();

/** Some near misses of a schema, drawn once. */
function missesOf({ title, schema, sources }: (typeof refutable)[number]): readonly NearMiss[] {
  const misses = drawn.get(title) ?? draw(nearMissesFor(schema, sources), { seed: 1, count: 12 });
  drawn.set(title, misses);
  return misses;
}

describe('near misses of the official suite', () => {
  it.for(files)('%s', (file, context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    for (const refuting of refutable.filter((each) => each.title.startsWith(`${file}: `))) {
      const { title, schema, sources, judge } = refuting;
      const isWrong = (miss: NearMiss): readonly string[] => breachesOfMiss(miss, judge);
      const misses = missesOf(refuting);
      expect(misses.flatMap(isWrong), title).toEqual([]);
      const others = nearMissesFor(schema, sources);
      expect(draw(others, { seed: 1, count: 3 }), `${title}: the same seed`).toEqual(misses.slice(0, 3));
      expect(breachesOfShrinking(others, isWrong, { seed: 3, count: 1 }), title).toEqual([]);
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
      .map((refuting) => precisionOf(missesOf(refuting), refuting.judge));
    const mean = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(precisions.length).toBeGreaterThan(240);
    expect(mean(precisions.map(({ single }) => single))).toBeGreaterThan(0.9);
    expect(mean(precisions.map(({ confirmed }) => confirmed))).toBeGreaterThan(0.8);
  });
});
