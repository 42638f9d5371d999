/** Properties of a few random schemas; the campaign `random-schemas` tests thousands. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { schemas } from './random-schema.ts';
import { examineInstances, examineInvalidExamples } from './random-schema-checks.ts';

const drawn = fc.sample(schemas(3), { seed: 2026, numRuns: 24 });

it.each(drawn.map((schema) => [JSON.stringify(schema), schema] as const))('%s', (_text, schema) => {
  expect(examineInstances(schema).problems).toEqual([]);
  expect(examineInvalidExamples(schema).problems).toEqual([]);
});
