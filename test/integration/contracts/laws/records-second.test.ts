/** The same laws against the server that was written apart: whatever it chooses where the documents are silent, and with each of its deviations. */

import { describe, expect, test, vi } from 'vitest';
import { busy, edges, slow } from '../../../second/chaos.ts';
import { choicesOf } from '../../../second/choices.ts';
import { readFaults } from '../../../second/faults-reads.ts';
import { wikiFaults } from '../../../second/faults-wiki.ts';
import { type SecondOptions, startSecondServer } from '../../../second/server.ts';
import { groups, judgeRecords, violated } from './records.ts';

vi.setConfig({ testTimeout: 60_000 });

const isOurs = /^(details|pages|visible|search)\//;

/** Unless all are asked for, few are tried: `test/night/verify.mjs` judges a thousand correct servers by all laws. */
const isWhole = process.env['TOUCHSTONE_ALL_FAULTS'] !== undefined;

/** Each so-many-th choice, and the seeds of changing data. */
const [step, seeds] = isWhole ? [1, [1, 2, 3]] : [12, [3]];

describe('legal choices', () => {
  const all = (['business', 'wiki'] as const).flatMap((api) =>
    Object.entries(choicesOf(api)).flatMap(([id, values]) => values.map((value) => [api, id, value] as const)),
  );

  test.each(all.filter((_, index) => index % step === 0))('%s with %s: %s raises nothing', async (api, id, value) => {
    const server = await startSecondServer({ api, choices: { [id]: value } });
    expect(violated(await judgeRecords(api, server, groups[api]))).toEqual([]);
  });

  test.each(['none', 'one', 'two', 'same-instant', 'large'] as const)('nor does data that is %s', async (data) => {
    for (const api of ['business', 'wiki'] as const) {
      const options: SecondOptions = { api, data };
      expect(violated(await judgeRecords(api, await startSecondServer(options), groups[api], data === 'large'))).toEqual([]);
    }
  });

  test.each(Object.entries({ busy, edges, slow }))('nor does data that changes meanwhile: %s', async (_name, chaos) => {
    for (const api of ['business', 'wiki'] as const)
      for (const seed of seeds)
        expect(violated(await judgeRecords(api, await startSecondServer({ api, seed, chaos }), groups[api]))).toEqual([]);
  });
});

describe('each deviation', () => {
  const faults = [...wikiFaults, ...readFaults].filter(({ law }) => isOurs.test(law));

  test.each(faults.map(({ api, id, law }) => [api, id, law] as const))('%s: %s violates %s', async (api, id, law) => {
    const result = await judgeRecords(api, await startSecondServer({ api, faults: [id] }), [law]);
    expect(violated(result)).toEqual([law]);
  });
});
