/** The header `Prefer` (RFC 7240), by which a client asks the mock for a documented answer: `code=429`, `example=NAME`, `dynamic=true`. */

import { type HttpRequest, headerOf } from '../core/exchange.ts';
import type { Preference } from './negotiation.ts';

/** The preference of a request; `undefined` when it has none that is ours, and a text when it makes no sense. */
export function readPreference(request: HttpRequest): Preference | string | undefined {
  const field = headerOf(request.headers, 'prefer');
  if (field === undefined) return undefined;
  const given = new Map<string, string>();
  // "If any preference is specified more than once, only the first instance is to be considered."
  for (const [name, value] of listPreferences(field)) if (!given.has(name)) given.set(name, value);
  const [code, example] = [given.get('code'), given.get('example')];
  const isDynamic = given.get('dynamic') === 'true' || given.get('dynamic') === '';
  if (code === undefined && example === undefined && !isDynamic) return undefined;
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) return `code=${code} is no HTTP status`;
  return { code: code === undefined ? undefined : Number(code), example, dynamic: isDynamic };
}

/** Names and values; a value may be quoted, and then holds what it likes. */
function listPreferences(field: string): readonly (readonly [string, string])[] {
  const pairs = field.matchAll(/([^\s=,;"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g);
  return [...pairs].map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '']);
}

/** A preference as the field `Preference-Applied` tells it (RFC 7240 §3). */
export function spellPreference({ code, example, dynamic }: Preference): string {
  const parts = [
    code === undefined ? '' : `code=${code}`,
    example === undefined ? '' : `example="${example}"`,
    dynamic ? 'dynamic=true' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
