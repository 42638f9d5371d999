/** The deviations of the second server that the laws about lists, keys, tenants, tags and single answers name. */

import { describe, expect, test } from 'vitest';
import { busy } from '../second/chaos.ts';
import { faults } from '../second/faults.ts';
import type { SecondOptions } from '../second/server.ts';
import { judgeSecond, violated } from './second.ts';

/** What some deviations need to be seen at all. */
const needs: Readonly<Record<string, Omit<SecondOptions, 'api'>>> = {
  'tag-of-id': { chaos: busy },
  'retry-after-missing': { rateLimit: 9 },
  'not-ready-html': { notReady: 9 },
  'updated-after-to-the-second': { choices: { 'changed-at': 'milliseconds' } },
};

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
  const named = faults.filter(({ law }) => groups.test(law));

  describe.each([...new Set(named.map(({ law }) => law))])('%s is violated by', (law) => {
    const own = named.filter((fault) => fault.law === law).map(({ id, api }) => [id, api] as const);

    test.each(own)('%s (%s)', { timeout: 60_000 }, async (id, api) => {
      const only = judgedBy(law).filter((each) => api === 'business' || /^(response|details)\//.test(each) || each === law);
      const result = await judgeSecond({ api, faults: [id], ...needs[id] }, { only });
      expect(violated(result)).toContain(law);
    });
  });
}
