/** A demand on a part of a value, as a demand on the whole: `properties`, `items` and their like lead down to it. */

import type { Schema } from '../../core/schema.ts';
import type { Step } from './schema-edit.ts';

/**
 * The schema that fails exactly where a part at the end of a path fails a demand; `undefined` where no schema says that, because the way leads through
 * `contains`, `not` or members without names. A branch of a choice is passed through: whether the whole fails with it must be looked at.
 */
export function demandAlong(path: readonly Step[], demand: Schema): Schema | undefined {
  return path.toReversed().reduce<Schema | undefined>((inner, step) => (inner === undefined ? undefined : wrap(step, inner)), demand);
}

function wrap(step: Step, inner: Schema): Schema | undefined {
  switch (step.kind) {
    case 'property':
      return { properties: { [step.name]: inner } };
    case 'items':
      return { items: inner };
    case 'element':
      return { prefixItems: [...Array.from({ length: step.index }, () => true), inner] };
    case 'matching':
      return { patternProperties: { [step.pattern]: inner } };
    case 'names':
      return { propertyNames: inner };
    case 'same':
      return inner;
    case 'others':
    case 'contains':
    case 'negated':
      return undefined;
  }
}
