/** Forms of instances, and how they are joined: all pairs of them, unless they are too many. */

import { type Alternative, everything } from './facts.ts';
import { meet } from './meet.ts';
import { prune } from './prune.ts';

/** Every form that instances can take; with `isCut`, only some of them, because there were too many. */
export interface Forms {
  readonly list: readonly Alternative[];
  readonly isCut: boolean;
}

/** More forms than this are not multiplied out: enough of them are kept that none of the types is lost. */
const limit = 64;

/** More pairs of forms than this are not joined: of each side so many are kept that they stay below it. */
const joinedMost = 256;
const pairsMost = joinedMost ** 2;

/** The form of whatever there is. */
export const anything: Forms = { list: [everything], isCut: false };
/** The form of nothing. */
export const nothing: Forms = { list: [], isCut: false };

/** Forms combine in more ways than there was work allowed for. */
export class TooManyForms extends Error {
  override readonly name = 'TooManyForms' as const;
}

/** Joins forms, as long as there is work allowed for it. */
export class Products {
  #work = Infinity;

  /** Allows so many pairs of forms to be joined from now on; a million take about three seconds. */
  allow(pairs: number): void {
    this.#work = pairs;
  }

  /**
   * Every form of either, joined with every form of the other; of too many, a few of each.
   * @throws {TooManyForms} when it is more work than was allowed.
   */
  product(left: Forms, right: Forms): Forms {
    const isTooMuch = left.list.length * right.list.length > pairsMost;
    const isCut = left.isCut || right.isCut || isTooMuch;
    const [ones, others] = isTooMuch ? [cut(left.list, joinedMost), cut(right.list, joinedMost)] : [left.list, right.list];
    this.#work -= ones.length * others.length;
    if (this.#work < 0) throw new TooManyForms('the choices of the schemas combine in more ways than can be tried');
    const list = ones.flatMap((one) => others.flatMap((other) => prune(meet(one, other)) ?? []));
    const isProduct = ones.length > 1 && others.length > 1;
    return isProduct && list.length > limit ? { list: cut(list, limit), isCut: true } : { list, isCut };
  }
}

/** The forms of any. */
export function union(parts: readonly Forms[]): Forms {
  return { list: parts.flatMap((part) => part.list), isCut: parts.some((part) => part.isCut) };
}

/** At most so many forms, a few for each set of types, the first ones of each. */
function cut(list: readonly Alternative[], most: number): readonly Alternative[] {
  if (list.length <= most) return list;
  const byTypes = new Map<number, Alternative[]>();
  for (const form of list) byTypes.set(form.types, [...(byTypes.get(form.types) ?? []), form]);
  const share = Math.max(1, Math.floor(most / byTypes.size));
  return [...byTypes.values()].flatMap((forms) => forms.slice(0, share));
}
