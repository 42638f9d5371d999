/** The values that a path with wildcards leads to. */

import { isObject, type Json } from '../../../core/json.ts';
import { toPointer } from '../../../core/pointer.ts';

/** A value and where it stands. */
export interface Element {
  readonly pointer: string;
  readonly value: Json;
}

/** Every value of a body that a path leads to. */
export function elementsAt(body: Json, steps: readonly (string | number)[]): readonly Element[] {
  return steps.reduce<readonly Element[]>(
    (found, step) => found.flatMap((element) => below(element, step)),
    [{ pointer: '', value: body }],
  );
}

function below({ pointer, value }: Element, step: string | number): readonly Element[] {
  const put = (key: string | number, member: Json | undefined): readonly Element[] =>
    member === undefined ? [] : [{ pointer: `${pointer}${toPointer([key])}`, value: member }];
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return step === '*' ? list.flatMap((member, at) => put(at, member)) : put(step, list[Number(step)]);
  }
  if (!isObject(value)) return [];
  if (step === '*') return Object.entries(value).flatMap(([name, member]) => put(name, member));
  return Object.hasOwn(value, step) ? put(step, value[step]) : [];
}
