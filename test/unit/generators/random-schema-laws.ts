/** The laws of random schemas: each gives valid instances and near misses, or is refused for a reason that is true. */

import type { Arbitrary } from 'fast-check';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/schema.ts';
import { holds } from '../../../generators/algebra/evaluate.ts';
import { arbitraryFor } from '../../../generators/arbitrary.ts';
import { type NearMiss, nearMissesFor } from '../../../generators/near-miss.ts';
import { Unsatisfiable, Unsupported } from '../../../generators/outcome.ts';
import { openSchema } from '../../../generators/schema/site.ts';
import { judgeOf, type SchemaJudge } from '../../helpers/schema-judge.ts';
import { draw } from './drawing.ts';
import { type Breaches, breachesOfRepetition, breachesOfShrinking, unfaithful } from './laws.ts';
import { probes } from './random-schema.ts';

/** What was made of a schema, and what is wrong with it. */
export interface Finding {
  readonly outcome: 'made' | 'Unsatisfiable' | 'Unsupported';
  readonly breaches: Breaches;
}

/** The instances of a schema. */
export function examineInstances(schema: Schema): Finding {
  const judge = fairJudgeOf(schema);
  const isWrong = (value: Json): Breaches => [
    ...judge(value).map(({ path }) => `${JSON.stringify(value)} is wrong at "${path}"`),
    ...unfaithful(value),
  ];
  return examine(
    () => arbitraryFor(schema),
    isWrong,
    (probe) => judge(probe).length === 0,
  );
}

/** The near misses of a schema. */
export function examineMisses(schema: Schema): Finding {
  const judge = fairJudgeOf(schema);
  const isWrong = ({ value }: NearMiss): Breaches => [
    ...(judge(value).length > 0 ? [] : [`${JSON.stringify(value)} is valid`]),
    ...unfaithful(value),
  ];
  return examine(
    () => nearMissesFor(schema),
    isWrong,
    (probe) => judge(probe).length > 0,
  );
}

/** What cannot be drawn must not exist: no probe may be an example of it. */
function examine<T>(make: () => Arbitrary<T>, breachesOf: (value: T) => Breaches, isExample: (probe: Json) => boolean): Finding {
  try {
    const made = make();
    const breaches = [
      ...draw(made, { seed: 1, count: 20 }).flatMap(breachesOf),
      ...breachesOfShrinking(made, breachesOf, { seed: 2, count: 1 }),
      ...breachesOfRepetition(make, { seed: 3, count: 3 }, made),
    ];
    return { outcome: 'made', breaches };
  } catch (error) {
    if (error instanceof Unsupported) return { outcome: 'Unsupported', breaches: [] };
    if (!(error instanceof Unsatisfiable)) return { outcome: 'made', breaches: [String(error)] };
    const found = probes.filter(isExample).map((probe) => `${error.message}, but ${JSON.stringify(probe)}`);
    return { outcome: 'Unsatisfiable', breaches: found };
  }
}

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
