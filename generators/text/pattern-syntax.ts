/**
 * Parses the regular expressions of `pattern` to syntax trees: ECMA-262 with the flag u, or without it if the engine only accepts that. Trees may be
 * approximate, since every drawn text is checked.
 */

import { getOrCompute } from '../../core/memo.ts';
import { compileExpression } from '../../core/safe-regexp.ts';
import {
  anyInLine,
  type CodePoints,
  escapedClasses,
  intersect,
  invert,
  noCodePoints,
  onePoint,
  pointsWithProperty,
  unite,
} from './code-point-sets.ts';

/** A node of the syntax tree. An empty sequence matches the empty text. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CodePoints }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'boundary'; readonly negative: boolean }
  | { readonly kind: 'ahead' | 'behind'; readonly negative: boolean; readonly body: PatternNode }
  | { readonly kind: 'reference'; readonly group: number; readonly groups: readonly PatternNode[] };

/** A parsed regular expression. */
export interface Pattern {
  /** The value of `pattern`. */
  readonly source: string;
  readonly root: PatternNode;
  /** The compiled expression. Its flags say which code points it sees. */
  readonly regExp: RegExp;
  /** True with properties such as `\p{L}`, which differ between Unicode versions. */
  readonly usesProperties: boolean;
}

/** The expression that matches the empty text. */
const emptyNode: PatternNode = { kind: 'sequence', parts: [] };

/** True when the language of the tree is exact. Back-references, look-behind and word boundaries are approximated. */
export function isExact(node: PatternNode): boolean {
  return node.kind !== 'reference' && node.kind !== 'behind' && node.kind !== 'boundary' && childrenOf(node).every(isExact);
}

/** True when the tree contains look-around, a boundary or a back-reference. */
export function looksAround(node: PatternNode): boolean {
  const { kind } = node;
  return kind === 'ahead' || kind === 'behind' || kind === 'boundary' || kind === 'reference' || childrenOf(node).some(looksAround);
}

/** True when the tree only consumes characters: what it matches does not depend on the surroundings. */
export function isPlain(node: PatternNode): boolean {
  return (
    (node.kind === 'set' || node.kind === 'sequence' || node.kind === 'choice' || node.kind === 'repeat') && childrenOf(node).every(isPlain)
  );
}

/** True if the tree contains `^`, so that it may match only at the start of a text. */
export function mayRequireStart(node: PatternNode): boolean {
  return node.kind === 'start' || childrenOf(node).some(mayRequireStart);
}

/** True when the tree can consume a character of the set. */
export function canConsume(node: PatternNode, set: CodePoints): boolean {
  return node.kind === 'set' ? intersect(node.set, set).length > 0 : childrenOf(node).some((child) => canConsume(child, set));
}

function childrenOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'sequence') return node.parts;
  if (node.kind === 'choice') return node.options;
  return 'body' in node ? [node.body] : [];
}

/** A construct that the engine accepts and this parser does not support; the message names it. */
export class UnsupportedConstruct extends Error {
  override readonly name = 'UnsupportedConstruct' as const;
}

const maxGroupDepth = 200;

/** A position in the source of a regular expression. */
class PatternParser {
  readonly source: string;
  /** True with the flag u. */
  readonly unicode: boolean;
  /** The name of each capturing group, the first at 0; without a name, `undefined`. */
  readonly groupNames: readonly (string | undefined)[];
  #at = 0;
  #depth = 0;

  constructor(source: string, unicode: boolean) {
    this.source = source;
    this.unicode = unicode;
    this.groupNames = listGroups(source);
  }

  /** True at the end of the source. */
  get atEnd(): boolean {
    return this.#at >= this.source.length;
  }

  /** True when the given text comes next; nothing is consumed. */
  sees(text: string): boolean {
    return this.source.startsWith(text, this.#at);
  }

  /** Consumes the given text if it comes next. */
  eat(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes the match of an expression at this position. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const expressionHere = new RegExp(expression.source, 'y');
    expressionHere.lastIndex = this.#at;
    const match = expressionHere.exec(this.source) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  /** Consumes one character. */
  next(): number {
    const point = this.unicode ? this.source.codePointAt(this.#at) : this.source.charCodeAt(this.#at);
    if (point === undefined || Number.isNaN(point)) throw this.unsupported('the end of the expression');
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  /** Parses the inside of a group. Groups nested hundreds deep would overflow the call stack. */
  nested<T>(read: () => T): T {
    if (this.#depth === maxGroupDepth) throw this.unsupported(`a group inside ${maxGroupDepth} others`);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  unsupported(what: string): UnsupportedConstruct {
    return new UnsupportedConstruct(`${what} at character ${this.#at} of the pattern ${this.source} is not supported`);
  }
}

/** Capturing groups by opening parenthesis. They are counted first, since references may point forward. */
function listGroups(source: string): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const syntaxPiece = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<(?![=!])([^>]*)>|(.)))?/gsu;
  for (const [text, name, extension] of source.matchAll(syntaxPiece)) {
    if (text.startsWith('(') && extension === undefined) names.push(name);
  }
  return names;
}

const controlCharacters: ReadonlyMap<string, number> = new Map([
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/** The characters of an escape or class member; `point` when it is a single character, which may begin a range. */
interface ClassMember {
  readonly set: CodePoints;
  readonly point: number | undefined;
}

/** Parses an escape for characters, inside or outside a class, after its backslash. */
function parseCharacterEscape(parser: PatternParser): ClassMember {
  const property = parser.unicode ? parser.match(/([pP])\{([^}]*)\}/) : undefined;
  if (property !== undefined) {
    const set = pointsWithProperty(property[2] ?? '');
    return { set: property[1] === 'P' ? invert(set) : set, point: undefined };
  }
  const classEscape = parser.match(/[dDwWsS]/);
  const set = escapedClasses.get(classEscape?.[0] ?? '');
  if (set !== undefined) return { set, point: undefined };
  return singleCharacter(parseEscapedPoint(parser));
}

/** Parses a class after its opening bracket. */
function parseClass(parser: PatternParser): CodePoints {
  const isNegated = parser.eat('^');
  const sets: CodePoints[] = [];
  while (!parser.eat(']')) {
    const first = parseMember(parser);
    // A final hyphen stands for itself.
    if (!parser.sees('-') || parser.sees('-]')) {
      sets.push(first.set);
      continue;
    }
    parser.eat('-');
    const last = parseMember(parser);
    // Beside a class such as \w a hyphen is literal (only without the flag u).
    if (first.point === undefined || last.point === undefined) sets.push(first.set, onePoint(0x2d), last.set);
    else sets.push([first.point, last.point]);
  }
  const set = sets.length === 0 ? noCodePoints : unite(...sets);
  return isNegated ? invert(set) : set;
}

function parseMember(parser: PatternParser): ClassMember {
  if (!parser.eat('\\')) return singleCharacter(parser.next());
  return parser.eat('b') ? singleCharacter(0x08) : parseCharacterEscape(parser);
}

function parseEscapedPoint(parser: PatternParser): number {
  const control = parser.match(/c([A-Za-z])/);
  if (control !== undefined) return (control[1] ?? '').charCodeAt(0) % 32;
  if (parser.sees('c')) throw parser.unsupported('\\c without a letter');
  const hexadecimal = parseHexadecimal(parser);
  if (hexadecimal !== undefined) return hexadecimal;
  if (parser.match(/0(?!\d)/) !== undefined) return 0;
  if (parser.match(/\d/) !== undefined) throw parser.unsupported('an octal escape');
  const letter = parser.match(/[fnrtv]/);
  return controlCharacters.get(letter?.[0] ?? '') ?? parser.next();
}

/** `\x41`, `\u0041`, `\u{1F600}`, and with the flag u a pair of surrogates, which is one character. */
function parseHexadecimal(parser: PatternParser): number | undefined {
  if (parser.unicode) {
    const bracedEscape = parser.match(/u\{([0-9A-Fa-f]+)\}/);
    if (bracedEscape !== undefined) return Number.parseInt(bracedEscape[1] ?? '', 16);
    const surrogateEscapes = parser.match(/u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/);
    if (surrogateEscapes !== undefined) {
      const [high, low] = [Number.parseInt(surrogateEscapes[1] ?? '', 16), Number.parseInt(surrogateEscapes[2] ?? '', 16)];
      return 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
    }
  }
  const plainEscape = parser.match(/x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})/);
  return plainEscape === undefined ? undefined : Number.parseInt(plainEscape[1] ?? plainEscape[2] ?? '', 16);
}

function singleCharacter(point: number): ClassMember {
  return { set: onePoint(point), point };
}

/**
 * Parses an expression. Each is parsed once.
 * @throws {SyntaxError} when the engine rejects it.
 * @throws {UnsupportedConstruct} when this parser does not support it.
 */
export function parsePattern(source: string): Pattern {
  return getOrCompute(patterns, source, parseOnce);
}

const patterns = new Map<string, Pattern>();

function parseOnce(source: string): Pattern {
  const regExp = compileExpression(source);
  const parser = new PatternParser(source, regExp.unicode);
  const groups: PatternNode[] = [];
  const root = parseChoice(parser, groups);
  if (!parser.atEnd) throw parser.unsupported('the text');
  return { source, root, regExp, usesProperties: regExp.unicode && /\\[pP]\{/.test(source) };
}

function parseChoice(parser: PatternParser, groups: PatternNode[]): PatternNode {
  const options = [parseSequence(parser, groups)];
  while (parser.eat('|')) options.push(parseSequence(parser, groups));
  const [onlyOption] = options;
  return options.length === 1 && onlyOption !== undefined ? onlyOption : { kind: 'choice', options };
}

function parseSequence(parser: PatternParser, groups: PatternNode[]): PatternNode {
  const parts: PatternNode[] = [];
  while (!parser.atEnd && !parser.sees('|') && !parser.sees(')')) {
    parts.push(parseQuantifier(parser, parseAtom(parser, groups)));
  }
  const [onlyPart] = parts;
  return parts.length === 1 && onlyPart !== undefined ? onlyPart : { kind: 'sequence', parts };
}

/** Parses a quantifier. Lazy and greedy quantifiers match the same texts. */
function parseQuantifier(parser: PatternParser, body: PatternNode): PatternNode {
  const sign = parser.match(/[*+?]|\{(\d+)(,(\d*))?\}/);
  if (sign === undefined) return body;
  parser.eat('?');
  const [text, from, comma, to] = sign;
  if (text === '*') return { kind: 'repeat', body, min: 0, max: Number.POSITIVE_INFINITY };
  if (text === '+') return { kind: 'repeat', body, min: 1, max: Number.POSITIVE_INFINITY };
  if (text === '?') return { kind: 'repeat', body, min: 0, max: 1 };
  const min = Number(from);
  return { kind: 'repeat', body, min, max: comma === undefined ? min : to === '' ? Number.POSITIVE_INFINITY : Number(to) };
}

function parseAtom(parser: PatternParser, groups: PatternNode[]): PatternNode {
  if (parser.eat('^')) return { kind: 'start' };
  if (parser.eat('$')) return { kind: 'end' };
  if (parser.eat('.')) return { kind: 'set', set: anyInLine };
  if (parser.eat('[')) return { kind: 'set', set: parseClass(parser) };
  if (parser.eat('(')) return parseGroup(parser, groups);
  if (parser.eat('\\')) return parseEscape(parser, groups);
  return { kind: 'set', set: onePoint(parser.next()) };
}

function parseGroup(parser: PatternParser, groups: PatternNode[]): PatternNode {
  const lookAround = parser.match(/\?(<?)([=!])/);
  if (lookAround !== undefined) {
    const body = parseBody(parser, groups);
    return { kind: lookAround[1] === '<' ? 'behind' : 'ahead', negative: lookAround[2] === '!', body };
  }
  if (parser.eat('?:')) return parseBody(parser, groups);
  if (parser.match(/\?(?!<)/) !== undefined) throw parser.unsupported('a group with flags');
  parser.match(/\?<[^>]*>/);
  const number = groups.length;
  // Inner groups are numbered after this one.
  groups.push(emptyNode);
  const body = parseBody(parser, groups);
  groups[number] = body;
  return body;
}

function parseBody(parser: PatternParser, groups: PatternNode[]): PatternNode {
  const body = parser.nested(() => parseChoice(parser, groups));
  if (!parser.eat(')')) throw parser.unsupported('a group without an end');
  return body;
}

function parseEscape(parser: PatternParser, groups: readonly PatternNode[]): PatternNode {
  if (parser.eat('b')) return { kind: 'boundary', negative: false };
  if (parser.eat('B')) return { kind: 'boundary', negative: true };
  const numberedReference = parser.match(/[1-9]\d*/);
  if (numberedReference !== undefined) return parseReference(parser, groups, Number(numberedReference[0]) - 1);
  const namedReference = parser.groupNames.some((name) => name !== undefined) ? parser.match(/k<([^>]*)>/) : undefined;
  if (namedReference !== undefined) return parseReference(parser, groups, parser.groupNames.indexOf(namedReference[1]));
  return { kind: 'set', set: parseCharacterEscape(parser).set };
}

function parseReference(parser: PatternParser, groups: readonly PatternNode[], group: number): PatternNode {
  // Without the flag u a number beyond the groups is an octal escape.
  if (group < 0 || group >= parser.groupNames.length) throw parser.unsupported('a reference to no group');
  return { kind: 'reference', group, groups };
}
