/** Joining facts: what two alternatives say together. */

import type { Json } from '../../core/json.ts';
import { canonical } from '../schema/equality.ts';
import type { Bound } from '../source/number-facts.ts';
import { claimId } from './claim.ts';
import {
  type Alternative,
  type ArrayFacts,
  everything,
  type ItemDemand,
  type NumberDemands,
  type ObjectFacts,
  type TextDemands,
} from './facts.ts';

/** The conjunction of two alternatives. It may have no instance: see `prune`. */
export function meet(left: Alternative, right: Alternative): Alternative {
  if (left === everything) return right;
  if (right === everything) return left;
  return {
    types: left.types & right.types,
    values: meetValues(left.values, right.values),
    except: join(left.except, right.except),
    number: meetNumbers(left.number, right.number),
    text: meetTexts(left.text, right.text),
    array: meetArrays(left.array, right.array),
    object: meetObjects(left.object, right.object),
    checked: join(left.checked, right.checked),
  };
}

function meetValues(left: readonly Json[] | undefined, right: readonly Json[] | undefined): readonly Json[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const other = new Set(right.map(canonical));
  return left.filter((value) => other.has(canonical(value)));
}

function meetNumbers(left: NumberDemands, right: NumberDemands): NumberDemands {
  if (left === everything.number) return right;
  if (right === everything.number) return left;
  return {
    low: tighter(left.low, right.low, 1),
    high: tighter(left.high, right.high, -1),
    integer: left.integer || right.integer,
    fractional: left.fractional || right.fractional,
    multiples: union(left.multiples, right.multiples),
    notMultiples: union(left.notMultiples, right.notMultiples),
    formats: union(left.formats, right.formats),
    notFormats: union(left.notFormats, right.notFormats),
  };
}

/** The bound that leaves less; `sign` is 1 for lower bounds and -1 for upper ones. */
function tighter(left: Bound, right: Bound, sign: 1 | -1): Bound {
  if (left.value === right.value) return left.open ? left : right;
  return (left.value - right.value) * sign > 0 ? left : right;
}

function meetTexts(left: TextDemands, right: TextDemands): TextDemands {
  if (left === everything.text) return right;
  if (right === everything.text) return left;
  return {
    minLength: Math.max(left.minLength, right.minLength),
    maxLength: Math.min(left.maxLength, right.maxLength),
    patterns: union(left.patterns, right.patterns),
    notPatterns: union(left.notPatterns, right.notPatterns),
    formats: union(left.formats, right.formats),
    notFormats: union(left.notFormats, right.notFormats),
  };
}

function meetArrays(left: ArrayFacts, right: ArrayFacts): ArrayFacts {
  if (left === everything.array) return right;
  if (right === everything.array) return left;
  return {
    min: Math.max(left.min, right.min),
    max: Math.min(left.max, right.max),
    unique: left.unique || right.unique,
    repeated: left.repeated || right.repeated,
    scopes: join(left.scopes, right.scopes),
    demands: right.demands.reduce(demandAlso, left.demands),
  };
}

/** Demands of the same items become one: what is at least asked and at most allowed. */
function demandAlso(demands: readonly ItemDemand[], added: ItemDemand): readonly ItemDemand[] {
  const index = demands.findIndex((each) => each.from === added.from && claimId(each.claim) === claimId(added.claim));
  const same = demands[index];
  if (same === undefined) return [...demands, added];
  const { claim, from } = added;
  const evaluates = same.evaluates || added.evaluates;
  return demands.with(index, { claim, from, min: Math.max(same.min, added.min), max: Math.min(same.max, added.max), evaluates });
}

function meetObjects(left: ObjectFacts, right: ObjectFacts): ObjectFacts {
  if (left === everything.object) return right;
  if (right === everything.object) return left;
  return {
    min: Math.max(left.min, right.min),
    max: Math.min(left.max, right.max),
    required: union(left.required, right.required),
    names: join(left.names, right.names),
    scopes: join(left.scopes, right.scopes),
    demands: join(left.demands, right.demands),
  };
}

function join<T>(left: readonly T[], right: readonly T[]): readonly T[] {
  if (left.length === 0) return right;
  return right.length === 0 ? left : [...left, ...right];
}

function union<T>(left: readonly T[], right: readonly T[]): readonly T[] {
  if (left.length === 0) return right;
  return right.length === 0 ? left : [...new Set([...left, ...right])];
}
