/** Knows how the business API reads the values of its query parameters, strict or lenient as its setup says. */

import { type Asked, Failure } from './reply.ts';
import type { Setup } from './setup.ts';

/** The refusal of a parameter. */
export function invalid(setup: Setup, message: string): Failure {
  const status = setup.faulty('invalid-is-bad-request') ? 400 : 422;
  return new Failure(status, setup.faulty('other-invalid-code') ? 'VALIDATION_ERROR' : 'INVALID_QUERY', message);
}

/** What a sloppy spelling counts as: a refusal, what was meant, or nothing at all. */
export function sloppily<T>(setup: Setup, name: string, meant: T): T | undefined {
  const choice = setup.choice('sloppy');
  if (choice === 'refused') throw invalid(setup, `${name} is not spelled as documented`);
  return choice === 'accepted' ? meant : undefined;
}

/** The one value of a parameter; undefined when it was not given. */
export function given(setup: Setup, asked: Asked, name: string): string | undefined {
  const values = asked.query.getAll(name);
  const choice = setup.choice('sloppy');
  if (values.length > 1 && choice === 'refused') throw invalid(setup, `${name} is given more than once`);
  const value = choice === 'ignored' ? values[0] : values.at(-1);
  if (value === '' && choice === 'refused') throw invalid(setup, `${name} is empty`);
  return value === '' ? undefined : value;
}

/** Refuses parameters that the path does not have, if this server minds them. */
export function declared(setup: Setup, asked: Asked, names: readonly string[]): void {
  if (setup.choice('undeclared') === 'ignored') return;
  const stranger = [...asked.query.keys()].find((name) => !names.includes(name));
  if (stranger !== undefined) throw invalid(setup, `${stranger} is not a parameter of this path`);
}

/** A whole number between bounds; undefined when absent or, on a server that ignores them, sloppily spelled. */
export function wholeNumber(
  setup: Setup,
  name: string,
  text: string,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  const strict = /^-?(0|[1-9]\d*)$/.test(text) && text !== '-0';
  const loose = /^\s*[+-]?\d+(\.0+)?\s*$/.test(text);
  if (!strict && !loose) throw invalid(setup, `${name} must be a whole number`);
  const value = Number(text);
  if (value < bounds.min || value > bounds.max)
    throw invalid(setup, `${name} must be at least ${bounds.min}${bounds.max < Number.MAX_VALUE ? ` and at most ${bounds.max}` : ''}`);
  // An id that no double can hold is a question of its own; a lenient server looks for it and finds nothing.
  if (!strict || !Number.isSafeInteger(value)) return sloppily(setup, name, value);
  return value;
}

/** The members of a comma-separated list, in the order given; undefined when nothing filters. */
export function members(setup: Setup, name: string, text: string, legal: readonly string[]): readonly string[] | undefined {
  const parts = text.split(',');
  const meant = parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== '');
  const stranger = meant.find((part) => !legal.includes(part));
  if (stranger !== undefined) throw invalid(setup, `${name} must be one or several of ${legal.join(', ')}`);
  const tidy = parts.filter((part) => legal.includes(part));
  if (tidy.length === parts.length) return parts;
  const read = sloppily(setup, name, meant) ?? tidy;
  return read.length === 0 ? undefined : read;
}
