/** Schemas at random: each gives valid instances and near misses, or is refused for a reason that is true. */

import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/schema.ts';
import { arbitraryFor } from '../../../generators/arbitrary.ts';
import { type NearMiss, nearMissesFor } from '../../../generators/near-miss.ts';
import { Unsatisfiable, Unsupported } from '../../../generators/outcome.ts';
import { holds } from '../../../generators/schema/evaluate.ts';
import { openSchema } from '../../../generators/schema/site.ts';
import { judgeOf, type SchemaJudge } from '../../helpers/schema-judge.ts';
import { draw } from './drawing.ts';
import { type Breaches, breachesOfRepetition, breachesOfShrinking, unfaithful } from './laws.ts';
import { probes, schemas } from './random-schema.ts';

const count = 300;
const all = fc.sample(schemas(3), { seed: 2026, numRuns: count });
/** Some at a time, so that each test stays short. */
const groups = Array.from({ length: 10 }, (_, group) => [group + 1, all.filter((_each, index) => index % 10 === group)] as const);

/**
 * The judge of a random schema: ajv, except that where items are evaluated by other schemas of the same array ajv errs in both directions
 * (`contains`, a schema inside itself, and `unevaluatedItems` in another), so that there our evaluator has the last word.
 */
function fairJudgeOf(schema: Schema): SchemaJudge {
  const ajv = judgeOf(schema);
  if (!JSON.stringify(schema).includes('"unevaluatedItems"')) return ajv;
  const site = openSchema(schema);
  return (instance) => (holds(site, instance) ? [] : [...ajv(instance), { path: '', keyword: 'unevaluatedItems' }]);
}

/** What attempts led to: how often each comes is looked at in the end. */
const outcomes = new Map<string, number>();

function note(outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** What is wrong with the instances of a schema. */
function breachesOfInstances(schema: Schema): Breaches {
  const judge = fairJudgeOf(schema);
  const breach = (value: Json): Breaches => [
    ...judge(value).map(({ path }) => `${JSON.stringify(value)} is wrong at "${path}"`),
    ...unfaithful(value),
  ];
  const make = (): Arbitrary<Json> => arbitraryFor(schema);
  const made = attempt('instances', make);
  if (made instanceof Unsatisfiable)
    return probes.filter((probe) => judge(probe).length === 0).map((probe) => `${made.message}, but ${JSON.stringify(probe)}`);
  if (made instanceof Unsupported) return [];
  return [
    ...draw(made, { seed: 1, count: 20 }).flatMap(breach),
    ...breachesOfShrinking(made, breach, { seed: 2, count: 1 }),
    ...breachesOfRepetition(make, { seed: 3, count: 3 }),
  ];
}

/** What is wrong with the near misses of a schema. */
function breachesOfMisses(schema: Schema): Breaches {
  const judge = fairJudgeOf(schema);
  const breach = ({ value }: NearMiss): Breaches => [
    ...(judge(value).length > 0 ? [] : [`${JSON.stringify(value)} is valid`]),
    ...unfaithful(value),
  ];
  const make = (): Arbitrary<NearMiss> => nearMissesFor(schema);
  const made = attempt('near misses', make);
  if (made instanceof Unsatisfiable)
    return probes.filter((probe) => judge(probe).length > 0).map((probe) => `${made.message}, but ${JSON.stringify(probe)}`);
  if (made instanceof Unsupported) return [];
  return [
    ...draw(made, { seed: 1, count: 20 }).flatMap(breach),
    ...breachesOfShrinking(made, breach, { seed: 2, count: 1 }),
    ...breachesOfRepetition(make, { seed: 3, count: 3 }),
  ];
}

/** What is made, or the reason why nothing is. */
function attempt<T>(what: string, make: () => Arbitrary<T>): Arbitrary<T> | Unsatisfiable | Unsupported {
  try {
    const made = make();
    note(`${what} made`);
    return made;
  } catch (error) {
    if (!(error instanceof Unsatisfiable) && !(error instanceof Unsupported)) throw error;
    note(`${what} ${error.name}`);
    return error;
  }
}

/** The breaches of each schema, behind its text; also that nothing can be drawn is one. */
function survey(group: readonly Schema[], breachesOf: (schema: Schema) => Breaches): Breaches {
  return group.flatMap((schema) => {
    try {
      return breachesOf(schema).map((breach) => `${JSON.stringify(schema)}: ${breach}`);
    } catch (error) {
      return [`${JSON.stringify(schema)}: ${String(error)}`];
    }
  });
}

describe('schemas at random', () => {
  it.each(groups)('give valid instances, or have none: group %i', (_number, group) => {
    expect(survey(group, breachesOfInstances)).toEqual([]);
  });

  it.each(groups)('give near misses, or accept everything: group %i', (_number, group) => {
    expect(survey(group, breachesOfMisses)).toEqual([]);
  });

  it('are refused as too hard seldom', () => {
    for (const what of ['instances', 'near misses']) {
      expect(outcomes.get(`${what} Unsupported`) ?? 0).toBeLessThan(0.02 * count);
      expect(outcomes.get(`${what} made`) ?? 0).toBeGreaterThan(0.75 * count);
    }
  });
});
