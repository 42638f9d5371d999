/** The official suite: every schema that refuses something gives near misses, each of them wrong in a place that it names. */

import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invalidArbitraryFor, type NearMiss, nearMissesFor } from '../../../generators/near-miss.ts';
import { draw } from './drawing.ts';
import { breachesOfRepetition, breachesOfShrinking } from './laws.ts';
import { breachesOfMiss, precisionOf } from './miss-laws.ts';
import { readSuite, withoutSuite } from './suite.ts';
import { schemasOfSuite } from './suite-schemas.ts';

const suite = readSuite(process.env);
const refutable = suite === undefined ? [] : schemasOfSuite(suite).filter(({ isRefutable }) => isRefutable);
const files = suite === undefined ? ['any file'] : [...new Set(refutable.map(({ title }) => title.split(': ')[0] ?? ''))];

interface Opened {
  readonly arbitrary: Arbitrary<NearMiss>;
  /** Some that were drawn. */
  readonly misses: readonly NearMiss[];
}

const opened = new Map<string, Opened>();

/** The near misses of a schema. Opening one takes long, so both tests share it. */
function missesOf({ title, schema, sources }: (typeof refutable)[number]): Opened {
  const known = opened.get(title);
  if (known !== undefined) return known;
  const arbitrary = nearMissesFor(schema, sources);
  const fresh = { arbitrary, misses: draw(arbitrary, { seed: 1, count: 8 }) };
  opened.set(title, fresh);
  return fresh;
}

describe('near misses of the official suite', () => {
  it.for(files)('%s', (file, context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    for (const [index, refuting] of refutable.filter((each) => each.title.startsWith(`${file}: `)).entries()) {
      const { title, schema, sources, judge } = refuting;
      const isWrong = (miss: NearMiss): readonly string[] => breachesOfMiss(miss, judge);
      const { arbitrary, misses } = missesOf(refuting);
      expect(misses.flatMap(isWrong), title).toEqual([]);
      expect(breachesOfShrinking(arbitrary, isWrong, { seed: 3, count: 1 }), title).toEqual([]);
      if (index % 4 !== 1) continue;
      expect(
        breachesOfRepetition(() => nearMissesFor(schema, sources), { seed: 2, count: 3 }, arbitrary),
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
      .map((refuting) => precisionOf(missesOf(refuting).misses, refuting.judge));
    const mean = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(precisions.length).toBeGreaterThan(240);
    expect(mean(precisions.map(({ single }) => single))).toBeGreaterThan(0.9);
    expect(mean(precisions.map(({ confirmed }) => confirmed))).toBeGreaterThan(0.8);
  });
});
