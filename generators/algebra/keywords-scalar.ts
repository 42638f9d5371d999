/** Keywords of numbers and of strings (JSON Schema validation §6.2 and §6.3). */

import type { Site } from '../schema/site.ts';
import { type Alternative, knowing, type NumberDemands, only, type TextDemands } from './facts.ts';
import { countOf, type Keyword, numberOf, stringOf } from './keyword.ts';

/** A keyword with one value that says one thing of numbers. */
function ofNumbers(
  name: string,
  fact: (value: number) => Partial<NumberDemands>,
  breach: (value: number) => Partial<NumberDemands>,
  change: string,
): Keyword {
  return {
    names: [name],
    facts: (site) => knowing({ number: fact(numberOf(site, name)) }),
    breaches: (site) => {
      const value = numberOf(site, name);
      return [{ keyword: name, change: `${change} ${value}`, alternative: only('number', { number: breach(value) }) }];
    },
  };
}

/** A keyword with one value that says one thing of texts. */
function ofTexts<T>(
  name: string,
  read: (site: Site, name: string) => T,
  fact: (value: T) => Partial<TextDemands>,
  breach: (value: T) => Partial<TextDemands> | undefined,
  change: string,
): Keyword {
  return {
    names: [name],
    facts: (site) => knowing({ text: fact(read(site, name)) }),
    breaches: (site) => {
      const value = read(site, name);
      const broken = breach(value);
      return broken === undefined ? [] : [{ keyword: name, change: `${change} ${String(value)}`, alternative: brokenText(broken) }];
    },
  };
}

function brokenText(text: Partial<TextDemands>): Alternative {
  return only('string', { text });
}

function divisorOf(value: number): number {
  return Math.abs(value);
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
    (value) => ({ multiples: [divisorOf(value)] }),
    (value) => ({ notMultiples: [divisorOf(value)] }),
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
    stringOf,
    (pattern) => ({ patterns: [pattern] }),
    (pattern) => ({ notPatterns: [pattern] }),
    'does not match',
  ),
];
