/** Numbers and texts of a form: opened once, since some patterns take long to read. */

import { type NumberOutcome, openNumber } from '../source/number.ts';
import { openText, type TextOutcome } from '../text/text-source.ts';
import type { Alternative } from './facts.ts';

/** The numbers of a form. */
export function numbersOf(form: Alternative): NumberOutcome {
  const known = numbers.get(form) ?? openNumber({ ...form.number, except: form.except.filter((value) => typeof value === 'number') });
  numbers.set(form, known);
  return known;
}

/** The texts of a form. Forms that say the same of texts share them. */
export function textsOf(form: Alternative): TextOutcome {
  const known = texts.get(form) ?? openShared(form);
  texts.set(form, known);
  return known;
}

const numbers = new WeakMap<Alternative, NumberOutcome>();
const texts = new WeakMap<Alternative, TextOutcome>();
const shared = new Map<string, TextOutcome>();
/** Enough for the texts of a large contract; a longer life would only hold on to patterns that nobody asks for again. */
const sharedLimit = 2000;

function openShared(form: Alternative): TextOutcome {
  const except = form.except.filter((value) => typeof value === 'string');
  const { minLength, maxLength, patterns, notPatterns, formats, notFormats } = form.text;
  const key = JSON.stringify([minLength, String(maxLength), patterns, notPatterns, formats, notFormats, except]);
  const known = shared.get(key);
  if (known !== undefined) return known;
  const opened = openText({ ...form.text, except: new Set(except) });
  if (shared.size >= sharedLimit) shared.clear();
  shared.set(key, opened);
  return opened;
}
