/** Ways to draw texts with the given facts, or the proof that there are none. */

import { checksText } from '../../core/format.ts';
import { lazily, recall } from '../recall.ts';
import { Dice, isAtEdge } from '../source/source.ts';
import { type Draft, draftFreeText, draftNearMisses, draftSyntax, isFilled, pick } from './draft.ts';
import { type FormatShape, shapeOf } from './formats.ts';
import { draftLanguage, Language, type LanguageParts } from './language.ts';
import { isExact, type Pattern, readPattern } from './pattern.ts';
import { LanguageTooLarge, unlessTooLarge } from './term.ts';
import type { ReadFacts } from './text-facts.ts';

const patterns = new Map<string, Pattern>();

/** A pattern of the table of formats, read once. */
export function tablePattern(source: string): Pattern {
  return recall(patterns, source, readPattern);
}

/**
 * How to draw texts of formats that have the other parts too; `undefined` when no form of the first format has them.
 * @param accepts judges by all facts
 * @throws {LanguageTooLarge}
 */
function draftFormats(shapes: readonly FormatShape[], parts: LanguageParts, accepts: (text: string) => boolean): Draft | undefined {
  const [shape] = shapes;
  if (shape === undefined) return undefined;
  const [first, ...further] = shape.forms;
  let usual = draftForm(first, { ...parts, maxLength: Math.min(parts.maxLength, shape.usualLength ?? parts.maxLength) });
  while (usual === undefined) {
    const form = further.shift();
    if (form === undefined) return undefined;
    usual = draftForm(form, parts);
  }
  const found = usual;
  // The usual form stands in for those that lack the other parts.
  const others = further.map((form) => lazily(() => unlessTooLarge(() => draftForm(form, parts)) ?? found));
  const edges = shapes.flatMap((each) => each.edges).filter(accepts);
  return {
    // Forms of several formats are not met with each other: whether a text of one is valid for the others is judged.
    isSure: shapes.length === 1 && found.isSure,
    // Forms are what is usual, not all there is.
    all: undefined,
    isWhole: false,
    simplest: () => listSimplest(shapes, found, edges),
    draw: (chance, bias) => {
      if (isFilled(edges) && isAtEdge(chance, bias)) return pick(edges, chance);
      const draft = isFilled(others) && chance.nextInt(0, 3) === 0 ? pick(others, chance)() : found;
      return draft.draw(chance, bias);
    },
  };
}

function draftForm(form: string, parts: LanguageParts): Draft | undefined {
  return draftLanguage(new Language({ ...parts, patterns: [...parts.patterns, tablePattern(form)] }));
}

function* listSimplest(shapes: readonly FormatShape[], usual: Draft, edges: readonly string[]): Generator<string> {
  for (const { simplest } of shapes) yield simplest;
  yield* edges;
  yield* usual.simplest();
}

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

/** The draws that a trial makes at most. */
const draws = 200;

/** Of so many draws at least one must be accepted. */
const oneIn = 50;

/** As many tries are made for one text; at one in fifty, more are needed once in 10^17 times. */
const triesPerText = 2_000;

/** What a trial found. */
export interface Trial {
  readonly accepted: readonly string[];
  readonly drawn: number;
  /** Whether enough was accepted to go on. */
  readonly passed: boolean;
}

/** Draws a few texts, the same ones every time. A draft that is sure is believed after a few. */
export function tryOut(draft: Draft, accepts: (text: string) => boolean): Trial {
  // The trial must not depend on, nor change, anybody's chance.
  const dice = new Dice(1);
  const accepted: string[] = [];
  let drawn = 0;
  for (; drawn < draws && accepted.length < 20; drawn += 1) {
    // Edges of a draft that is sure may be far away, and need no proof.
    const text = draft.draw(dice, !draft.isSure && drawn % 4 === 0 ? 2 : undefined);
    if (accepts(text)) accepted.push(text);
  }
  return { accepted, drawn, passed: accepted.length * oneIn >= drawn };
}

/** Draws until a text is accepted. */
export function judged(draft: Draft, accepts: (text: string) => boolean, wanted: string): Draft['draw'] {
  return (chance, biasFactor) => {
    for (let tries = 0; tries < triesPerText; tries += 1) {
      const text = draft.draw(chance, biasFactor);
      if (accepts(text)) return text;
    }
    throw new Error(`none of ${triesPerText} texts drawn ${wanted}; say more narrowly in the schema what the text looks like`);
  };
}
