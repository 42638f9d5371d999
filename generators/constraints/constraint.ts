/** A demand on a value: that it satisfies, or fails, the schema at one location. Ids are comparable only between locations of one registry. */

import type { LocatedSchema } from '../schema/located-schema.ts';

export interface Constraint {
  readonly location: LocatedSchema;
  readonly holds: boolean;
}

/** The instance satisfies the schema. */
export function satisfies(location: LocatedSchema): Constraint {
  return { location, holds: true };
}

/** The instance fails the schema. */
export function fails(location: LocatedSchema): Constraint {
  return { location, holds: false };
}

/** The negated constraint. */
export function opposite(constraint: Constraint): Constraint {
  return { location: constraint.location, holds: !constraint.holds };
}

/** A number that identifies a constraint; that of its opposite is negative. */
export function constraintId(constraint: Constraint): number {
  return constraint.holds ? constraint.location.id : -constraint.location.id;
}

/** True of a constraint that every instance meets: satisfying `true`, or failing `false`. */
export function isTrivial(constraint: Constraint): boolean {
  const { schema } = constraint.location;
  if (typeof schema === 'boolean') return schema === constraint.holds;
  return constraint.holds && Object.keys(schema).length === 0;
}

/** The constraints without trivial ones and repetitions. */
export function distinct(constraints: readonly Constraint[]): readonly Constraint[] {
  const nontrivial = constraints.filter((constraint) => !isTrivial(constraint));
  return [...new Map(nontrivial.map((constraint) => [constraintId(constraint), constraint])).values()];
}
