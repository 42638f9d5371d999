/** Laws that invalid examples keep: each is wrong, in one place, which its label names truly. */

import type { Arbitrary } from 'fast-check';
import { isObject, type Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { InvalidExample } from '../../../generators/invalid/invalid-arbitrary.ts';
import { canonicalText } from '../../../generators/schema/json-equality.ts';
import type { SchemaJudge } from '../../helpers/schema-judge.ts';
import { type Drawing, draw } from './drawing.ts';
import { type Problems, problemsOfRepetition, problemsOfShrinking, typesAmong, unfaithful } from './instance-properties.ts';

/** The laws of an arbitrary of invalid examples, all of them. */
export function problemsOfInvalidExamples(make: () => Arbitrary<InvalidExample>, judge: SchemaJudge, drawing: Drawing): Problems {
  const arbitrary = make();
  const few = { ...drawing, count: Math.min(drawing.count, 2) };
  const isWrong = (example: InvalidExample): Problems => problemsOfInvalidExample(example, judge);
  return [
    ...draw(arbitrary, drawing).flatMap(isWrong),
    ...problemsOfRepetition(make, few, arbitrary),
    ...problemsOfShrinking(arbitrary, isWrong, few),
  ];
}

/** What is not as it should be with one invalid example. */
export function problemsOfInvalidExample({ value, path, keyword, problem: change }: InvalidExample, judge: SchemaJudge): Problems {
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

/** How good invalid examples are, in shares of all. */
export interface Precision {
  /** Whether everything that is wrong is wrong at one place. */
  readonly single: number;
  /** Whether the judge refuses the place that the label names, by the keyword that it names. */
  readonly confirmed: number;
}

/** How many invalid examples are wrong in one place only, and how many at the very place and by the very keyword that their labels name. */
export function precisionOf(invalidExamples: readonly InvalidExample[], judge: SchemaJudge): Precision {
  const verdicts = invalidExamples.map((example) => ({ example, complaints: judge(example.value) }));
  const single = verdicts.filter(({ complaints }) => new Set(complaints.map(({ path }) => path)).size === 1);
  const confirmed = verdicts.filter(({ example, complaints }) =>
    complaints.some(
      ({ path, keyword }) => path === example.path && (choices.has(example.keyword) || (aliases[keyword] ?? [keyword]).includes(example.keyword)),
    ),
  );
  return { single: single.length / invalidExamples.length, confirmed: confirmed.length / invalidExamples.length };
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
  [/^is not ([[{"\dtfn-].*)$/s, (found, text = '') => !isJson(text) || canonicalText(found) !== canonicalText(JSON.parse(text))],
  [/^has fewer items than (\d+)$/, (found, limit) => lengthOf(found) < Number(limit)],
  [/^has more items than (\d+)$/, (found, limit) => lengthOf(found) > Number(limit)],
  [/^has the same item twice$/, (found) => new Set(listOf(found).map(canonicalText)).size < lengthOf(found)],
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
