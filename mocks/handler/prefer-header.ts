/**
 * Reads the request header Prefer, by which a client chooses a documented response, and prints its answer, Preference-Applied (RFC 7240). Chooses no response
 * itself.
 */

import { type HttpRequest, headerOf } from '../../core/http/exchange.ts';

/** The preferences that the mock knows, from the header `Prefer`: `code=429`, `example=NAME`, `dynamic=true`. */
export interface Preference {
  readonly code: number | undefined;
  readonly example: string | undefined;
  /** True for a generated body instead of an example. */
  readonly dynamic: boolean;
}

/** No preference. */
export const noPreference: Preference = { code: undefined, example: undefined, dynamic: false };

/** The preference of a request; `undefined` without one that the mock knows. A text says why it is invalid. */
export function readPreference(request: HttpRequest): Preference | string | undefined {
  const field = headerOf(request.headers, 'prefer');
  if (field === undefined) return undefined;
  const preferences = new Map<string, string>();
  // The first of several equal preferences counts (RFC 7240 §2).
  for (const [name, value] of listPreferences(field)) if (!preferences.has(name)) preferences.set(name, value);
  const [code, example, dynamic] = [preferences.get('code'), preferences.get('example'), preferences.get('dynamic')];
  const isDynamic = dynamic === 'true' || dynamic === '';
  if (code === undefined && example === undefined && !isDynamic) return undefined;
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) return `code=${code} is not an HTTP status`;
  return { code: code === undefined ? undefined : Number(code), example, dynamic: isDynamic };
}

/** Names and values of preferences. A quoted value may contain any character. */
function listPreferences(field: string): readonly (readonly [string, string])[] {
  const pairs = field.matchAll(/([^\s=,;"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g);
  return [...pairs].map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '']);
}

/** A preference for the header `Preference-Applied` (RFC 7240 §3). */
export function printPreference({ code, example, dynamic }: Preference): string {
  const parts = [
    code === undefined ? '' : `code=${code}`,
    example === undefined ? '' : `example="${example}"`,
    dynamic ? 'dynamic=true' : '',
  ];
  return toHeaderText(parts.filter((part) => part !== '').join(', '));
}

/** A text without characters that a header cannot have (RFC 9110 §5.5). */
export function toHeaderText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
}
