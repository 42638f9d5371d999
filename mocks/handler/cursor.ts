/**
 * Cursors that describe themselves and prove where they come from. A cursor carries the place in the order and the values of the parameters that
 * must not change, signed with a key that follows from the seed: no process remembers anything, and any process with that seed understands it.
 */

import { hash } from 'node:crypto';
import { isObject, type Json } from '../../core/json.ts';

/** Content of a cursor. */
export interface CursorContent {
  /** The operation that issued it. */
  readonly operation: string;
  /** The tenant whose records it walks. */
  readonly tenant: string;
  /** The order values of the last record that was delivered; `null` when there was none. */
  readonly position: readonly Json[] | null;
  /** The values of the parameters that must stay unchanged, as they are compared. */
  readonly fixed: Readonly<Record<string, Json>>;
}

/** Writes and reads cursors. */
export interface CursorCodec {
  readonly encode: (content: CursorContent) => string;
  /** `undefined` for a text that this codec never wrote. */
  readonly decode: (text: string) => CursorContent | undefined;
}

/** Characters of the hash that signs a cursor. */
const signatureLength = 20;

/** A codec whose signatures follow from the seed and the API's name. They tell apart what was given from what was not, and keep no secret. */
export function createCursorCodec(seed: number, api: string): CursorCodec {
  const sign = (payload: string): string => hash('sha256', `cursor ${seed} ${api} ${payload}`, 'base64url').slice(0, signatureLength);
  return {
    encode: ({ operation, tenant, position, fixed }) => {
      const payload = Buffer.from(JSON.stringify([operation, tenant, position, fixed])).toString('base64url');
      return `${payload}.${sign(payload)}`;
    },
    decode: (text) => {
      const [payload = '', signature, ...rest] = text.split('.');
      if (rest.length > 0 || signature !== sign(payload)) return undefined;
      return parseContent(Buffer.from(payload, 'base64url').toString());
    },
  };
}

/** Anybody who knows the seed can sign anything, so the content is read as carefully as any other input. */
function parseContent(text: string): CursorContent | undefined {
  const content = parseJson(text);
  if (!Array.isArray(content) || content.length !== 4) return undefined;
  const [operation, tenant, position, fixed] = content as readonly Json[];
  if (typeof operation !== 'string' || typeof tenant !== 'string' || !isObject(fixed)) return undefined;
  if (position !== null && !(Array.isArray(position) && (position as readonly Json[]).every(isScalar))) return undefined;
  if (!Object.values(fixed).every((value) => isScalar(value) || (Array.isArray(value) && (value as readonly Json[]).every(isScalar))))
    return undefined;
  return { operation, tenant, position: position as readonly Json[] | null, fixed };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // A signed text that is not JSON is a cursor that was never given.
    return undefined;
  }
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object';
}
