/** What a law is, in words: the same in the reference, in the terminal and wherever else laws are told of. */

import type { LawDescription } from '../../core/law-description.ts';
import type { Strength } from '../../core/verdict.ts';

/** Why a strength binds, for whoever has to decide about a violation. */
const strengths: Readonly<Record<Strength, string>> = {
  stated: 'the documents of the API say so',
  required: 'an RFC requires it',
  implied: 'it follows from what the documents say',
};

/** The group of a law: what stands before the slash. */
export function groupOf({ id }: Pick<LawDescription, 'id'>): string {
  return id.split('/')[0] ?? id;
}

/** The strength of a law, with what it means. */
export function describeStrength({ strength }: LawDescription): string {
  return `${strength}, since ${strengths[strength]}`;
}

/** Where a law comes from. */
export function describeSource({ rfc }: LawDescription): string {
  return rfc ?? 'the place of the contract that states it';
}
