/**
 * Servers with small mistakes anywhere: of some requests, always the same ones, the answer has another code, a record too few, a number that is off by one,
 * a header less. Nobody thought of these mistakes, so they come to branches of the laws that no fault was made for.
 */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { Dice } from './dice.ts';
import type { Answer, Disturbance } from './disturb.ts';

/** Mistakes in about one of so many answers, drawn by a seed; with an even seed a request is answered wrongly however often it is made. */
export function scramble(seed: number, oneOf: number): Disturbance {
  return (answer, { method, target }, { times }) => {
    const dice = new Dice(`${seed} ${method} ${target} ${seed % 2 === 0 ? '' : times}`);
    return dice.below(oneOf) === 0 ? { ...answer, response: spoil(answer.response, dice) } : answer;
  };
}

function spoil(response: Answer['response'], dice: Dice): Answer['response'] {
  const kind = dice.below(8);
  if (kind === 0) return { ...response, status: dice.of([200, 304, 400, 401, 403, 404, 429, 500, 503]) };
  return kind === 1
    ? { ...response, headers: spoilHeaders(response.headers, dice) }
    : { ...response, body: spoilText(response.body, dice) };
}

function spoilHeaders(headers: Answer['response']['headers'], dice: Dice): Answer['response']['headers'] {
  const told = Object.entries(headers);
  const spoiled = dice.below(Math.max(1, told.length));
  const isLost = dice.below(2) === 0;
  return Object.fromEntries(
    told.flatMap(([name, value], index) =>
      index !== spoiled ? [[name, value]] : isLost ? [] : [[name, Array.isArray(value) ? value.slice(1) : 'x']],
    ),
  );
}

function spoilText(body: string, dice: Dice): string {
  try {
    return JSON.stringify(spoilValue(JSON.parse(body) as Json, dice));
  } catch {
    // What is no JSON loses its end.
    return body.slice(0, dice.below(body.length + 1));
  }
}

/** Goes down into a value by chance, and changes what it comes to. */
function spoilValue(value: Json, dice: Dice): Json {
  if (Array.isArray(value)) return dice.below(2) === 0 ? spoilList(value, dice) : spoilElement(value, dice);
  return isObject(value) ? spoilMember(value, dice) : spoilLeaf(value, dice);
}

function spoilElement(list: readonly Json[], dice: Dice): Json {
  const spoiled = dice.below(Math.max(1, list.length));
  return list.map((each, index) => (index === spoiled ? spoilValue(each, dice) : each));
}

function spoilMember(object: JsonObject, dice: Dice): Json {
  const spoiled = dice.below(Math.max(1, Object.keys(object).length));
  const isLost = dice.below(8) === 0;
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value], index) =>
      index !== spoiled ? [[name, value]] : isLost ? [] : [[name, spoilValue(value, dice)]],
    ),
  );
}

function spoilList(list: readonly Json[], dice: Dice): Json {
  const last = list.slice(-1);
  return dice.of<() => Json>([
    () => list.slice(1),
    () => list.slice(0, -1),
    () => [...list, ...list.slice(0, 1)],
    () => [...list, ...last],
    () => list.toReversed(),
    () => [...last, ...list.slice(0, -1)],
    () => list.slice(0, 1),
    () => [],
  ])();
}

function spoilLeaf(value: Json, dice: Dice): Json {
  if (typeof value === 'number') return dice.of<Json>([value + 1, value - 1, value + 1, value - 1, 0, String(value), null]);
  if (typeof value === 'boolean') return dice.of<Json>([!value, !value, null]);
  if (typeof value !== 'string') return dice.of<Json>(['x', 0, true]);
  // The digits of a moment are moved by one, so that it is earlier or later than it was.
  return dice.of<Json>([
    `${value}x`,
    value.slice(0, -1),
    value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
    null,
    '',
  ]);
}
