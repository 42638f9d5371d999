/** Knows how a scenario points at a part of an answer: `/a/b`, `body`, `record`, `record /a/b`, `header etag`. */
import type { HttpAnswer } from './request.ts';
import { ScenarioError } from './source.ts';
import { isObject } from './value.ts';

/** What a step has in hand once its request, or its whole walk, is done. */
export interface Outcome {
  /** The answer of a single request; a walk has none. */
  readonly answer: HttpAnswer | undefined;
  /** The parsed body of the answer, or the list that the walk gathered. */
  readonly body: unknown;
  /** The keys that went out with the request, in case the answer repeats one. */
  readonly sentKeys: readonly string[];
}

/** A place of an outcome, as written. */
export type OutcomePlace = string;

const FORM = /^(?:body|record|(?:record )?\/\S*|header [a-z0-9-]+)$/;

/** Checks the spelling of a place. */
export const parsePlace = (text: string, where: string): OutcomePlace => {
  if (FORM.test(text)) return text;
  throw new ScenarioError(
    `${where}: "${text}" is no place; write /a/pointer, body, record, record /a/pointer or header name (in small letters)`,
  );
};

/** The value at a place, or undefined when there is none. */
export const readPlace = (outcome: Outcome, place: OutcomePlace): unknown => {
  if (place === 'body') return outcome.body;
  if (place.startsWith('header ')) return outcome.answer?.headers[place.slice('header '.length)];
  if (place.startsWith('record')) return readPointer(recordOf(outcome.body), place.slice('record'.length).trim());
  return readPointer(outcome.body, place);
};

/** The value that a JSON pointer leads to, or undefined when it leads nowhere; the empty pointer is the value itself. */
export const readPointer = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, segment) => {
      const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(inner)) return inner[Number(name)];
      return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
    }, value);

// The documents do not say where the record of a single read sits: in `data.order`, in `data` itself, or at the top.
const RECORD_PLACES: readonly string[] = ['/data/order', '/data/reservation', '/data', ''];

/** The record of a single read, at the first of the places it may sit; it is known by its `id` or `slug`. */
export const recordOf = (body: unknown): unknown =>
  RECORD_PLACES.map((pointer) => readPointer(body, pointer)).find(
    (candidate) => isObject(candidate) && (Object.hasOwn(candidate, 'id') || Object.hasOwn(candidate, 'slug')),
  );
