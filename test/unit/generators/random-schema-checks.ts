/** Properties of random schemas: each has valid instances and invalid examples, or a true reason why it has none. */

import type { Arbitrary } from 'fast-check';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../generators/constraints/validate-instance.ts';
import { Unsatisfiable, Unsupported } from '../../../generators/generation-errors.ts';
import { type InvalidExample, invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { openSchema } from '../../../generators/schema/located-schema.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { judgeOf, type SchemaJudge } from '../../helpers/schema-judge.ts';
import { draw } from './drawing.ts';
import { type Problems, problemsOfRepetition, problemsOfShrinking, unfaithful } from './instance-properties.ts';
import { probes } from './random-schema.ts';

/** The outcome for a schema, and its problems. */
export interface Finding {
  readonly outcome: 'made' | 'Unsatisfiable' | 'Unsupported';
  readonly problems: Problems;
}

/** The instances of a schema. */
export function examineInstances(schema: Schema): Finding {
  const judge = fairJudgeOf(schema);
  const isWrong = (value: Json): Problems => [
    ...judge(value).map(({ path }) => `${JSON.stringify(value)} is wrong at "${path}"`),
    ...unfaithful(value),
  ];
  return examine(
    () => arbitraryFor(schema),
    isWrong,
    (probe) => judge(probe).length === 0,
  );
}

/** The invalid examples of a schema. */
export function examineInvalidExamples(schema: Schema): Finding {
  const judge = fairJudgeOf(schema);
  const isWrong = ({ value }: InvalidExample): Problems => [
    ...(judge(value).length > 0 ? [] : [`${JSON.stringify(value)} is valid`]),
    ...unfaithful(value),
  ];
  return examine(
    () => invalidExampleFor(schema),
    isWrong,
    (probe) => judge(probe).length > 0,
  );
}

/** A schema that cannot be drawn from must have no instance: no probe may be one. */
function examine<T>(make: () => Arbitrary<T>, breachesOf: (value: T) => Problems, isExample: (probe: Json) => boolean): Finding {
  try {
    const made = make();
    const problems = [
      ...draw(made, { seed: 1, count: 20 }).flatMap(breachesOf),
      ...problemsOfShrinking(made, breachesOf, { seed: 2, count: 1 }),
      ...problemsOfRepetition(make, { seed: 3, count: 3 }, made),
    ];
    return { outcome: 'made', problems };
  } catch (error) {
    if (error instanceof Unsupported) return { outcome: 'Unsupported', problems: [] };
    if (!(error instanceof Unsatisfiable)) return { outcome: 'made', problems: [String(error)] };
    const found = probes.filter(isExample).map((probe) => `${error.message}, but ${JSON.stringify(probe)}`);
    return { outcome: 'Unsatisfiable', problems: found };
  }
}

/**
 * The judge of a random schema: ajv, with two exceptions. If it collects all errors, it counts members that a failed branch with `patternProperties` has
 * evaluated, so it also validates without. Where items are evaluated by other schemas of the same array ajv errs in both directions (`contains`, a schema
 * inside itself, and `unevaluatedItems` in another), so there our evaluator has the last word.
 */
function fairJudgeOf(schema: Schema): SchemaJudge {
  const [allErrors, firstError] = [judgeOf(schema), judgeOf(schema, { allErrors: false })];
  const ajv: SchemaJudge = (instance) => {
    const complaints = allErrors(instance);
    return complaints.length > 0 ? complaints : firstError(instance);
  };
  if (!JSON.stringify(schema).includes('"unevaluatedItems"')) return ajv;
  const location = openSchema(schema);
  return (instance) => (isValid(location, instance) ? [] : [...ajv(instance), { path: '', keyword: 'unevaluatedItems' }]);
}
