/** Finds ways to draw texts with the given facts, or that there are none. */

import { checksText } from '../../core/format.ts';
import type { Draft } from './draft.ts';
import { draftFormats, tablePattern } from './format-draft.ts';
import type { FormatShape } from './format-shape.ts';
import { shapeOf } from './format-table.ts';
import { draftFreeText } from './free-text.ts';
import { Language, type LanguageParts } from './language.ts';
import { draftLanguage } from './language-draft.ts';
import { draftNearMisses } from './near-text.ts';
import { isExact } from './pattern-node.ts';
import { draftSyntax } from './syntax-draft.ts';
import { LanguageTooLarge } from './term.ts';
import type { ReadFacts } from './text-facts.ts';

/**
 * Ways to draw, the best first; a later one is for when an earlier one turns out to hit too seldom. `empty` says that no text has the facts.
 * All formats of the facts have checks.
 * @throws {LanguageTooLarge} when there is no other way than one that is too much work.
 */
export function* listDrafts(facts: ReadFacts, accepts: (text: string) => boolean): Generator<Draft | 'empty'> {
  if (facts.notFormats.length === 0) {
    yield* listBases(facts, accepts);
    return;
  }
  const shapes = shapesOf(facts.notFormats);
  const wrong = shapes.flatMap((shape) => shape.wrong);
  // What is valid is spoiled, so it need not have the other facts, but for the lengths.
  const valid = draftFormats(shapes, { ...facts, patterns: [], notPatterns: [] }, checkAll(facts.notFormats));
  for (const base of listBases(facts, accepts)) yield base === 'empty' ? base : draftNearMisses(base, valid, wrong);
}

/** Whether patterns and lengths alone, and what every text of the formats looks like, leave no text. */
export function isProvenEmpty(facts: ReadFacts): boolean {
  if (facts.minLength > facts.maxLength) return true;
  const language = new Language(hullOf(facts));
  return language.isWhole && language.first(facts.minLength) === undefined;
}

/** Drafts for all facts but the formats that the text is not valid for. */
function* listBases(facts: ReadFacts, accepts: (text: string) => boolean): Generator<Draft | 'empty'> {
  const inexact = facts.patterns.filter(({ root }) => !isExact(root));
  try {
    yield* listLanguages(facts, accepts);
    yield* inexact.map(draftSyntax);
  } catch (error) {
    if (!(error instanceof LanguageTooLarge)) throw error;
    yield* facts.patterns.map(draftSyntax);
    // Without what the text must not match the automaton may be small enough, and most texts match few patterns.
    if (facts.notPatterns.length === 0) throw error;
    for (const draft of listBases({ ...facts, notPatterns: [] }, accepts)) yield draft === 'empty' ? draft : { ...draft, isSure: false };
  }
}

function* listLanguages(facts: ReadFacts, accepts: (text: string) => boolean): Generator<Draft | 'empty'> {
  if (isFree(facts)) {
    yield { ...draftFreeText(facts.minLength, facts.maxLength), isSure: facts.except.size === 0 };
    return;
  }
  const formats = facts.formats.length > 0;
  const forms = formats && facts.patterns.length > 0 && isListed(facts) ? undefined : draftFormats(shapesOf(facts.formats), facts, accepts);
  if (forms !== undefined) yield forms;
  const hull = new Language(hullOf(facts));
  const draft = draftLanguage(hull);
  if (draft !== undefined) yield { ...draft, isSure: draft.isSure && !formats };
  else if (hull.isWhole) yield 'empty';
}

/** Whether patterns leave so few texts of a format that they can be listed; forms would not have them all. */
function isListed(facts: ReadFacts): boolean {
  return draftLanguage(new Language(hullOf(facts)))?.all !== undefined;
}

/** Whether only lengths are known; a text that must be empty is better listed than drawn. */
function isFree({ patterns, notPatterns, formats, maxLength }: ReadFacts): boolean {
  return patterns.length === 0 && notPatterns.length === 0 && formats.length === 0 && maxLength > 0;
}

function hullOf(facts: ReadFacts): LanguageParts {
  const hulls = shapesOf(facts.formats).flatMap(({ hull }) => (hull === undefined ? [] : [tablePattern(hull)]));
  return { ...facts, patterns: [...facts.patterns, ...hulls] };
}

function shapesOf(formats: readonly string[]): readonly FormatShape[] {
  return formats.flatMap((format) => shapeOf(format) ?? []);
}

function checkAll(formats: readonly string[]): (text: string) => boolean {
  const checks = formats.map(checksText);
  return (text) => checks.every((check) => check?.(text) ?? true);
}
