/** Combined keywords: each instance satisfies all of them, and each invalid example violates one. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../generators/constraints/validate-instance.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { openSchema } from '../../../generators/schema/located-schema.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { judgeOf, type SchemaJudge } from '../../helpers/schema-judge.ts';
import { combinedSchemas } from './combined-schemas.ts';
import { draw } from './drawing.ts';
import { problemsOfInstances } from './instance-properties.ts';
import { problemsOfInvalidExamples } from './invalid-example-properties.ts';

/** ajv does not know that `contains` evaluates items; our evaluator does, and the official suite has proved it. */
function fairJudgeOf(schema: Schema): SchemaJudge {
  const words = JSON.stringify(schema);
  if (!words.includes('"contains"') || !words.includes('"unevaluatedItems"')) return judgeOf(schema);
  const location = openSchema(schema);
  return (instance: Json) => (isValid(location, instance) ? [] : [{ path: '', keyword: 'unknown' }]);
}

const drawing = { seed: 17, count: 8 };

describe.each(Object.entries(combinedSchemas))('%s', (_group, schemas) => {
  it.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))('%s', (_title, schema) => {
    const judge = fairJudgeOf(schema);
    // Opening takes most of the time, so each is opened once: other tests show that a second opening draws the same.
    const [instances, invalidExamples] = [arbitraryFor(schema), invalidExampleFor(schema)];
    expect(problemsOfInstances(() => instances, judge, drawing)).toEqual([]);
    expect(problemsOfInvalidExamples(() => invalidExamples, judge, { ...drawing, count: 4 })).toEqual([]);
    expect(new Set(draw(instances, { ...drawing, count: 10 }).map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
  });
});
