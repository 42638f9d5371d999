/** Properties of arbitraries of instances. Each function returns what violates the property; an empty list means that it holds. */

import type { Arbitrary } from 'fast-check';
import { isNumber, isObject, type Json, parseJson, printJson } from '../../../core/json.ts';
import { canonicalText } from '../../../core/json-equality.ts';
import type { SchemaJudge } from '../../helpers/schema-judge.ts';
import { type Drawing, draw, drawShrinkable, walkDown } from './drawing.ts';

/** Violations of a property, with the values that show them. */
export type Problems = readonly string[];

/** Instances are valid, and are JSON. */
export function problemsOfValidity(arbitrary: Arbitrary<Json>, judge: SchemaJudge, drawing: Drawing): Problems {
  return draw(arbitrary, drawing).flatMap((value) => [...judge(value).map((each) => tell(value, each)), ...unfaithful(value)]);
}

/**
 * The same seed gives the same values, from one arbitrary and from another of the same schema. Creating one is slow, so an existing one is
 * used.
 */
export function problemsOfRepetition<T>(make: () => Arbitrary<T>, drawing: Drawing, arbitrary: Arbitrary<T> = make()): Problems {
  const [first, again, other] = [draw(arbitrary, drawing), draw(arbitrary, drawing), draw(make(), drawing)].map((values) =>
    values.map((value) => printJson(value)),
  );
  const differing = (first ?? []).findIndex((text, index) => text !== again?.[index] || text !== other?.[index]);
  return differing === -1
    ? []
    : [`value ${differing} of seed ${drawing.seed} was ${first?.[differing]}, ${again?.[differing]}, ${other?.[differing]}`];
}

/** Choices among the candidates of a shrinking step: the first, a middle one, or a late one. */
const manners: readonly ((step: number) => number)[] = [() => 0, (step) => (step * 7) % 5, (step) => (step % 2 === 0 ? 11 : 0)];

/** A shrinking path with more steps counts as endless. */
const mostSteps = 3000;

/**
 * Every shrinking path from a drawn value ends, repeats no value, and leads only through values that `isFine` accepts. Each kind of source
 * has its own order, so the absence of repetition is the common measure.
 */
export function problemsOfShrinking<T>(arbitrary: Arbitrary<T>, isFine: (value: T) => Problems, drawing: Drawing): Problems {
  return drawShrinkable(arbitrary, drawing).flatMap((start) =>
    manners.flatMap((indexAt) => {
      const { path, passed, isEnded } = walkDown(arbitrary, start, indexAt, mostSteps);
      const texts = path.map((value) => printJson(value));
      const repeated = new Set(texts).size === texts.length ? undefined : texts.find((text, index) => texts.indexOf(text) !== index);
      return [
        ...(isEnded ? [] : [`${printJson(start.value_)} still shrinks after ${mostSteps} steps, at ${texts.at(-1)}`]),
        ...(repeated === undefined ? [] : [`${texts[0]} comes to ${repeated} twice`]),
        ...[...path, ...passed].flatMap((value) => isFine(value).map((problem) => `on the way down from ${texts[0]}: ${problem}`)),
      ];
    }),
  );
}

/** The end of shrinking when everything fails: one value, the simplest, whatever was drawn. */
export function endsOfShrinking<T>(arbitrary: Arbitrary<T>, drawing: Drawing): readonly T[] {
  const ends = drawShrinkable(arbitrary, drawing).flatMap((start) => walkDown(arbitrary, start, () => 0, mostSteps).path.slice(-1));
  return [...new Map(ends.map((end) => [printJson(end), end])).values()];
}

/** All properties of an arbitrary of valid instances. */
export function problemsOfInstances(make: () => Arbitrary<Json>, judge: SchemaJudge, drawing: Drawing): Problems {
  const arbitrary = make();
  const few = { ...drawing, count: Math.min(drawing.count, 3) };
  const isValid = (value: Json): Problems => [...judge(value).map((each) => tell(value, each)), ...unfaithful(value)];
  const ends = endsOfShrinking(arbitrary, few).map((end) => printJson(end));
  return [
    ...problemsOfValidity(arbitrary, judge, drawing),
    ...problemsOfRepetition(make, few, arbitrary),
    ...problemsOfShrinking(arbitrary, isValid, few),
    ...(ends.length === 1 ? [] : [`shrinking ends at ${ends.join(' and at ')}`]),
  ];
}

/** Differences between a value and the same value written as JSON and read again. */
export function unfaithful(value: Json): Problems {
  const found: string[] = [];
  visit(value, '', (part, path) => found.push(...unfaithfulPart(part).map((why) => `${path} ${why}`)));
  if (canonicalText(parseJson(printJson(value))) !== canonicalText(value)) found.push(`${printJson(value)} reads as another value`);
  return found;
}

function unfaithfulPart(part: unknown): Problems {
  if (typeof part === 'number') return Number.isFinite(part) && !Object.is(part, -0) ? [] : [`is ${Object.is(part, -0) ? '-0' : part}`];
  if (typeof part === 'string') return /\p{Surrogate}/u.test(part) ? [`has half of a surrogate pair: ${printJson(part)}`] : [];
  if (isObject(part) && Object.getPrototypeOf(part) !== Object.prototype) return ['is no plain object'];
  return ['boolean', 'bigint', 'object'].includes(typeof part) ? [] : [`is ${typeof part}`];
}

function visit(value: Json | undefined, path: string, look: (part: Json | undefined, path: string) => void): void {
  look(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    look(key, `the name ${path}/${key}`);
    visit(part as Json, `${path}/${key}`, look);
  }
}

/** The types of JSON among some values. */
export function typesAmong(values: readonly Json[]): ReadonlySet<string> {
  return new Set(values.map(typeOf));
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isNumber(value) ? 'number' : typeof value;
}

function tell(value: Json, { path, keyword }: { readonly path: string; readonly keyword: string }): string {
  return `${printJson(value)} is refused at "${path}" by ${keyword}`;
}
