/** Knows how a cursor is written and read: four alphabets, and a seal that no damaged cursor keeps. */

import { createHash } from 'node:crypto';
import { draw } from './chance.ts';
import type { SortKey } from './list-kind.ts';
import type { Filters } from './list-query.ts';

/** What a cursor remembers of the walk that it continues. */
export interface CursorContent {
  readonly list: string;
  readonly tenant: string;
  readonly filters: Filters;
  readonly limit: number;
  /** Tells cursors for the same place apart where each may be used only once, or where a page before it was empty. */
  readonly serial: number;
  /** How many records the walk has delivered. */
  readonly delivered: number;
  /** The page that it opens, the first one being 1. */
  readonly page: number;
  /** The last record that was delivered, for a walk by keys; absent before the first. */
  readonly after?: SortKey;
  /** The list as it was when the walk began, for a walk over a snapshot. */
  readonly snapshot?: number;
}

/** Writes a cursor in one of the alphabets. */
export function writeCursor(alphabet: string, content: CursorContent): string {
  const text = JSON.stringify(content);
  if (alphabet === 'json') return JSON.stringify({ 'see you': content, seal: seal(text) }, null, 1).replaceAll('\n', '');
  const bytes = masked(Buffer.from(`${seal(text)}${text}`));
  if (alphabet === 'hex') return masked(bytes).toString('hex').padEnd(700, '0');
  return bytes.toString(alphabet === 'base64' ? 'base64' : 'base64url');
}

/** Reads a cursor; undefined when it is not exactly one that was written. */
export function readCursor(alphabet: string, written: string): CursorContent | undefined {
  const content = alphabet === 'json' ? fromJson(written) : fromBytes(alphabet, written);
  // Writing it again finds every spelling that decoders forgive, such as stray bits and letters of another case.
  return content !== undefined && writeCursor(alphabet, content) === written ? content : undefined;
}

function fromJson(written: string): CursorContent | undefined {
  try {
    const value: { readonly 'see you'?: CursorContent } | null = JSON.parse(written);
    return value?.['see you'];
  } catch {
    // A text that is no JSON is a damaged cursor, which the caller reports.
    return undefined;
  }
}

function fromBytes(alphabet: string, written: string): CursorContent | undefined {
  const hex = alphabet === 'hex';
  const bytes = hex ? Buffer.from(written, 'hex') : masked(Buffer.from(written, alphabet === 'base64' ? 'base64' : 'base64url'));
  const text = bytes.toString('utf8').replace(/\0+$/, '');
  const rest = text.slice(sealLength);
  if (seal(rest) !== text.slice(0, sealLength)) return undefined;
  const content: CursorContent = JSON.parse(rest);
  return content;
}

const sealLength = 16;

function seal(text: string): string {
  return createHash('sha256').update(`second server\n${text}`).digest('hex').slice(0, sealLength);
}

/** Mixes the bytes so that every letter of an alphabet occurs; doing it twice undoes it. */
function masked(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (draw(index, 97) & 0xff)));
}
