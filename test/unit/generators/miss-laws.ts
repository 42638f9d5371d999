/** Laws that near misses keep: each is wrong, in one place, which its label names truly. */

import type { Arbitrary } from 'fast-check';
import { isObject, type Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { NearMiss } from '../../../generators/near-miss.ts';
import { canonical } from '../../../generators/schema/equality.ts';
import type { SchemaJudge } from '../../helpers/schema-judge.ts';
import { type Drawing, draw } from './drawing.ts';
import { type Breaches, breachesOfRepetition, breachesOfShrinking, typesAmong, unfaithful } from './laws.ts';

/** The laws of an arbitrary of near misses, all of them. */
export function breachesOfMissLaws(make: () => Arbitrary<NearMiss>, judge: SchemaJudge, drawing: Drawing): Breaches {
  const arbitrary = make();
  const few = { ...drawing, count: Math.min(drawing.count, 2) };
  const isWrong = (miss: NearMiss): Breaches => breachesOfMiss(miss, judge);
  return [
    ...draw(arbitrary, drawing).flatMap(isWrong),
    ...breachesOfRepetition(make, few, arbitrary),
    ...breachesOfShrinking(arbitrary, isWrong, few),
  ];
}

/** What is not as it should be with one near miss. */
export function breachesOfMiss({ value, path, keyword, change }: NearMiss, judge: SchemaJudge): Breaches {
  const text = JSON.stringify(value);
  const found = valueAt(value, path);
  return [
    ...(judge(value).length > 0 ? [] : [`${text} is valid, though ${path} ${keyword}: ${change}`]),
    ...(found === undefined ? [`${text} has nothing at ${path}, where it is said to be wrong (${keyword}: ${change})`] : []),
    ...(found === undefined || tells(change, found)
      ? []
      : [`${JSON.stringify(found)} at "${path}" of ${text} is said to be such that it ${change}`]),
    ...unfaithful(value),
  ];
}

/** How good near misses are, in shares of all. */
export interface Precision {
  /** Whether everything that is wrong is wrong at one place. */
  readonly single: number;
  /** Whether the judge refuses the place that the label names, by the keyword that it names. */
  readonly confirmed: number;
}

/** How many near misses are wrong in one place only, and how many at the very place and by the very keyword that their labels name. */
export function precisionOf(misses: readonly NearMiss[], judge: SchemaJudge): Precision {
  const verdicts = misses.map((miss) => ({ miss, complaints: judge(miss.value) }));
  const single = verdicts.filter(({ complaints }) => new Set(complaints.map(({ path }) => path)).size === 1);
  const confirmed = verdicts.filter(({ miss, complaints }) =>
    complaints.some(
      ({ path, keyword }) => path === miss.path && (choices.has(miss.keyword) || (aliases[keyword] ?? [keyword]).includes(miss.keyword)),
    ),
  );
  return { single: single.length / misses.length, confirmed: confirmed.length / misses.length };
}

/** Of a failed choice, judges tell what is wrong in its branches. */
const choices: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/** The names by which labels call what ajv calls otherwise. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'false schema': ['false'],
  contains: ['contains', 'minContains', 'maxContains'],
  if: ['then', 'else'],
};

type Check = (found: Json, ...captured: readonly string[]) => boolean;

/** What labels say, as far as a look at the value alone can tell whether it is so. */
const sentences: readonly (readonly [RegExp, Check])[] = [
  [/^is below (.+)$/, (found, limit) => Number(found) < Number(limit)],
  [/^is above (.+)$/, (found, limit) => Number(found) > Number(limit)],
  [/^is not above (.+)$/, (found, limit) => Number(found) <= Number(limit)],
  [/^is not below (.+)$/, (found, limit) => Number(found) >= Number(limit)],
  [/^is no multiple of (.+)$/, (found, unit) => !Number.isInteger(Number(found) / Number(unit))],
  [/^is shorter than (.+)$/, (found, limit) => [...String(found)].length < Number(limit)],
  [/^is longer than (.+)$/, (found, limit) => [...String(found)].length > Number(limit)],
  [/^does not match (.+)$/s, (found, pattern = '') => !new RegExp(pattern, 'u').test(String(found))],
  [/^is not of type (.+)$/, (found, types = '') => !types.split(' or ').some((type) => isOfType(found, type))],
  [/^is not ([[{"\dtfn-].*)$/s, (found, text = '') => !isJson(text) || canonical(found) !== canonical(JSON.parse(text))],
  [/^has fewer items than (\d+)$/, (found, limit) => lengthOf(found) < Number(limit)],
  [/^has more items than (\d+)$/, (found, limit) => lengthOf(found) > Number(limit)],
  [/^has the same item twice$/, (found) => new Set(listOf(found).map(canonical)).size < lengthOf(found)],
  [/^has fewer members than (\d+)$/, (found, limit) => Object.keys(found ?? {}).length < Number(limit)],
  [/^has more members than (\d+)$/, (found, limit) => Object.keys(found ?? {}).length > Number(limit)],
  [/^lacks (.+)$/s, (found, name = '') => isObject(found) && !Object.hasOwn(found, name)],
];

/** Whether what a label says of a value is so; true where a look at the value does not tell. */
function tells(change: string, found: Json): boolean {
  return sentences.every(([expression, check]) => {
    const match = expression.exec(change);
    return match === null || check(found, ...match.slice(1));
  });
}

function isOfType(found: Json, type: string): boolean {
  return type === 'integer' ? Number.isInteger(found) : typesAmong([found]).has(type);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function listOf(found: Json): readonly Json[] {
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

function lengthOf(found: Json): number {
  return listOf(found).length;
}
