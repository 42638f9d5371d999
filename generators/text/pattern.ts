/** The regular expressions of JSON Schema's `pattern` as syntax trees: ECMA-262 with the flag u, and without it where only that is accepted. */

import { compileExpression } from '../../core/bounded-expression.ts';
import {
  type CodePoints,
  dot,
  escapedClasses,
  intersect,
  invert,
  noCodePoints,
  onePoint,
  pointsWithProperty,
  unite,
} from './code-points.ts';

/** One piece of a regular expression. A sequence without parts matches the empty text. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CodePoints }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'boundary'; readonly negative: boolean }
  | { readonly kind: 'ahead' | 'behind'; readonly negative: boolean; readonly body: PatternNode }
  | { readonly kind: 'reference'; readonly group: number; readonly groups: readonly PatternNode[] };

/** A regular expression, read. */
export interface Pattern {
  /** What JSON Schema's `pattern` says. */
  readonly source: string;
  readonly root: PatternNode;
  /** The engine's own reading of the source: what judges in the end. */
  readonly regExp: RegExp;
  /** Whether properties such as `\p{L}` occur: what they contain differs between Unicode versions. */
  readonly usesProperties: boolean;
}

/** The expression that matches the empty text. */
const emptyNode: PatternNode = { kind: 'sequence', parts: [] };

/** Whether the tree says exactly what its language is. References depend on what was captured, and look-behind looks back: both are not regular here. */
export function isExact(node: PatternNode): boolean {
  return node.kind !== 'reference' && node.kind !== 'behind' && childrenOf(node).every(isExact);
}

/** Whether somewhere in the tree characters are looked at without being consumed, or something depends on what was consumed. */
export function looksAround(node: PatternNode): boolean {
  const { kind } = node;
  return kind === 'ahead' || kind === 'behind' || kind === 'boundary' || kind === 'reference' || childrenOf(node).some(looksAround);
}

/** Whether the tree only consumes characters: what it matches does not depend on what stands around it. */
export function isPlain(node: PatternNode): boolean {
  return (
    (node.kind === 'set' || node.kind === 'sequence' || node.kind === 'choice' || node.kind === 'repeat') && childrenOf(node).every(isPlain)
  );
}

/** Whether the tree matches the same texts wherever it stands: nothing in it asks what came before. */
export function isContextFree(node: PatternNode): boolean {
  return node.kind !== 'start' && node.kind !== 'boundary' && node.kind !== 'reference' && childrenOf(node).every(isContextFree);
}

/** Whether somewhere in the tree a character of the set can be consumed. */
export function touches(node: PatternNode, set: CodePoints): boolean {
  return node.kind === 'set' ? intersect(node.set, set).length > 0 : childrenOf(node).some((child) => touches(child, set));
}

function childrenOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'sequence') return node.parts;
  if (node.kind === 'choice') return node.options;
  return 'body' in node ? [node.body] : [];
}

/** A construct that the engine knows and this reading does not; the message names it. */
export class UnknownConstruct extends Error {
  override readonly name = 'UnknownConstruct' as const;
}

const deepest = 200;

/** A place in the source of a regular expression. */
class PatternReader {
  readonly source: string;
  /** Whether the flag u holds. */
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

  /** Whether nothing is left. */
  get atEnd(): boolean {
    return this.#at >= this.source.length;
  }

  /** Whether the given text comes next; nothing is consumed. */
  sees(text: string): boolean {
    return this.source.startsWith(text, this.#at);
  }

  /** Consumes the given text if it comes next. */
  eat(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes what a sticky expression matches here, if it does. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression.source, 'y');
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.source) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  /** Consumes one character: its number. */
  next(): number {
    const point = this.unicode ? this.source.codePointAt(this.#at) : this.source.charCodeAt(this.#at);
    if (point === undefined || Number.isNaN(point)) throw this.unknown('the end of the expression');
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  /** Reads what stands inside of a group. Whoever nests groups hundreds deep would exhaust the engine's stack. */
  nested<T>(read: () => T): T {
    if (this.#depth === deepest) throw this.unknown(`a group inside of ${deepest} others`);
    this.#depth += 1;
    const inner = read();
    this.#depth -= 1;
    return inner;
  }

  /** The error about a construct that is not understood. */
  unknown(what: string): UnknownConstruct {
    return new UnknownConstruct(`${what} at character ${this.#at} of the pattern ${this.source} is not understood`);
  }
}

/** Capturing groups in the order of their opening parentheses: references may point forward, so they are counted before anything is read. */
function listGroups(source: string): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const piece = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<(?![=!])([^>]*)>|(.)))?/gsu;
  for (const [text, name, extension] of source.matchAll(piece)) {
    if (text.startsWith('(') && extension === undefined) names.push(name);
  }
  return names;
}

const controls: ReadonlyMap<string, number> = new Map([
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/** What one escape or one member of a class stands for; `point` when it is a single character, which may begin a range. */
interface ClassMember {
  readonly set: CodePoints;
  readonly point: number | undefined;
}

/** Reads an escape that stands for characters, inside a class or outside; the backslash is consumed already. */
function readCharacterEscape(reader: PatternReader): ClassMember {
  const property = reader.unicode ? reader.match(/([pP])\{([^}]*)\}/) : undefined;
  if (property !== undefined) {
    const set = pointsWithProperty(property[2] ?? '');
    return { set: property[1] === 'P' ? invert(set) : set, point: undefined };
  }
  const named = reader.match(/[dDwWsS]/);
  const set = escapedClasses.get(named?.[0] ?? '');
  if (set !== undefined) return { set, point: undefined };
  return single(readEscapedPoint(reader));
}

/** Reads a class; its opening bracket is consumed already. */
function readClass(reader: PatternReader): CodePoints {
  const negative = reader.eat('^');
  const sets: CodePoints[] = [];
  while (!reader.eat(']')) {
    const first = readMember(reader);
    // A hyphen that ends the class stands for itself.
    if (!reader.sees('-') || reader.sees('-]')) {
      sets.push(first.set);
      continue;
    }
    reader.eat('-');
    const last = readMember(reader);
    // Beside a class such as \w a hyphen is no range (only without the flag u).
    if (first.point === undefined || last.point === undefined) sets.push(first.set, onePoint(0x2d), last.set);
    else sets.push([first.point, last.point]);
  }
  const set = sets.length === 0 ? noCodePoints : unite(...sets);
  return negative ? invert(set) : set;
}

function readMember(reader: PatternReader): ClassMember {
  if (!reader.eat('\\')) return single(reader.next());
  return reader.eat('b') ? single(0x08) : readCharacterEscape(reader);
}

function readEscapedPoint(reader: PatternReader): number {
  const control = reader.match(/c([A-Za-z])/);
  if (control !== undefined) return (control[1] ?? '').charCodeAt(0) % 32;
  if (reader.sees('c')) throw reader.unknown('\\c without a letter');
  const hexadecimal = readHexadecimal(reader);
  if (hexadecimal !== undefined) return hexadecimal;
  if (reader.match(/0(?!\d)/) !== undefined) return 0;
  if (reader.match(/\d/) !== undefined) throw reader.unknown('an octal escape');
  const letter = reader.match(/[fnrtv]/);
  return controls.get(letter?.[0] ?? '') ?? reader.next();
}

/** `\x41`, `\u0041`, `\u{1F600}`, and with the flag u a pair of surrogates, which is one character. */
function readHexadecimal(reader: PatternReader): number | undefined {
  if (reader.unicode) {
    const braced = reader.match(/u\{([0-9A-Fa-f]+)\}/);
    if (braced !== undefined) return Number.parseInt(braced[1] ?? '', 16);
    const pair = reader.match(/u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/);
    if (pair !== undefined) {
      const [high, low] = [Number.parseInt(pair[1] ?? '', 16), Number.parseInt(pair[2] ?? '', 16)];
      return 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
    }
  }
  const plain = reader.match(/x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})/);
  return plain === undefined ? undefined : Number.parseInt(plain[1] ?? plain[2] ?? '', 16);
}

function single(point: number): ClassMember {
  return { set: onePoint(point), point };
}

/**
 * Reads an expression.
 * @throws {SyntaxError} when no RegExp accepts it.
 * @throws {UnknownConstruct} when the engine accepts something that is not understood here.
 */
export function readPattern(source: string): Pattern {
  const regExp = compileExpression(source);
  const reader = new PatternReader(source, regExp.unicode);
  const groups: PatternNode[] = [];
  const root = readChoice(reader, groups);
  if (!reader.atEnd) throw reader.unknown('what stands');
  return { source, root, regExp, usesProperties: regExp.unicode && /\\[pP]\{/.test(source) };
}

function readChoice(reader: PatternReader, groups: PatternNode[]): PatternNode {
  const options = [readSequence(reader, groups)];
  while (reader.eat('|')) options.push(readSequence(reader, groups));
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
}

function readSequence(reader: PatternReader, groups: PatternNode[]): PatternNode {
  const parts: PatternNode[] = [];
  while (!reader.atEnd && !reader.sees('|') && !reader.sees(')')) {
    parts.push(readQuantifier(reader, readAtom(reader, groups)));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts };
}

/** What an atom becomes by what follows it. Lazy quantifiers match the same texts as greedy ones. */
function readQuantifier(reader: PatternReader, body: PatternNode): PatternNode {
  const sign = reader.match(/[*+?]|\{(\d+)(,(\d*))?\}/);
  if (sign === undefined) return body;
  reader.eat('?');
  const [text, from, comma, to] = sign;
  if (text === '*') return { kind: 'repeat', body, min: 0, max: Number.POSITIVE_INFINITY };
  if (text === '+') return { kind: 'repeat', body, min: 1, max: Number.POSITIVE_INFINITY };
  if (text === '?') return { kind: 'repeat', body, min: 0, max: 1 };
  const min = Number(from);
  return { kind: 'repeat', body, min, max: comma === undefined ? min : to === '' ? Number.POSITIVE_INFINITY : Number(to) };
}

function readAtom(reader: PatternReader, groups: PatternNode[]): PatternNode {
  if (reader.eat('^')) return { kind: 'start' };
  if (reader.eat('$')) return { kind: 'end' };
  if (reader.eat('.')) return { kind: 'set', set: dot };
  if (reader.eat('[')) return { kind: 'set', set: readClass(reader) };
  if (reader.eat('(')) return readGroup(reader, groups);
  if (reader.eat('\\')) return readEscape(reader, groups);
  return { kind: 'set', set: onePoint(reader.next()) };
}

function readGroup(reader: PatternReader, groups: PatternNode[]): PatternNode {
  const look = reader.match(/\?(<?)([=!])/);
  if (look !== undefined) {
    const body = readBody(reader, groups);
    return { kind: look[1] === '<' ? 'behind' : 'ahead', negative: look[2] === '!', body };
  }
  if (reader.eat('?:')) return readBody(reader, groups);
  if (reader.match(/\?(?!<)/) !== undefined) throw reader.unknown('a group with flags');
  reader.match(/\?<[^>]*>/);
  const number = groups.length;
  // Groups inside this one are numbered after it.
  groups.push(emptyNode);
  const body = readBody(reader, groups);
  groups[number] = body;
  return body;
}

function readBody(reader: PatternReader, groups: PatternNode[]): PatternNode {
  const body = reader.nested(() => readChoice(reader, groups));
  if (!reader.eat(')')) throw reader.unknown('a group without an end');
  return body;
}

function readEscape(reader: PatternReader, groups: readonly PatternNode[]): PatternNode {
  if (reader.eat('b')) return { kind: 'boundary', negative: false };
  if (reader.eat('B')) return { kind: 'boundary', negative: true };
  const numbered = reader.match(/[1-9]\d*/);
  if (numbered !== undefined) return readReference(reader, groups, Number(numbered[0]) - 1);
  const named = reader.groupNames.some((name) => name !== undefined) ? reader.match(/k<([^>]*)>/) : undefined;
  if (named !== undefined) return readReference(reader, groups, reader.groupNames.indexOf(named[1]));
  return { kind: 'set', set: readCharacterEscape(reader).set };
}

function readReference(reader: PatternReader, groups: readonly PatternNode[], group: number): PatternNode {
  // Without the flag u a number beyond the groups is an octal escape.
  if (group < 0 || group >= reader.groupNames.length) throw reader.unknown('a reference to no group');
  return { kind: 'reference', group, groups };
}
