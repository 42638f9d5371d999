/** Regular expressions as Pact's matchers read them: in the syntax of Oniguruma, and for the whole text. */

import { compileExpression } from '../../../core/safe-regexp.ts';

/** An expression in the syntax of JavaScript. */
interface PactExpression {
  /** A pattern of texts that surely match. */
  readonly pattern: string;
  readonly matches: (text: string) => boolean;
}

/** Converts an expression; `undefined` if JavaScript has no counterpart of a part, such as an inline flag. */
export function readExpression(expression: string): PactExpression | undefined {
  const exact = translate(expression, unicodeClasses);
  if (exact === undefined) return undefined;
  const whole = compileExpression(`^(?:${exact})$`);
  // What a negation leaves out may not become smaller.
  const hasNegation = /\\[WDS]|\[\^[^\]]*\\[wds]/.test(expression);
  const certain = hasNegation ? exact : translate(expression, asciiClasses);
  return { pattern: `^(?:${certain})$`, matches: (text) => whole.test(text) };
}

type ClassNames = Readonly<Record<string, string>>;

/** Members of the classes in Oniguruma. */
const unicodeClasses: ClassNames = { w: '\\p{L}\\p{M}\\p{Nd}\\p{Pc}', d: '\\p{Nd}', s: '\\p{White_Space}' };

/** Smaller classes, about which inclusion can be proved: the properties of Unicode differ between versions. */
const asciiClasses: ClassNames = { w: 'A-Za-z0-9_', d: '0-9', s: '\\t-\\r ' };

/** Named classes of POSIX, which only stand inside brackets. */
const posixClasses: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '\\p{Nd}',
  alnum: '\\p{L}\\p{Nd}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\p{White_Space}',
  xdigit: '0-9A-Fa-f',
};

const token = /\\[pP]\{\^?\w+\}|\\x\{?[0-9A-Fa-f]+\}?|\\.|\[:\w+:\]|\[\^?\]?|\]|\(\?<?[=!:]|\(\?<\w+>|./gsu;

function translate(expression: string, classes: ClassNames): string | undefined {
  // Inline flags, atomic groups, possessive repetitions and operations on sets have no counterpart.
  if (/\(\?(?![:=!]|<[=!A-Za-z])|[*+?]\+|&&/.test(expression.replaceAll(/\\./gsu, 'x'))) return undefined;
  let depth = 0;
  let translated = '';
  for (const [piece] of expression.matchAll(token)) {
    const isInside = depth > 0;
    if (piece.startsWith('[') && !piece.startsWith('[:') && (!isInside || piece !== '[')) depth += 1;
    const written = translatePiece(piece, isInside, classes);
    if (written === undefined || depth > 1) return undefined;
    if (piece === ']' && isInside) depth -= 1;
    translated += written;
  }
  return isPattern(translated) ? translated : undefined;
}

function translatePiece(piece: string, isInside: boolean, classes: ClassNames): string | undefined {
  if (piece === '.' && !isInside) return '[^\\n]';
  if (piece === '[' && isInside) return '\\[';
  if (piece.startsWith('[:')) return isInside ? posixClasses[piece.slice(2, -2)] : undefined;
  const isEscape = piece.startsWith('\\') && piece.length === 2;
  return isEscape ? translateEscape(piece.charAt(1), isInside, classes) : piece;
}

/** Escapes with another meaning or spelling in JavaScript. */
const escapes: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '$' };

function translateEscape(letter: string, isInside: boolean, classes: ClassNames): string | undefined {
  const isNegated = /[A-Z]/.test(letter);
  const members = letter === 'h' ? '0-9A-Fa-f' : classes[letter.toLowerCase()];
  if (members !== undefined && isInside) return isNegated ? undefined : members;
  if (members !== undefined) return `[${isNegated ? '^' : ''}${members}]`;
  if (Object.hasOwn(escapes, letter)) return escapes[letter];
  if (/[nrtfvbB0-9k]/.test(letter) || /[\^$\\.*+?()[\]{}|/]/.test(letter) || (isInside && letter === '-')) return `\\${letter}`;
  // Pacts often escape characters that need no escape, which Unicode mode forbids.
  return /[A-Za-z]/.test(letter) ? undefined : letter;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    // Another engine may support it; the caller reports that it is not compared.
    return false;
  }
}
