/** The deviations of the second server that the laws about lists, keys, tenants, tags and single answers name. */

import { describe, expect, test } from 'vitest';
import { faults } from '../../second/faults.ts';
import type { SecondOptions } from '../../second/server.ts';
import { judgeSecond, violated } from './second.ts';

/** What some deviations need to be seen at all. */
const needs: Readonly<Record<string, Omit<SecondOptions, 'api'>>> = {
  'retry-after-missing': { rateLimit: 9 },
  'not-ready-html': { notReady: 9 },
  'updated-after-to-the-second': { choices: { 'changed-at': 'milliseconds' } },
};

/** A tag that only follows the identifier shows when a record changes between two reads of it, which a short run waits for in vain. */
const needsTime: ReadonlySet<string> = new Set(['tag-of-id']);

/** How many deviations are judged for each law, unless all are asked for: a run takes a second or two. */
const judgedPerLaw = process.env['TOUCHSTONE_ALL_FAULTS'] === undefined ? 1 : Number.POSITIVE_INFINITY;

/** Laws about single answers and troubles only look at what others ask for. */
const asking = [
  'keys/missing',
  'keys/unknown',
  'keys/scopes',
  'conditional/tag',
  'details/absent',
  'details/hostile',
  'details/reachable',
  'paging/limit-*',
];

/** The laws that a deviation is judged by: the one that names it, and those that it needs. */
function judgedBy(law: string): readonly string[] {
  return /^(response|trouble)\//.test(law) ? [law, ...asking] : [law];
}

/** Tests that every deviation of some groups of laws violates the law that names it. */
export function testFaults(groups: RegExp): void {
  const named = faults.filter(({ id, law }) => groups.test(law) && !needsTime.has(id));

  describe.each([...new Set(named.map(({ law }) => law))])('%s is violated by', (law) => {
    const own = named
      .filter((fault) => fault.law === law)
      .slice(0, judgedPerLaw)
      .map(({ id, api }) => [id, api] as const);

    test.each(own)('%s (%s)', { timeout: 60_000 }, async (id, api) => {
      const only = judgedBy(law).filter((each) => api === 'business' || /^(response|details)\//.test(each) || each === law);
      const result = await judgeSecond({ api, faults: [id], ...needs[id] }, { only });
      expect(violated(result)).toContain(law);
    });
  });
}
