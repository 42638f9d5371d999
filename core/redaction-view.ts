/** Views of a text: the text itself, and what it says once a layer of escapes is taken off, each with the way back to the text. */

import { escapesAt, type Notation } from './redaction-escape.ts';

/** A text and where each of its code units comes from. */
export interface View {
  readonly text: string;
  /** The notations that were taken off, the outermost first. */
  readonly layers: readonly Notation[];
  /** Position in this view → position in the original text; the end included. */
  readonly origin: (at: number) => number;
}

/** How many layers are taken off. The search reads one more, so a URL in JSON in HTML holds no secret. */
const layersMax = 2;

/** The text and its views, each different; lazily, since the first is often enough. */
export function* viewsOf(text: string): Generator<View, void, undefined> {
  const seen: string[] = [];
  const waiting: View[] = [{ text, layers: [], origin: (at) => at }];
  for (let view = waiting.shift(); view !== undefined; view = waiting.shift()) {
    if (seen.includes(view.text)) continue;
    seen.push(view.text);
    yield view;
    for (const notation of notations) if (view.layers.length < layersMax) waiting.push(takeOff(view, notation));
  }
}

const notations = ['percent', 'json', 'html'] as const;

/** What each escape of a notation begins with. */
const signs = { percent: '%', json: '\\', html: '&' } as const;

/** Reads every escape of a notation, each in its likeliest meaning. */
function takeOff(view: View, notation: keyof typeof signs): View {
  const { text } = view;
  const sign = signs[notation];
  const pieces: string[] = [];
  // After each escape: how far the new text and the old one have come.
  const [reached, read] = [[0], [0]];
  let [length, copied] = [0, 0];
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, Math.max(copied, at + 1))) {
    const found = escapesAt(text, at).find((each) => each.notation === notation);
    if (found === undefined) continue;
    pieces.push(text.slice(copied, at), found.meaning);
    length += at - copied + found.meaning.length;
    copied = at + found.length;
    reached.push(length);
    read.push(copied);
  }
  if (copied === 0) return view;
  pieces.push(text.slice(copied));
  const origin = (at: number): number => {
    const index = lastUpTo(reached, at);
    // Inside an escape that means two code units there is no way back but to its own place.
    return view.origin(Math.min((read[index] ?? 0) + at - (reached[index] ?? 0), text.length));
  };
  return { text: pieces.join(''), layers: [...view.layers, notation], origin };
}

/** The index of the last number of a rising list that is not greater. */
function lastUpTo(numbers: readonly number[], wanted: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
