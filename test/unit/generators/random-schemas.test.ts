/** Some schemas at random; the campaign `random-schemas` has thousands of them. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { schemas } from './random-schema.ts';
import { examineInstances, examineMisses } from './random-schema-laws.ts';

const drawn = fc.sample(schemas(3), { seed: 2026, numRuns: 24 });

it.each(drawn.map((schema) => [JSON.stringify(schema), schema] as const))('%s', (_text, schema) => {
  expect(examineInstances(schema).breaches).toEqual([]);
  expect(examineMisses(schema).breaches).toEqual([]);
});
