/** Reads the regular expressions of JSON Schema's `pattern`: ECMA-262 with the flag u, and without it where only that is accepted. */

import { compileExpression } from '../../core/bounded-expression.ts';
import { dot } from './character-class.ts';
import { onePoint } from './code-points.ts';
import { readCharacterEscape, readClass } from './pattern-escape.ts';
import { emptyNode, type Pattern, type PatternNode } from './pattern-node.ts';
import { PatternReader } from './pattern-reader.ts';

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
