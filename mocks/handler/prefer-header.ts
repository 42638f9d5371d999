/** Reads the preferences of a request, by which a client chooses a documented response. Chooses no response itself. */

import { type HttpHeaders, headerOf } from '../../core/http/exchange.ts';
import { decodeOrKeep, type RawPair } from '../../core/parameters/query-string.ts';

/** The preferences that the mock knows: `code=429`, `example=NAME`, `dynamic=true`. */
export interface Preference {
  readonly code?: number | undefined;
  readonly example?: string | undefined;
  /** True for a generated body instead of an example, false for an example; absent for the default of the mock. */
  readonly dynamic?: boolean | undefined;
  /** Why the preference is invalid and ignored, as a clause. */
  readonly problem?: string | undefined;
}

/** No preference. */
export const noPreference: Preference = {};

/** The names of preferences in a query. */
export const preferenceParameters: readonly string[] = ['__code', '__example', '__dynamic', '__seed', '__server'];

/** The preference in the header Prefer (RFC 7240), or else in the query as Prism has it. */
export function readPreference(headers: HttpHeaders, pairs: readonly RawPair[]): Preference {
  const field = headerOf(headers, 'prefer');
  const sent = field === undefined ? queryPreferences(pairs) : listPreferences(field);
  if (sent.length === 0) return noPreference;
  const preferences = new Map<string, string>();
  // The first of several equal preferences counts (RFC 7240 §2).
  for (const [name, value] of sent) if (!preferences.has(name)) preferences.set(name, value);
  const [code, dynamic] = [preferences.get('code'), preferences.get('dynamic')];
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) return { problem: `code=${code} is not an HTTP status` };
  return {
    code: code === undefined ? undefined : Number(code),
    example: preferences.get('example'),
    dynamic: dynamic === 'true' || dynamic === '' ? true : dynamic === 'false' ? false : undefined,
  };
}

/** The preferences in a query, such as `__code=404`. */
function queryPreferences(pairs: readonly RawPair[]): readonly (readonly [string, string])[] {
  return pairs.flatMap(([name, value]) => (name.startsWith('__') ? [[name.slice(2), decodeOrKeep(value)] as const] : []));
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
    dynamic === undefined ? '' : `dynamic=${dynamic}`,
  ];
  return toHeaderText(parts.filter((part) => part !== '').join(', '));
}

/** A text without characters that a header cannot have (RFC 9110 §5.5). */
export function toHeaderText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
}
