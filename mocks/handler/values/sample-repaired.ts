/** Makes values of schemas that are valid where that is possible: members that are not valid get another typical value, are left out, or are generated. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import { createDraw } from './draw.ts';
import { repairValue } from './repair-value.ts';
import { type Sample, type SampleOptions, sampleValue } from './sample-value.ts';

type Judge = (value: Json) => readonly SchemaViolation[];

/**
 * A value of a schema; varied by a seed. Members that are not valid get another value, or none, and only they. For a large schema, each step takes tens of
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
  if (judge === undefined) return sample;
  if (sample.value === undefined) return { ...sample, value: await repairValue(schema, undefined, judge, options) };
  let best = { sample, wrong: judge(sample.value) };
  let { wrong } = best;
  const failures = new Map<string, number>();
  for (let attempt = 1; best.wrong.length > 0 && attempt < maxAttempts; attempt += 1) {
    for (const path of new Set(wrong.map((violation) => violation.path))) failures.set(path, (failures.get(path) ?? 0) + 1);
    const patternText = await loadPatternText();
    await nextTurn();
    const repaired = sampleWith({ patternText, failures });
    if (repaired.value === undefined) break;
    wrong = judge(repaired.value);
    if (wrong.length < best.wrong.length) best = { sample: repaired, wrong };
  }
  if (best.wrong.length === 0) return best.sample;
  return { ...best.sample, value: await repairValue(schema, best.sample.value, judge, options) };
}

/** Number of times that a value is made. A schema may be one that no value satisfies. */
const maxAttempts = 5;

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
