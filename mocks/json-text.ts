/** Bodies that are text already: a record that is shown again and again is written once. */

import type { Json } from '../core/json.ts';

/** A value of JSON as text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A body: a value, or the text of one. */
export type Body = Json | JsonText;

/** What stands for a list until its text is put in; no text of a contract holds it. */
export const slot = '\u0000list';

/** The text of a body. */
export function printBody(body: Body): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}

/** The text of a value in which `slot` stands for a list, with the texts of its elements in place of it. */
export function fillSlot(body: Json, elements: readonly string[]): JsonText {
  const [before = '', after = ''] = JSON.stringify(body).split(JSON.stringify(slot));
  return new JsonText(`${before}[${elements.join(',')}]${after}`);
}
