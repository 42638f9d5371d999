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

/** What stands for a part of a body until that is put in; no text of a contract holds it. */
export const slot = '\u0000slot';
const printedSlot = JSON.stringify(slot);

const comma = 0x2c;

/** The bytes of a body. */
export function encodeBody(body: Body): Buffer {
  return body instanceof JsonBytes ? body.bytes : Buffer.from(JSON.stringify(body));
}

/** What stands around the slot of a body. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

/** The frame of a value in which `slot` stands for a part. */
export function frameOf(body: Json): Frame {
  const text = JSON.stringify(body);
  const place = text.indexOf(printedSlot);
  return { before: text.slice(0, place), after: text.slice(place + printedSlot.length) };
}

/** A frame with a value in its slot. */
export function fillWith({ before, after }: Frame, value: Json): JsonBytes {
  return new JsonBytes(Buffer.from(`${before}${JSON.stringify(value)}${after}`));
}

/** A frame with a list in its slot, whose elements are bytes already. */
export function fillWithList(frame: Frame, elements: readonly Buffer[]): JsonBytes {
  const before = Buffer.from(`${frame.before}[`);
  const after = Buffer.from(`]${frame.after}`);
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
