/** Keys stay out of answers. A message that shows what was sent must not show a key that was sent in the wrong place. */

import type { HttpRequest } from '../core/exchange.ts';
import { isObject } from '../core/json.ts';
import { valueAt, withValueAt } from '../core/pointer.ts';
import { decodeOrKeep } from '../core/style.ts';
import type { Answer } from './answer.ts';
import { keyIn } from './caller.ts';
import type { ServedApi } from './served-api.ts';

/** Shorter texts are no keys, and would be found in every sentence. */
const leastLength = 8;

/** Every key that the API knows, and whatever the request carries where a key belongs. */
export function secretsOf(api: ServedApi, request: HttpRequest): readonly string[] {
  const credentials = api.contract.operations.flatMap((operation) => operation.security.flat());
  const sent = credentials.map((credential) => keyIn(request, credential)).filter((key) => key !== undefined);
  return [...new Set([...api.keys.byRole.values(), ...sent])].filter((key) => key.length >= leastLength);
}

/** The request with `$KEY` in place of every secret, wherever it was put and however it was encoded: what may be printed and kept. */
export function requestWithoutSecrets(request: HttpRequest, secrets: readonly string[]): HttpRequest {
  const hide = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, '$KEY'), text);
  const holdsSecret = (token: string): boolean => secrets.some((secret) => decodeOrKeep(token).includes(secret));
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const shown = value === undefined ? undefined : typeof value === 'string' ? hide(value) : value.map(hide);
    return [name, shown] as const;
  });
  const target = request.target.replace(/[^/?&=]+/g, (token) => (holdsSecret(token) ? '$KEY' : token));
  return { ...request, target, headers: Object.fromEntries(headers) };
}

/** The answer with `$KEY` in place of every secret, in its message and in its headers. */
export function withoutSecrets(api: ServedApi, answer: Answer, secrets: readonly string[]): Answer {
  const hide = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, '$KEY'), text);
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, hide(value)]));
  const pointer = api.contract.error?.message;
  const message = pointer === undefined || answer.status < 400 || !isObject(answer.body) ? undefined : valueAt(answer.body, pointer);
  const body = pointer === undefined || typeof message !== 'string' ? answer.body : withValueAt(answer.body, pointer, hide(message));
  return { ...answer, headers, body };
}
