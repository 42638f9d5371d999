/**
 * Replaces personal values in a JSON text without parsing it into a value, so that all other characters stay unchanged. personal-data.ts
 * calls it for each body; other files only use the replacement `‹personal›`.
 */

/** Replacement of a personal value. */
export const personal: string = '‹personal›';

/** A place in a body, and the places below it. */
export interface PersonalNode {
  /** True if the value at the place is personal. */
  readonly isPersonal: boolean;
  /** Returns the node of a member, or of an element by its index. */
  readonly child: (key: string, isMember: boolean) => PersonalNode;
  /** Returns the node at a JSON Pointer. */
  readonly descend: (pointer: string) => PersonalNode;
}

/** An object or array that is being read. */
interface Frame {
  readonly node: PersonalNode;
  readonly isObject: boolean;
  /** The key of the member, or the index of the element, that comes next. */
  key: string;
  wantsKey: boolean;
}

/** Replaces each personal value of a JSON text, except `null`. It works without recursion, since a hostile text may be nested deeply. */
export function maskText(text: string, root: PersonalNode): string {
  const frames: Frame[] = [];
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const frame = frames.at(-1);
    if (isPunctuation(text.charCodeAt(at))) {
      at = punctuate(text, at, frames);
      continue;
    }
    if (frame?.wantsKey === true) {
      at = readKey(text, at, frame);
      continue;
    }
    const node = frame === undefined ? root : frame.node.child(frame.key, frame.isObject);
    if (!node.isPersonal || text.startsWith('null', at)) {
      at = enter(text, at, node, frames);
      continue;
    }
    pieces.push(text.slice(copied, at), JSON.stringify(personal));
    at = endOfValue(text, at);
    copied = at;
  }
  return [...pieces, text.slice(copied)].join('');
}

function readKey(text: string, at: number, frame: Frame): number {
  const end = endOfString(text, at);
  frame.key = JSON.parse(text.slice(at, end)) as string;
  return end;
}

/** True for white space, commas, colons and closing brackets. */
function isPunctuation(unit: number): boolean {
  return unit <= 0x20 || unit === 0x2c || unit === 0x3a || unit === 0x5d || unit === 0x7d;
}

function punctuate(text: string, at: number, frames: Frame[]): number {
  const frame = frames.at(-1);
  const character = text[at];
  if (character === ']' || character === '}') frames.pop();
  if (frame !== undefined && character === ':') frame.wantsKey = false;
  if (frame !== undefined && character === ',') {
    frame.wantsKey = frame.isObject;
    if (!frame.isObject) frame.key = String(Number(frame.key) + 1);
  }
  return at + 1;
}

/** Enters an object or array, or skips a plain value. */
function enter(text: string, at: number, node: PersonalNode, frames: Frame[]): number {
  const isObject = text[at] === '{';
  if (!isObject && text[at] !== '[') return endOfValue(text, at);
  frames.push({ node, isObject, key: isObject ? '' : '0', wantsKey: isObject });
  return at + 1;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at = character === '"' ? endOfString(text, at) : at + 1;
  } while (at < text.length && (depth > 0 || isInsideScalar(text, start, at)));
  return at;
}

/** Numbers and words end where punctuation begins. */
function isInsideScalar(text: string, start: number, at: number): boolean {
  return text[start] !== '{' && text[start] !== '[' && !isPunctuation(text.charCodeAt(at));
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
