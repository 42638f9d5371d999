/** A keyword as both of its sides: what an instance is like that satisfies it, and every way to fail it. */

import type { Site } from '../schema/site.ts';
import type { Alternative } from './facts.ts';

/** One way to fail a keyword. */
export interface Breach {
  readonly keyword: string;
  /** What is wrong with such an instance, as a clause without a subject: `is above 100`. */
  readonly change: string;
  /** What such an instance is like. */
  readonly alternative: Alternative;
}

/** A keyword that speaks of the instance itself or of its members. Keywords that join schemas are in `expansion.ts`. */
export interface Keyword {
  /** The keywords that it is spelled with; it is there when the first one is, or any where `any` says so. */
  readonly names: readonly string[];
  readonly facts: (site: Site) => Alternative;
  readonly breaches: (site: Site) => readonly Breach[];
}

/**
 * The value of a keyword that must be a finite number.
 * @throws {Unsupported} for anything else.
 */
export function numberOf(site: Site, keyword: string): number {
  const value = site.keywords[keyword];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw site.unsupported(keyword, `${JSON.stringify(value)} is not a number`);
}

/**
 * The value of a keyword that must be a number of something: whole, and not below 0.
 * @throws {Unsupported} for anything else.
 */
export function countOf(site: Site, keyword: string): number {
  const value = numberOf(site, keyword);
  if (Number.isInteger(value) && value >= 0) return value;
  throw site.unsupported(keyword, `${value} is not a whole number of at least 0`);
}

/**
 * The value of a keyword that must be a string.
 * @throws {Unsupported} for anything else.
 */
export function stringOf(site: Site, keyword: string): string {
  const value = site.keywords[keyword];
  if (typeof value === 'string') return value;
  throw site.unsupported(keyword, `${JSON.stringify(value)} is not a string`);
}

/**
 * The value of a keyword that must be a list of strings.
 * @throws {Unsupported} for anything else.
 */
export function stringsOf(site: Site, keyword: string, value: unknown = site.keywords[keyword]): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value as readonly string[];
  throw site.unsupported(keyword, `${JSON.stringify(value)} is not a list of strings`);
}
