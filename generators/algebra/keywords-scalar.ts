/** Keywords of numbers and of strings (JSON Schema validation §6.2 and §6.3). */

import { countOf, numberOf, textOf } from '../schema/keyword.ts';
import type { Site } from '../schema/site.ts';
import { type Alternative, everything, knowing, type NumberDemands, only, type TextDemands } from './facts.ts';
import type { Keyword } from './keyword.ts';

/** A keyword with one value that says one thing of numbers. */
function ofNumbers(
  name: string,
  fact: (value: number) => Partial<NumberDemands>,
  breach: (value: number) => Partial<NumberDemands>,
  change: string,
): Keyword {
  const broken = (value: number): Alternative => only('number', { number: breach(value) });
  return withValue(name, name === 'multipleOf' ? divisorOf : numberOf, (value) => knowing({ number: fact(value) }), broken, change);
}

function divisorOf(site: Site, name: string): number | undefined {
  const value = numberOf(site, name);
  if (value === undefined || value > 0) return value;
  throw site.unsupported(name, `${value} is not above 0`);
}

/** A keyword with one value that says one thing of texts. */
function ofTexts<T extends string | number>(
  name: string,
  read: (site: Site, name: string) => T | undefined,
  fact: (value: T) => Partial<TextDemands>,
  breach: (value: T) => Partial<TextDemands> | undefined,
  change: string,
): Keyword {
  const broken = (value: T): Alternative | undefined => {
    const text = breach(value);
    return text && only('string', { text });
  };
  return withValue(name, read, (value) => knowing({ text: fact(value) }), broken, change);
}

function withValue<T extends string | number>(
  name: string,
  read: (site: Site, name: string) => T | undefined,
  fact: (value: T) => Alternative,
  breach: (value: T) => Alternative | undefined,
  change: string,
): Keyword {
  return {
    names: [name],
    facts: (site) => {
      const value = read(site, name);
      return value === undefined ? everything : fact(value);
    },
    breaches: (site) => {
      const value = read(site, name);
      const alternative = value === undefined ? undefined : breach(value);
      return alternative === undefined ? [] : [{ keyword: name, change: `${change} ${String(value)}`, alternative }];
    },
  };
}

/** The keywords of this file. */
export const scalarKeywords: readonly Keyword[] = [
  ofNumbers(
    'minimum',
    (value) => ({ low: { value, open: false } }),
    (value) => ({ high: { value, open: true } }),
    'is below',
  ),
  ofNumbers(
    'maximum',
    (value) => ({ high: { value, open: false } }),
    (value) => ({ low: { value, open: true } }),
    'is above',
  ),
  ofNumbers(
    'exclusiveMinimum',
    (value) => ({ low: { value, open: true } }),
    (value) => ({ high: { value, open: false } }),
    'is not above',
  ),
  ofNumbers(
    'exclusiveMaximum',
    (value) => ({ high: { value, open: true } }),
    (value) => ({ low: { value, open: false } }),
    'is not below',
  ),
  ofNumbers(
    'multipleOf',
    (value) => ({ multiples: [value] }),
    (value) => ({ notMultiples: [value] }),
    'is no multiple of',
  ),
  ofTexts(
    'minLength',
    countOf,
    (minLength) => ({ minLength }),
    (minLength) => (minLength === 0 ? undefined : { maxLength: minLength - 1 }),
    'is shorter than',
  ),
  ofTexts(
    'maxLength',
    countOf,
    (maxLength) => ({ maxLength }),
    (maxLength) => ({ minLength: maxLength + 1 }),
    'is longer than',
  ),
  ofTexts(
    'pattern',
    textOf,
    (pattern) => ({ patterns: [pattern] }),
    (pattern) => ({ notPatterns: [pattern] }),
    'does not match',
  ),
];
