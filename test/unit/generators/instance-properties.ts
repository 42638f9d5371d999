/** Laws that arbitraries of instances keep. Each is a function that tells what breaks it: an empty answer means that it is kept. */

import type { Arbitrary } from 'fast-check';
import { isObject, type Json } from '../../../core/json.ts';
import { canonicalText } from '../../../generators/schema/json-equality.ts';
import type { SchemaJudge } from '../../helpers/schema-judge.ts';
import { type Drawing, draw, drawShrinkable, walkDown } from './drawing.ts';

/** What breaks a law, told so that a reader can go and look. */
export type Problems = readonly string[];

/** What is drawn is valid, and it is JSON. */
export function problemsOfValidity(arbitrary: Arbitrary<Json>, judge: SchemaJudge, drawing: Drawing): Problems {
  return draw(arbitrary, drawing).flatMap((value) => [...judge(value).map((each) => tell(value, each)), ...unfaithful(value)]);
}

/** The same seed gives the same values: from one arbitrary as from another of the same schema. Making one takes long, so one at hand is used. */
export function problemsOfRepetition<T>(make: () => Arbitrary<T>, drawing: Drawing, arbitrary: Arbitrary<T> = make()): Problems {
  const [first, again, other] = [draw(arbitrary, drawing), draw(arbitrary, drawing), draw(make(), drawing)].map((values) =>
    values.map((value) => JSON.stringify(value)),
  );
  const differing = (first ?? []).findIndex((text, index) => text !== again?.[index] || text !== other?.[index]);
  return differing === -1
    ? []
    : [`value ${differing} of seed ${drawing.seed} was ${first?.[differing]}, ${again?.[differing]}, ${other?.[differing]}`];
}

/** How walks choose among the candidates of a step: the boldest one, a middling one, or one that hardly changes anything. */
const manners: readonly ((step: number) => number)[] = [() => 0, (step) => (step * 7) % 5, (step) => (step % 2 === 0 ? 11 : 0)];

/** More steps than this are taken for endless. */
const mostSteps = 3000;

/**
 * Every way down from a drawn value ends, goes through no value twice, and leads only through what `isFine` accepts. That no value comes twice is how
 * "simpler" is measured: each kind of source has an order of its own, and a circle would break any of them.
 */
export function problemsOfShrinking<T>(arbitrary: Arbitrary<T>, isFine: (value: T) => Problems, drawing: Drawing): Problems {
  return drawShrinkable(arbitrary, drawing).flatMap((start) =>
    manners.flatMap((indexAt) => {
      const { path, passed, isEnded } = walkDown(arbitrary, start, indexAt, mostSteps);
      const texts = path.map((value) => JSON.stringify(value));
      const repeated = new Set(texts).size === texts.length ? undefined : texts.find((text, index) => texts.indexOf(text) !== index);
      return [
        ...(isEnded ? [] : [`${JSON.stringify(start.value_)} still shrinks after ${mostSteps} steps, at ${texts.at(-1)}`]),
        ...(repeated === undefined ? [] : [`${texts[0]} comes to ${repeated} twice`]),
        ...[...path, ...passed].flatMap((value) => isFine(value).map((problem) => `on the way down from ${texts[0]}: ${problem}`)),
      ];
    }),
  );
}

/** Where shrinking ends when everything fails: one value, the simplest, whatever was drawn. */
export function endsOfShrinking<T>(arbitrary: Arbitrary<T>, drawing: Drawing): readonly T[] {
  const ends = drawShrinkable(arbitrary, drawing).flatMap((start) => walkDown(arbitrary, start, () => 0, mostSteps).path.slice(-1));
  return [...new Map(ends.map((end) => [JSON.stringify(end), end])).values()];
}

/** The laws of an arbitrary of valid instances, all of them. */
export function problemsOfInstances(make: () => Arbitrary<Json>, judge: SchemaJudge, drawing: Drawing): Problems {
  const arbitrary = make();
  const few = { ...drawing, count: Math.min(drawing.count, 3) };
  const isValid = (value: Json): Problems => [...judge(value).map((each) => tell(value, each)), ...unfaithful(value)];
  const ends = endsOfShrinking(arbitrary, few).map((end) => JSON.stringify(end));
  return [
    ...problemsOfValidity(arbitrary, judge, drawing),
    ...problemsOfRepetition(make, few, arbitrary),
    ...problemsOfShrinking(arbitrary, isValid, few),
    ...(ends.length === 1 ? [] : [`shrinking ends at ${ends.join(' and at ')}`]),
  ];
}

/** What of a value would be lost or changed by writing it as JSON and reading it again. */
export function unfaithful(value: Json): Problems {
  const found: string[] = [];
  visit(value, '', (part, path) => found.push(...unfaithfulPart(part).map((why) => `${path} ${why}`)));
  if (canonicalText(JSON.parse(JSON.stringify(value))) !== canonicalText(value))
    found.push(`${JSON.stringify(value)} reads as another value`);
  return found;
}

function unfaithfulPart(part: unknown): Problems {
  if (typeof part === 'number') return Number.isFinite(part) && !Object.is(part, -0) ? [] : [`is ${Object.is(part, -0) ? '-0' : part}`];
  if (typeof part === 'string') return /\p{Surrogate}/u.test(part) ? [`has half of a surrogate pair: ${JSON.stringify(part)}`] : [];
  if (isObject(part) && Object.getPrototypeOf(part) !== Object.prototype) return ['is no plain object'];
  return typeof part === 'boolean' || typeof part === 'object' ? [] : [`is ${typeof part}`];
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
  return Array.isArray(value) ? 'array' : typeof value;
}

function tell(value: Json, { path, keyword }: { readonly path: string; readonly keyword: string }): string {
  return `${JSON.stringify(value)} is refused at "${path}" by ${keyword}`;
}
