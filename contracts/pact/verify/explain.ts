/** What a difference means, in one sentence. */

import { headerOf } from '../../../core/exchange.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { Reply } from '../../reply.ts';

/** What another status means. */
export function explainStatus(expected: number, { request, response: { status } }: Reply): string {
  const asked = `${status} where ${expected} was expected`;
  if (expected === 304 && status === 200) {
    const isConditional = headerOf(request.headers, 'if-none-match') !== undefined;
    return `${asked}: ${isConditional ? 'the ETag that the target gave before was not honoured' : 'the request has no If-None-Match'}`;
  }
  const why = status >= 500 && status !== 503 ? 'the target failed itself' : expected >= 400 ? instead(status) : refusals[status];
  return why === undefined ? asked : `${asked}: ${why}`;
}

/** What comes in place of a success. */
const refusals: Readonly<Record<number, string>> = {
  304: 'the target takes what the client keeps for current',
  400: 'the target refuses a request that the consumer relies on',
  401: 'the key is refused',
  403: 'the key is not enough for it',
  404: 'the target does not find what it showed before',
  422: 'the target refuses a request that the consumer relies on',
};

function instead(status: number): string | undefined {
  return status < 300 ? 'the target accepts what the consumer expects to be refused' : undefined;
}

/** A member of a body that is not as it is expected. */
export interface Member {
  readonly keys: readonly (string | number)[];
  readonly example: Json | undefined;
  readonly actual: Json | undefined;
  /** Whether it is the code of a failure. */
  readonly isCode: boolean;
  /** Whether the answer has a body that is JSON at all. */
  readonly hasBody: boolean;
}

/** What it means that a member is as it is. */
export function explainMember({ keys, example, actual, isCode, hasBody }: Member): string {
  const place = keys.length === 0 ? 'the body' : toPointer(keys);
  if (!hasBody) return 'the body is not JSON';
  if (actual === undefined) return isCode ? `the error code is missing: the answer lacks ${place}` : `the answer lacks ${place}`;
  if (isCode) return `the error code at ${place} is another one`;
  if (actual === null && example !== null) return `${place} is null`;
  if (example !== undefined && kindOf(example) !== kindOf(actual))
    return `the type changed: ${place} is ${kindOf(actual)}, and was ${kindOf(example)}`;
  if (Array.isArray(actual))
    return actual.length === 0 ? `the list at ${place} is empty` : `the list at ${place} has ${actual.length} elements`;
  if (isObject(actual)) return `${place} has other members`;
  return `${place} has another value or form`;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return { string: 'text', number: 'a number', boolean: 'true or false' }[typeof value as 'string' | 'number' | 'boolean'];
}
