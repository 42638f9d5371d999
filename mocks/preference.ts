/** The header `Prefer` (RFC 7240), by which a client asks the mock for a documented answer: `code=429`, `example=NAME`, `dynamic=true`. */

import { type HttpRequest, headerOf } from '../core/exchange.ts';
import type { Preference } from './prism.ts';

/** The preference of a request; `undefined` when it has none that is ours, and a text when one of them makes no sense. */
export function readPreference(request: HttpRequest): Preference | string | undefined {
  const header = headerOf(request.headers, 'prefer');
  if (header === undefined) return undefined;
  const given = new Map(header.split(/[,;]/).map((part) => toPair(part)));
  const [code, example, dynamic] = [given.get('code'), given.get('example'), given.get('dynamic')];
  if (code === undefined && example === undefined && dynamic === undefined) return undefined;
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) return `Prefer: code=${code} names no HTTP status; write one such as code=404.`;
  return { code: code === undefined ? undefined : Number(code), example, dynamic: dynamic === 'true' || dynamic === '' };
}

function toPair(part: string): readonly [string, string] {
  const [name = '', value = ''] = part.split(/=(.*)/s);
  return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/s, '$1')];
}
