/** Labels of near misses: what is wrong, and where. */

import type { Members } from '../source/record-members.ts';
import type { Draft, Source } from '../source/source.ts';

/** One fault of an instance. */
export interface Label {
  /** JSON Pointer of the place in the instance. */
  readonly path: string;
  /** The keyword that is broken there. */
  readonly keyword: string;
  /** What is wrong, as a clause without a subject: `is above 100`. */
  readonly change: string;
}

/** A source whose drafts have a fault that it can tell. */
export interface Faulty extends Source {
  readonly labelOf: (draft: Draft) => Label;
}

/** The label of the member of a drawn object that has the fault. */
export function labelOf(draft: Draft, step: string, name: string): Label {
  const { slots, drafts } = draft.parts as Members;
  const member = drafts[slots.findIndex((slot) => slot.name === name)];
  if (member === undefined) throw new RangeError(`the member ${name} that has the fault is not there`);
  return below(step, member);
}

/** The label of a part, as seen from the instance that it is part of. */
export function below(step: string, part: Draft): Label {
  const label = (part.source as Faulty).labelOf(part);
  return { ...label, path: step + label.path };
}
