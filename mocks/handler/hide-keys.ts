/**
 * Before the journal or a listener sees an exchange, hides the keys in it: those of the request at their places, and the mock's own ones wherever a client has
 * put them. Personal data stays.
 */

import { type HttpHeaders, type HttpRequest, headerOf } from '../../core/http/exchange.ts';
import { keyAmong } from '../../core/http/key-of-request.ts';
import { formatOf } from '../../core/http/media-type.ts';
import { isArray, type Json, type JsonObject, printJson, readJson } from '../../core/json.ts';
import type { Credential } from '../../core/openapi/operation.ts';
import { decodeOrKeep, type RawPair } from '../../core/parameters/query-string.ts';
import { replaceSecretMembers, shapeOf } from '../secret-members.ts';
import type { RequestKeys } from './call.ts';
import type { DraftResponse } from './prepare-response.ts';
import type { ServedApi } from './served-api.ts';

/** Replacement of a key. */
const placeholder = '$KEY';

/** The placeholder as a replacement of a pattern, in which `$` must be doubled. */
const replacement = placeholder.replaceAll('$', '$$$$');

/** Minimum length of a key to be hidden everywhere. Shorter texts may be ordinary words, and are hidden only at the places of keys. */
const minLength = 8;

/** Parts of a target that may contain a key, since decoding makes no text longer. */
const maskablePart = new RegExp(`[^/?&=]{${minLength},}`, 'g');

/** Returns a text without keys. */
type Hide = (text: string) => string;

/** Functions that find and hide keys. */
export interface KeyHider {
  /** Finds the keys of a request in its headers and its query. */
  readonly find: (headers: HttpHeaders, pairs: readonly RawPair[]) => RequestKeys;
  /** Returns the request without keys, for listeners and the journal. */
  readonly hideInRequest: (request: HttpRequest, keys: RequestKeys) => HttpRequest;
  /** Returns the response without keys, which may repeat a key from a wrong place of the request. */
  readonly hideInResponse: (draft: DraftResponse, keys: RequestKeys) => DraftResponse;
}

/** Creates the functions for all APIs of a mock, since a client may send the key of one to another. */
export function createKeyHider(apis: readonly ServedApi[]): KeyHider {
  const credentials = apis.flatMap((api) => api.contract.operations.flatMap((operation) => operation.security.flat()));
  const byCarrier = new Map(credentials.map((credential) => [printJson(credential.carrier), credential]));
  // Each place of a request is read once, whatever number of operations has it.
  const places = [...byCarrier.values()];
  const placeOf = new Map(credentials.map(({ carrier }) => [carrier, [...byCarrier.keys()].indexOf(printJson(carrier))]));
  const names = namesOf(places);
  const ownKeys = new Set(apis.flatMap((api) => [...api.keys.byRole.values()]));
  const hideOwnKeys = hiderOf(ownKeys);
  // Error codes are texts of the contract and stay, even if a client sends one as a key.
  const codes = new Set(apis.flatMap((api) => api.contract.error?.code ?? []));
  return {
    find: (headers, pairs) => {
      const keys = places.map((place) => keyAmong(headers, pairs, place));
      const foreignKeys: string[] = [];
      for (const key of keys)
        if (key !== undefined && key.length >= minLength && !ownKeys.has(key) && !foreignKeys.includes(key)) foreignKeys.push(key);
      return {
        at: ({ carrier }) => keys[placeOf.get(carrier) ?? -1],
        hide: foreignKeys.length === 0 ? hideOwnKeys : (text) => hideForeignKeys(text, foreignKeys, hideOwnKeys),
      };
    },
    hideInRequest: (request, { hide }) => hideKeys(request, names, hide),
    hideInResponse: (draft, { hide }) => hideInDraft(draft, hide, (pointer) => codes.has(pointer)),
  };
}

/** Hides keys anywhere in a text, in one pass. The longest keys come first, so that no part of one remains. */
function hiderOf(keys: Iterable<string>): Hide {
  const longKeys = [...new Set(keys)].filter((key) => key.length >= minLength).sort((left, right) => right.length - left.length);
  if (longKeys.length === 0) return (text) => text;
  const pattern = new RegExp(longKeys.map((key) => key.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  return (text) => (text.length < minLength ? text : text.replace(pattern, replacement));
}

/**
 * Hides known keys, and unknown texts sent as keys. Unknown texts that contain a known key come first, those that may be part of one come last. They may be
 * too long for a pattern.
 */
function hideForeignKeys(text: string, keys: readonly string[], hideOwnKeys: Hide): string {
  const hideKey = (textWithKey: string, key: string): string => textWithKey.replaceAll(key, () => placeholder);
  const containingKeys = keys.filter((key) => hideOwnKeys(key) !== key);
  const hiddenText = hideOwnKeys(containingKeys.reduce(hideKey, text));
  return keys.filter((key) => !containingKeys.includes(key)).reduce(hideKey, hiddenText);
}

/** Names of headers, query parameters and cookies with keys, in lower case. */
interface CarrierNames {
  readonly headers: readonly string[];
  readonly queries: readonly string[];
  readonly cookies: readonly string[];
}

function namesOf(credentials: readonly Credential[]): CarrierNames {
  const namesIn = (place: string): readonly string[] =>
    credentials.flatMap(({ carrier }) => (carrier.in === place && 'name' in carrier ? [carrier.name.toLowerCase()] : []));
  return { headers: namesIn('header'), queries: namesIn('query'), cookies: namesIn('cookie') };
}

/** Hides all values at the places of keys, and keys everywhere else. It uses a loop, because every request needs it. */
function hideKeys({ method, target, headers, body }: HttpRequest, names: CarrierNames, hideIn: Hide): HttpRequest {
  const hiddenHeaders: Record<string, HttpHeaders[string]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const lowerName = name.toLowerCase();
    const hide = (text: string): string => hideIn(hideCarrier(lowerName, text, names));
    hiddenHeaders[name] = typeof value === 'string' ? hide(value) : value?.map(hide);
  }
  const hidden = { method, target: hideInTarget(target, names, hideIn), headers: hiddenHeaders };
  const isKept = body !== undefined && body.length <= bodyMost && isText(headerOf(headers, 'content-type') ?? '');
  return isKept ? { ...hidden, body: hideInBody(body, hideIn) } : hidden;
}

/** Longest request body that an exchange keeps, in characters. */
const bodyMost = 1_000_000;

function isText(type: string): boolean {
  return !['binary', 'multipart'].includes(formatOf(type));
}

/** Hides keys in a body, and the members of secrets, which keep their shape. Escapes of JSON and of forms may encode a key. */
function hideInBody(body: string, hideIn: Hide): string {
  const hiddenBody = hideIn(replaceSecretMembers(body, shapeOf));
  if (!/[%\\]/.test(hiddenBody)) return hiddenBody;
  return hiddenBody.replace(/"(?:[^"\\]|\\.)*"|[^"=&]+/g, (token) => {
    const isQuoted = token.startsWith('"');
    const text = isQuoted ? String(readJson(token) ?? token) : decodeOrKeep(token);
    if (hideIn(text) === text) return token;
    return isQuoted ? printJson(hideIn(text)) : placeholder;
  });
}

function hideCarrier(name: string, value: string, { headers, cookies }: CarrierNames): string {
  if (name === 'authorization' || name === 'proxy-authorization') return value.replace(/^(\S+\s+)?.*$/s, `$1${replacement}`);
  if (name === 'cookie') return hidePairs(value, cookies, /([;\s]|^)([^=;\s]+)=([^;]*)/g);
  return headers.includes(name) ? placeholder : value;
}

/** Hides keys in a target, in which they may be encoded in several ways. */
function hideInTarget(target: string, { queries }: CarrierNames, hideIn: Hide): string {
  const hiddenTarget = queries.length === 0 ? target : hidePairs(target, queries, /([?&])([^=&]*)=([^&]*)/g);
  // Shortcut: without encoded characters, the parts need no decoding.
  if (!/[%+]/.test(hiddenTarget) && hideIn(hiddenTarget) === hiddenTarget) return hiddenTarget;
  return hiddenTarget.replace(maskablePart, (token) => {
    const text = decodeOrKeep(token);
    return hideIn(text) === text ? token : placeholder;
  });
}

function hidePairs(text: string, names: readonly string[], pairs: RegExp): string {
  return text.replace(pairs, (pair, before: string, name: string) =>
    names.includes(decodeOrKeep(name).toLowerCase()) ? `${before}${name}=${placeholder}` : pair,
  );
}

/** Hides keys in a response. Only headers and texts of failures can repeat parts of a request. */
function hideInDraft(draft: DraftResponse, hideIn: Hide, isCode: (pointer: string) => boolean): DraftResponse {
  const names = Object.keys(draft.headers);
  const isClean = names.every((name) => hideIn(draft.headers[name] ?? '') === draft.headers[name]);
  const headers = isClean ? draft.headers : Object.fromEntries(names.map((name) => [name, hideIn(draft.headers[name] ?? '')]));
  const body =
    draft.status < 400 || draft.body === undefined || Buffer.isBuffer(draft.body)
      ? draft.body
      : hideInTexts(draft.body, hideIn, '', isCode);
  const problems = draft.problems?.map(({ parameters, class: kind, message }) => ({ parameters, class: kind, message: hideIn(message) }));
  return { ...draft, headers, body, problems };
}

function hideInTexts(value: Json, hideIn: Hide, pointer: string, isCode: (pointer: string) => boolean): Json {
  if (typeof value === 'string') return isCode(pointer) ? value : hideIn(value);
  if (isArray(value)) return value.map((member, index) => hideInTexts(member, hideIn, `${pointer}/${index}`, isCode));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as JsonObject);
  return Object.fromEntries(members.map(([key, member]) => [key, hideInTexts(member, hideIn, `${pointer}/${key}`, isCode)]));
}
