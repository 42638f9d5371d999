/** Draws texts of formats: from the forms that are known to be valid, met with whatever else is known. */

import type { Chance } from '../source/dice.ts';
import { type Draft, isFilled, pick, wantsEdge } from './draft.ts';
import type { FormatShape } from './format-shape.ts';
import { Language, type LanguageParts } from './language.ts';
import { draftLanguage } from './language-draft.ts';
import { readPattern } from './pattern.ts';
import type { Pattern } from './pattern-node.ts';
import { LanguageTooLarge } from './term.ts';

const patterns = new Map<string, Pattern>();

/** A pattern of the table of formats, read once. */
export function tablePattern(source: string): Pattern {
  const known = patterns.get(source) ?? readPattern(source);
  patterns.set(source, known);
  return known;
}

/**
 * How to draw texts of formats that have the other parts too; `undefined` when no form of the first format has them.
 * @param accepts judges by all facts
 * @throws {LanguageTooLarge}
 */
export function draftFormats(shapes: readonly FormatShape[], parts: LanguageParts, accepts: (text: string) => boolean): Draft | undefined {
  const [shape, ...others] = shapes;
  if (shape === undefined) return undefined;
  const [first, ...further] = shape.forms;
  const forms = further.values();
  const limited = { ...parts, maxLength: Math.min(parts.maxLength, shape.usualLength ?? parts.maxLength) };
  const usual = draftForm(first, limited) ?? firstDraft(forms, parts);
  if (usual === undefined) return undefined;
  const edges = shapes.flatMap((each) => each.edges).filter(accepts);
  return {
    // Forms of several formats are not met with each other: whether a text of one is valid for the others is judged.
    isSure: others.length === 0 && usual.isSure,
    // Forms are what is usual, not all there is.
    all: undefined,
    isWhole: false,
    simplest: () => listSimplest(shapes, usual, edges),
    draw: drawer(usual, openLater([...forms], parts, usual), edges),
  };
}

function firstDraft(forms: Iterator<string>, parts: LanguageParts): Draft | undefined {
  for (let next = forms.next(); next.done !== true; next = forms.next()) {
    const draft = draftForm(next.value, parts);
    if (draft !== undefined) return draft;
  }
  return undefined;
}

function draftForm(form: string, parts: LanguageParts): Draft | undefined {
  return draftLanguage(new Language({ ...parts, patterns: [...parts.patterns, tablePattern(form)] }));
}

/** Drafts of further forms, each opened when it is first wanted; the usual one stands in for those that lack the other parts. */
function openLater(forms: readonly string[], parts: LanguageParts, usual: Draft): readonly (() => Draft)[] {
  return forms.map((form) => {
    let draft: Draft | undefined;
    return () => {
      draft ??= openOr(usual, () => draftForm(form, parts));
      return draft;
    };
  });
}

function openOr(usual: Draft, open: () => Draft | undefined): Draft {
  try {
    return open() ?? usual;
  } catch (error) {
    if (error instanceof LanguageTooLarge) return usual;
    throw error;
  }
}

/** Draws from the edges, from the usual form, or from a further one. */
function drawer(usual: Draft, further: readonly (() => Draft)[], edges: readonly string[]): Draft['draw'] {
  return (chance: Chance, biasFactor) => {
    if (isFilled(edges) && wantsEdge(chance, biasFactor)) return pick(edges, chance);
    const draft = isFilled(further) && chance.nextInt(0, 3) === 0 ? pick(further, chance)() : usual;
    return draft.draw(chance, biasFactor);
  };
}

function* listSimplest(shapes: readonly FormatShape[], usual: Draft, edges: readonly string[]): Generator<string> {
  for (const { simplest } of shapes) yield simplest;
  yield* edges;
  yield* usual.simplest();
}
