/** Bodies that are bytes already: a record that is shown again and again is written once. */

import type { Json } from '../core/json.ts';

/** A value of JSON in UTF-8. Bytes lie outside the collector's heap, where they may be kept for a while without being moved about. */
export class JsonBytes {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** A body: a value, or the bytes of one. */
export type Body = Json | JsonBytes;

/** What stands for a list until its elements are put in; no text of a contract holds it. */
export const slot = '\u0000list';
const printedSlot = JSON.stringify(slot);

const comma = 0x2c;

/** The bytes of a body. */
export function encodeBody(body: Body): Buffer {
  return body instanceof JsonBytes ? body.bytes : Buffer.from(JSON.stringify(body));
}

/** The bytes of a value in which `slot` stands for a list, with the bytes of its elements in place of it. */
export function fillSlot(body: Json, elements: readonly Buffer[]): JsonBytes {
  const text = JSON.stringify(body);
  const place = text.indexOf(printedSlot);
  const before = Buffer.from(`${text.slice(0, place)}[`);
  const after = Buffer.from(`]${text.slice(place + printedSlot.length)}`);
  let length = before.length + Math.max(0, elements.length - 1) + after.length;
  for (const element of elements) length += element.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes.set(before);
  let at = before.length;
  for (const [index, element] of elements.entries()) {
    if (index > 0) {
      bytes[at] = comma;
      at += 1;
    }
    bytes.set(element, at);
    at += element.length;
  }
  bytes.set(after, at);
  return new JsonBytes(bytes);
}
