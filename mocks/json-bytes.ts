/** Bodies that are bytes already: a record that is shown again and again is written once. */

import type { Json } from '../core/json.ts';
import { withValueAt } from '../core/pointer.ts';
import { type Lease, type Leased, takeBytes } from './lease.ts';

/** A value of JSON in UTF-8. Bytes lie outside the collector's heap, where they may be kept for a while without being moved about. */
export class JsonBytes {
  readonly bytes: Buffer;
  /** The cursor of the page that comes next, where the value is a page that gives one. */
  readonly next: string | undefined;
  /** Who uses the bytes, where their memory is used again. */
  readonly lease: Lease | undefined;

  constructor({ bytes, lease }: Leased, next?: string) {
    this.bytes = bytes;
    this.next = next;
    this.lease = lease;
  }
}

/** A body: a value, or the bytes of one. */
export type Body = Json | JsonBytes;

/** The bytes of a body. */
export function encodeBody(body: Body): Buffer {
  return body instanceof JsonBytes ? body.bytes : Buffer.from(JSON.stringify(body));
}

/** A body with places that are still open: what answers of a kind have in common is written once. */
export interface Frame {
  /** The texts before, between and after the places. */
  readonly texts: readonly string[];
  /** The places as they come in the body, by the numbers of their pointers. */
  readonly places: readonly number[];
}

/** The frame of a body that is open at some pointers, none of which lies within another. */
export function frameOf(body: Json, pointers: readonly string[]): Frame {
  // No text of a contract begins with this character.
  const open = pointers.reduce((made, pointer, place) => withValueAt(made, pointer, `\u0000${place}`), body);
  const parts = JSON.stringify(open).split(/"\\u0000(\d+)"/);
  return { texts: parts.filter((_, index) => index % 2 === 0), places: parts.filter((_, index) => index % 2 === 1).map(Number) };
}

/** What stands before and after the first place of a frame, with the texts of values in the other ones. */
export function fillAround({ texts, places }: Frame, values: readonly string[]): readonly [before: string, after: string] {
  let [before, text] = ['', texts[0] ?? ''];
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] ?? 0;
    if (place === 0) {
      before = text;
      text = '';
    } else text += values[place - 1] ?? '';
    text += texts[index + 1] ?? '';
  }
  return [before, text];
}

const comma = 0x2c;

/** The bytes of a list whose elements are bytes already, with a text before and one after it. */
export function joinList(before: string, elements: readonly Buffer[], after: string): Leased {
  const [head, tail] = [Buffer.from(`${before}[`), Buffer.from(`]${after}`)];
  let length = head.length + Math.max(0, elements.length - 1) + tail.length;
  for (const element of elements) length += element.length;
  const leased = takeBytes(length);
  const { bytes } = leased;
  bytes.set(head);
  let at = head.length;
  for (const element of elements) {
    if (at > head.length) {
      bytes[at] = comma;
      at += 1;
    }
    bytes.set(element, at);
    at += element.length;
  }
  bytes.set(tail, at);
  return leased;
}
