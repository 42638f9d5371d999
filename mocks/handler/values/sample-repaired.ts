/** Makes values of schemas that are valid where that is possible: members whose example is not valid get another value. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import { createDraw } from './draw.ts';
import { type Sample, type SampleOptions, sampleValue } from './sample-value.ts';

type Judge = (value: Json) => readonly SchemaViolation[];

/**
 * A value of a schema; varied by a seed. Members whose example is not valid get another value, and only they. For a large schema, each step takes tens of
 * milliseconds, so others are answered between them.
 */
export async function sampleRepaired(
  schema: Schema,
  judge: Judge | undefined,
  options: SampleOptions,
  seed: number | undefined,
): Promise<Sample> {
  const sampleWith = (more: Partial<SampleOptions>): Sample =>
    sampleValue(schema, { ...options, ...more, ...(seed === undefined ? {} : { draw: createDraw(seed) }) });
  const first = sampleWith({ patternText: loadedPatternText });
  const sample = first.lacksPattern ? sampleWith({ patternText: await loadPatternText() }) : first;
  await nextTurn();
  const wrong = sample.value === undefined || judge === undefined ? [] : judge(sample.value);
  if (wrong.length === 0 || judge === undefined) return sample;
  const patternText = await loadPatternText();
  await nextTurn();
  const repaired = sampleWith({ patternText, withoutExamples: new Set(wrong.map(({ path }) => path)) });
  return repaired.value !== undefined && judge(repaired.value).length < wrong.length ? repaired : sample;
}

type PatternText = NonNullable<SampleOptions['patternText']>;

let loadedPatternText: PatternText | undefined;

/** Loads the generator, which few bodies need, and which takes a while. */
async function loadPatternText(): Promise<PatternText> {
  const { simplestInstance } = await import('../../../generators/schema-arbitrary.ts');
  loadedPatternText ??= ({ pattern, minLength, maxLength }) => {
    const bounds = Object.entries({ pattern, minLength, maxLength }).filter(([, value]) => value !== undefined);
    const text = simplestInstance({ type: 'string', ...(Object.fromEntries(bounds) as Schema & object) });
    return typeof text === 'string' ? text : undefined;
  };
  return loadedPatternText;
}
