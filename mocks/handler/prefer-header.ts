/**
 * Reads the preferences of a request, by which a client chooses a documented response: from the header Prefer (RFC 7240), or else from the query as Prism
 * has them. Chooses no response itself.
 */

import { type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';

/** The preferences that the mock knows: `code=429`, `example=NAME`, `dynamic=true`. */
export interface Preference {
  readonly code: number | undefined;
  readonly example: string | undefined;
  /** True for a generated body instead of an example, false for an example; `undefined` for the default of the mock. */
  readonly dynamic: boolean | undefined;
}

/** No preference. */
export const noPreference: Preference = { code: undefined, example: undefined, dynamic: undefined };

/** The names of preferences in a query. */
export const preferenceParameters: readonly string[] = ['__code', '__example', '__dynamic', '__seed', '__server'];

/** The preference of a request; `undefined` without one that the mock knows. A text says why it is invalid. */
export function readPreference(request: HttpRequest): Preference | string | undefined {
  const field = headerOf(request.headers, 'prefer');
  const pairs = field === undefined ? queryPreferences(request.target) : listPreferences(field);
  const preferences = new Map<string, string>();
  // The first of several equal preferences counts (RFC 7240 §2).
  for (const [name, value] of pairs) if (!preferences.has(name)) preferences.set(name, value);
  const [code, example, dynamicText] = [preferences.get('code'), preferences.get('example'), preferences.get('dynamic')];
  const dynamic = dynamicText === 'true' || dynamicText === '' ? true : dynamicText === 'false' ? false : undefined;
  if (code === undefined && example === undefined && dynamic === undefined) return undefined;
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) return `code=${code} is not an HTTP status`;
  return { code: code === undefined ? undefined : Number(code), example, dynamic };
}

/** The preferences in a query, such as `__code=404`. */
function queryPreferences(target: string): readonly (readonly [string, string])[] {
  if (!target.includes('__')) return [];
  const values = new URLSearchParams(splitTarget(target).query);
  return ['code', 'example', 'dynamic'].flatMap((name) => {
    const value = values.get(`__${name}`);
    return value === null ? [] : [[name, value] as const];
  });
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
