/** Turns syntax trees into terms, from the end to the beginning: each piece is told what may follow it, by what stands before. */

import { wordCharacters } from './character-class.ts';
import { intersect, scalarValues, subtract } from './code-points.ts';
import { isContextFree, isExact, isPlain, type Pattern, type PatternNode } from './pattern-node.ts';
import type { ByContext, Context, Loop, Term, Terms } from './term.ts';

const anything: PatternNode = { kind: 'repeat', body: { kind: 'set', set: scalarValues }, min: 0, max: Number.POSITIVE_INFINITY };

/**
 * The texts in which a pattern is found. When the pattern is not exact (`isExact`), these are more than the engine finds it in,
 * never fewer: what cannot be said is left out.
 */
export function compileSearch(terms: Terms, pattern: Pattern): Term {
  const search: PatternNode = { kind: 'sequence', parts: [anything, pattern.root] };
  return compileNode(terms, search, always(terms.all))[0];
}

/** The language of one text. */
export function compileLiteral(terms: Terms, text: string): Term {
  return [...text].reduceRight((rest: Term, character) => {
    const point = character.codePointAt(0) ?? 0;
    return terms.step([point, point], rest);
  }, terms.end);
}

/** A repetition, one round unfolded. */
export function unfoldLoop(terms: Terms, loop: Loop): ByContext {
  loop.unfolded ??= unfoldOnce(terms, loop);
  return loop.unfolded;
}

function unfoldOnce(terms: Terms, { body, min, max, rest }: Loop): ByContext {
  const round = compileNode(terms, body, compileRepeat(terms, body, Math.max(0, min - 1), max - 1, rest));
  return min > 0 ? round : either(terms, rest, round);
}

function compileNode(terms: Terms, node: PatternNode, rest: ByContext): ByContext {
  switch (node.kind) {
    case 'set': {
      const [, afterWord, afterOther] = rest;
      if (afterWord === afterOther) return always(terms.step(node.set, afterWord));
      const steps = [
        terms.step(intersect(node.set, wordCharacters), afterWord),
        terms.step(subtract(node.set, wordCharacters), afterOther),
      ];
      return always(terms.either(steps));
    }
    case 'sequence':
      return node.parts.reduceRight((following, part) => compileNode(terms, part, following), rest);
    case 'choice':
      return either(terms, ...node.options.map((option) => compileNode(terms, option, rest)));
    case 'repeat':
      return compileRepeat(terms, node.body, node.min, node.max, rest);
    case 'start':
      return [rest[0], terms.none, terms.none];
    case 'end':
      return both(terms, always(terms.end), rest);
    case 'boundary':
      return both(terms, compileBoundary(terms, node.negative), rest);
    case 'ahead':
      return compileAhead(terms, node.body, node.negative, rest);
    case 'behind':
      return rest;
    case 'reference':
      return compileReference(terms, node.groups[node.group], rest);
  }
}

function compileRepeat(terms: Terms, body: PatternNode, min: number, max: number, rest: ByContext): ByContext {
  return max === 0 ? rest : terms.loop(body, min, max, rest, isContextFree(body));
}

/** A boundary stands where of the characters around exactly one is a word character. */
function compileBoundary(terms: Terms, negative: boolean): ByContext {
  const word = terms.step(wordCharacters, terms.all);
  const [afterWord, afterOther] = negative ? [word, terms.not(word)] : [terms.not(word), word];
  return [afterOther, afterWord, afterOther];
}

/** What is ahead is said of the whole rest. The negation of too much would be too little, so what is not exact is not negated but left out. */
function compileAhead(terms: Terms, body: PatternNode, negative: boolean, rest: ByContext): ByContext {
  if (!negative) return both(terms, compileNode(terms, body, always(terms.all)), rest);
  if (!isExact(body)) return rest;
  const [atStart, afterWord, afterOther] = compileNode(terms, body, always(terms.all));
  return both(terms, [terms.not(atStart), terms.not(afterWord), terms.not(afterOther)], rest);
}

/** A reference repeats what its group matched, or nothing: approximately what the group can match. */
function compileReference(terms: Terms, group: PatternNode | undefined, rest: ByContext): ByContext {
  const body = group !== undefined && isPlain(group) ? group : anything;
  return either(terms, rest, compileNode(terms, body, rest));
}

function always(term: Term): ByContext {
  return [term, term, term];
}

function either(terms: Terms, ...given: readonly ByContext[]): ByContext {
  const at = (context: Context): Term => terms.either(given.map((each) => each[context]));
  return [at(0), at(1), at(2)];
}

function both(terms: Terms, ...given: readonly ByContext[]): ByContext {
  const at = (context: Context): Term => terms.both(given.map((each) => each[context]));
  return [at(0), at(1), at(2)];
}
