/**
 * Writes and reads signed cursors, which hold the position in a list and the parameters that must not change. The mock stores none, so any process with the
 * same seed can read them.
 */

import { hash } from 'node:crypto';
import { isObject, type Json, printJson, readJson } from '../../core/json.ts';

/** Content of a cursor. */
export interface CursorContent {
  /** The operation that issued it. */
  readonly operation: string;
  /** The tenant of the list. */
  readonly tenant: string;
  /** The sort values of the last delivered record; `null` after an empty page. */
  readonly position: readonly Json[] | null;
  /** The values of the parameters that must not change from page to page. */
  readonly fixed: Readonly<Record<string, Json>>;
}

/** Writes and reads cursors. */
export interface CursorCodec {
  readonly encode: (content: CursorContent) => string;
  /** Reads a cursor; `undefined` for a text without a valid signature or content. */
  readonly decode: (text: string) => CursorContent | undefined;
}

/** Number of characters of a signature. */
const signatureLength = 20;

/** A codec with signatures from the seed and the title of the API. They detect changed cursors, but they are not secret. */
export function createCursorCodec(seed: number, api: string): CursorCodec {
  const sign = (payload: string): string => hash('sha256', `cursor ${seed} ${api} ${payload}`, 'base64url').slice(0, signatureLength);
  return {
    encode: ({ operation, tenant, position, fixed }) => {
      const payload = Buffer.from(printJson([operation, tenant, position, fixed])).toString('base64url');
      return `${payload}.${sign(payload)}`;
    },
    decode: (text) => {
      const [payload = '', signature, ...rest] = text.split('.');
      if (rest.length > 0 || signature !== sign(payload)) return undefined;
      return parseContent(Buffer.from(payload, 'base64url').toString());
    },
  };
}

/** Reads the content of a signed cursor. It is checked, since anybody who knows the seed can sign any content. */
function parseContent(text: string): CursorContent | undefined {
  const content = readJson(text);
  if (!Array.isArray(content) || content.length !== 4) return undefined;
  const [operation, tenant, position, fixed] = content as readonly Json[];
  if (typeof operation !== 'string' || typeof tenant !== 'string' || !isObject(fixed)) return undefined;
  if (position !== null && !(Array.isArray(position) && (position as readonly Json[]).every(isScalar))) return undefined;
  if (!Object.values(fixed).every((value) => isScalar(value) || (Array.isArray(value) && (value as readonly Json[]).every(isScalar))))
    return undefined;
  return { operation, tenant, position: position as readonly Json[] | null, fixed };
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object';
}
