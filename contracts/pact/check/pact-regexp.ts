/** Regular expressions as Pact's matchers read them: in the syntax of Oniguruma, and for the whole text. */

import { compileExpression, compileForAnyCase } from '../../../core/safe-regexp.ts';

/** An expression in the syntax of JavaScript. */
interface PactExpression {
  /** A pattern of texts that surely match. */
  readonly pattern: string;
  readonly matches: (text: string) => boolean;
}

/** Converts an expression; `undefined` if JavaScript has no counterpart of a part, such as an atomic group. */
export function readExpression(written: string): PactExpression | undefined {
  const { anchor = '', flags = '', rest = written } = /^(?<anchor>\^?)\(\?(?<flags>[im]+)\)(?<rest>.*)$/su.exec(written)?.groups ?? {};
  const ignoresCase = flags.includes('i');
  // The pattern regards the case, so it may negate nothing; and Oniguruma takes ß for ss.
  if (ignoresCase && /[^\p{ASCII}]|\[[\^:]|\(\?<?!|\\[WDSPp]/u.test(rest)) return undefined;
  // In Ruby, with the flag m a dot stands for the end of a line, too.
  const expression = anchor + rest;
  const dot = flags.includes('m') ? '[\\s\\S]' : '[^\\n]';
  const exact = translate(expression, { ...unicodeClasses, ...lineAnchors, dot });
  if (exact === undefined) return undefined;
  const whole = (ignoresCase ? compileForAnyCase : compileExpression)(`^(?:${exact})$`);
  // What a negation leaves out may not become smaller.
  const hasNegation = /\\[WDS]|\[\^[^\]]*\\[wds]/.test(expression);
  const certain = hasNegation ? exact : translate(expression, { ...asciiClasses, dot });
  return { pattern: `^(?:${certain})$`, matches: (text) => whole.test(text) };
}

type ClassNames = Readonly<Record<string, string>>;

const wordCharacters = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}';

/** Members of the classes in Oniguruma. Outside brackets, some fractions and superscripts are part of words. */
const unicodeClasses: ClassNames = {
  w: wordCharacters,
  wOutside: `${wordCharacters}\\xb2\\xb3\\xb9\\xbc-\\xbe`,
  d: '\\p{Nd}',
  s: '\\p{White_Space}',
  h: '0-9A-Fa-f',
};

/** In Ruby, anchors within an expression stand for the ends of lines. */
const lineAnchors: ClassNames = { 'line ^': '(?<![^\\n])', 'line $': '(?![^\\n])' };

/** Smaller classes, about which inclusion can be proved: the properties of Unicode differ between versions. */
const asciiClasses: ClassNames = { w: 'A-Za-z0-9_', d: '0-9', s: '\\t-\\r ', h: '0-9A-Fa-f' };

/** Named classes of POSIX, which only stand inside brackets, and as properties elsewhere. */
const posixClasses: Readonly<Record<string, string>> = {
  alpha: '\\p{Alphabetic}',
  digit: '\\p{Nd}',
  alnum: '\\p{Alphabetic}\\p{Nd}',
  upper: '\\p{Uppercase}',
  lower: '\\p{Lowercase}',
  space: '\\p{White_Space}',
  blank: '\\t\\p{Zs}',
  cntrl: '\\p{Cc}',
  punct: '\\p{P}\\p{S}',
  word: wordCharacters,
  xdigit: '0-9A-Fa-f',
};

const token =
  /\\[pP]\{\^?\w+\}|\\x\{?[0-9A-Fa-f]+\}?|\\u[0-9A-Fa-f]{4}|\\.|\{\d+,?\d*\}|\{,\d+\}|\[:\w+:\]|\[\^?\]?|\]|\(\?<?[=!:]|\(\?<\w+>|./gsu;

function translate(expression: string, classes: ClassNames): string | undefined {
  // Flags of a part, atomic groups, possessive repetitions and operations on sets have no counterpart.
  if (/\(\?(?![:=!]|<[=!A-Za-z])|[*+?]\+|&&/.test(expression.replaceAll(/\\./gsu, 'x'))) return undefined;
  let depth = 0;
  let translated = '';
  for (const { 0: piece, index } of expression.matchAll(token)) {
    const isInside = depth > 0;
    if (piece.startsWith('[') && !piece.startsWith('[:') && (!isInside || piece !== '[')) depth += 1;
    const written = lineAnchorAt(expression, index, isInside, classes) ?? translatePiece(piece, isInside, classes);
    if (written === undefined || depth > 1) return undefined;
    if (piece === ']' && isInside) depth -= 1;
    translated += written;
  }
  return isPattern(translated) ? translated : undefined;
}

/** An anchor within an expression; `undefined` for any other piece. */
function lineAnchorAt(expression: string, index: number, isInside: boolean, classes: ClassNames): string | undefined {
  return isInside || index === 0 || index === expression.length - 1 ? undefined : classes[`line ${expression.charAt(index)}`];
}

function translatePiece(piece: string, isInside: boolean, classes: ClassNames): string | undefined {
  if (piece === '[' && isInside) return '\\[';
  if (piece.startsWith('[:')) return isInside ? posixClasses[piece.slice(2, -2)] : undefined;
  const [, sign = '', property] = /^\\[pP](\{\^?)(\w+)\}$/.exec(piece) ?? [];
  if (property !== undefined) return translateProperty(property, isInside, piece.startsWith('\\P') !== sign.endsWith('^'));
  if (piece.startsWith('\\x{')) return piece.replace('x', 'u');
  const isEscape = piece.startsWith('\\') && piece.length === 2;
  if (isEscape) return translateEscape(piece.charAt(1), isInside, classes);
  return isInside ? piece : translateSyntax(piece, classes);
}

function translateProperty(name: string, isInside: boolean, isNegated: boolean): string | undefined {
  const members = name === 'Punct' ? '\\p{P}' : posixClasses[name.toLowerCase()];
  if (members !== undefined && isInside) return isNegated ? undefined : members;
  if (members !== undefined) return `[${isNegated ? '^' : ''}${members}]`;
  const letter = isNegated ? 'P' : 'p';
  return [`\\${letter}{${name}}`, `\\${letter}{Script=${name}}`].find(isPattern);
}

function translateSyntax(piece: string, classes: ClassNames): string | undefined {
  if (piece === '.') return classes['dot'];
  if (piece === '{' || piece === '}') return `\\${piece}`;
  if (piece.startsWith('{,')) return piece.replace(',', '0,');
  // A bracket right after the opening one is a member of the class.
  return /^\[\^?\]$/.test(piece) ? piece.replace(']', '\\]') : piece;
}

/** Escapes with another meaning or spelling in JavaScript: places in a text, and characters. */
const places: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '$', R: '(?:\\r\\n|[\\n-\\r\\u0085\\u2028\\u2029])' };
const characters: Readonly<Record<string, string>> = { a: '\\x07', e: '\\x1b' };

function translateEscape(letter: string, isInside: boolean, classes: ClassNames): string | undefined {
  const isNegated = /[A-Z]/.test(letter);
  const members = classes[letter.toLowerCase()];
  if (members !== undefined && isInside) return isNegated ? undefined : members;
  if (members !== undefined) return `[${isNegated ? '^' : ''}${classes[`${letter.toLowerCase()}Outside`] ?? members}]`;
  const spelled = characters[letter] ?? (isInside ? undefined : places[letter]);
  if (spelled !== undefined) return spelled;
  if (/[nrtfvbB0-9k^$\\.*+?()[\]{}|/]/.test(letter) || (isInside && letter === '-')) return `\\${letter}`;
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
