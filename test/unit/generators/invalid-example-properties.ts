/** Properties of invalid examples: each has exactly one fault, and its label names it. */

import type { Arbitrary } from 'fast-check';
import { isObject, type Json, parseJson, printJson } from '../../../core/json.ts';
import { canonicalText } from '../../../core/json-equality.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { InvalidExample } from '../../../generators/invalid/invalid-arbitrary.ts';
import type { SchemaJudge } from '../../helpers/schema-judge.ts';
import { type Drawing, draw } from './drawing.ts';
import { type Problems, problemsOfRepetition, problemsOfShrinking, typesAmong, unfaithful } from './instance-properties.ts';

/** All properties of an arbitrary of invalid examples. */
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

/** The problems of one invalid example. */
export function problemsOfInvalidExample({ value, path, keyword, problem: change }: InvalidExample, judge: SchemaJudge): Problems {
  const text = printJson(value);
  const found = valueAt(value, path);
  return [
    ...(judge(value).length > 0 ? [] : [`${text} is valid, though ${path} ${keyword}: ${change}`]),
    ...(found === undefined ? [`${text} has nothing at ${path}, where it is said to be wrong (${keyword}: ${change})`] : []),
    ...(found === undefined || tells(change, found)
      ? []
      : [`${printJson(found)} at "${path}" of ${text} is said to be such that it ${change}`]),
    ...unfaithful(value),
  ];
}

/** Precision of invalid examples, as shares. */
export interface Precision {
  /** The share with a single invalid place. */
  readonly single: number;
  /** The share that the validator rejects at the labelled place by the labelled keyword. */
  readonly confirmed: number;
}

/** Measures how many invalid examples have a single invalid place, and how many are confirmed at the labelled place and keyword. */
export function precisionOf(invalidExamples: readonly InvalidExample[], judge: SchemaJudge): Precision {
  const verdicts = invalidExamples.map((example) => ({ example, complaints: judge(example.value) }));
  const single = verdicts.filter(({ complaints }) => new Set(complaints.map(({ path }) => path)).size === 1);
  const confirmed = verdicts.filter(({ example, complaints }) =>
    complaints.some(({ path, keyword }) =>
      choices.has(example.keyword)
        ? isAtOrBelow(path, example.path)
        : path === example.path && (aliases[keyword] ?? [keyword]).includes(example.keyword),
    ),
  );
  return { single: single.length / invalidExamples.length, confirmed: confirmed.length / invalidExamples.length };
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** For a failed choice, validators report the problems of its branches. */
const choices: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/** Labels for keywords that ajv names differently. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'false schema': ['false'],
  contains: ['contains', 'minContains', 'maxContains'],
  if: ['then', 'else'],
};

type Check = (found: Json, ...captured: readonly string[]) => boolean;

/** Checks of labels by the value alone. */
const sentences: readonly (readonly [RegExp, Check])[] = [
  [/^is below (.+)$/, (found, limit) => Number(found) < Number(limit)],
  [/^is above (.+)$/, (found, limit) => Number(found) > Number(limit)],
  [/^is not above (.+)$/, (found, limit) => Number(found) <= Number(limit)],
  [/^is not below (.+)$/, (found, limit) => Number(found) >= Number(limit)],
  [/^is not a multiple of (.+)$/, (found, unit) => !Number.isInteger(Number(found) / Number(unit))],
  [/^is shorter than (.+)$/, (found, limit) => [...String(found)].length < Number(limit)],
  [/^is longer than (.+)$/, (found, limit) => [...String(found)].length > Number(limit)],
  [/^does not match (.+)$/s, (found, pattern = '') => !new RegExp(pattern, 'u').test(String(found))],
  [/^is not of type (.+)$/, (found, types = '') => !types.split(' or ').some((type) => isOfType(found, type))],
  [/^is not ([[{"\dtfn-].*)$/s, (found, text = '') => !isJson(text) || canonicalText(found) !== canonicalText(parseJson(text))],
  [/^has fewer items than (\d+)$/, (found, limit) => lengthOf(found) < Number(limit)],
  [/^has more items than (\d+)$/, (found, limit) => lengthOf(found) > Number(limit)],
  [/^has the same item twice$/, (found) => new Set(listOf(found).map(canonicalText)).size < lengthOf(found)],
  [/^has fewer members than (\d+)$/, (found, limit) => Object.keys(found ?? {}).length < Number(limit)],
  [/^has more members than (\d+)$/, (found, limit) => Object.keys(found ?? {}).length > Number(limit)],
  [/^lacks (.+)$/s, (found, name = '') => isObject(found) && !Object.hasOwn(found, name)],
];

/** True when a label fits a value, or when the value alone cannot tell. */
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
