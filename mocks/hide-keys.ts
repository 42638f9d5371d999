/** Keys stay out of what is answered, told and printed, wherever a client puts them. */

import { type HttpHeaders, type HttpRequest, splitTarget } from '../core/http/exchange.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Credential } from '../core/openapi/operation.ts';
import { decodeOrKeep } from '../core/parameters/parameter-style.ts';
import { keyIn } from './handler/caller.ts';
import type { Answer } from './handler/mock-response.ts';
import type { ServedApi } from './handler/served-api.ts';

/** Replacement of a key. */
const placeholder = '$KEY';

/** The same as the text that a pattern is replaced with, where `$` has a meaning. */
const replacement = placeholder.replaceAll('$', '$$$$');

/** Shorter texts may be any word, and are hidden only where a key belongs. */
const leastLength = 8;

/** Parts of a target that are long enough; decoding makes no text longer. */
const longPart = new RegExp(`[^/?&=]{${leastLength},}`, 'g');

/** Hides keys in what one mock answers and tells. */
export interface Secrets {
  /** The request as it may be printed and kept. */
  readonly redact: (request: HttpRequest) => HttpRequest;
  /** A text about a request, such as what is wrong with it. */
  readonly hide: (request: HttpRequest, text: string) => string;
  /** The answer, which must not repeat a key that was sent in the wrong place. */
  readonly clean: (request: HttpRequest, answer: Answer) => Answer;
}

/** Knows the keys of all APIs of a mock: a key of one may be sent to another by mistake. */
export function createSecrets(apis: readonly ServedApi[]): Secrets {
  const credentials = distinctCarriers(apis.flatMap((api) => api.contract.operations.flatMap((operation) => operation.security.flat())));
  const names = namesOf(credentials);
  const known = new Set(apis.flatMap((api) => [...api.keys.byRole.values()]));
  const hideKnown = hiderOf(known);
  // The code of a failure is the contract's own word, also when somebody sends that word for a key.
  const codes = new Set(apis.flatMap((api) => api.contract.error?.code ?? []));
  const isCode = (pointer: string): boolean => codes.has(pointer);
  // The redactor of a request is needed several times, mostly in a row.
  let latest: { readonly request: HttpRequest; readonly hide: Hide } | undefined;
  const hiderFor = (request: HttpRequest): Hide => {
    if (latest?.request === request) return latest.hide;
    const strange: string[] = [];
    for (const credential of credentials) {
      const key = keyIn(request, credential);
      if (key !== undefined && key.length >= leastLength && !known.has(key) && !strange.includes(key)) strange.push(key);
    }
    const hide = strange.length === 0 ? hideKnown : (text: string) => hideStrange(text, strange, hideKnown);
    latest = { request, hide };
    return hide;
  };
  return {
    redact: (request) => hideKeys(request, names, hiderFor(request)),
    hide: (request, text) => hiderFor(request)(text),
    clean: (request, answer) => cleanAnswer(answer, hiderFor(request), isCode),
  };
}

/** Operations share their carriers; each is looked at once for a request. */
function distinctCarriers(credentials: readonly Credential[]): readonly Credential[] {
  return [...new Map(credentials.map((credential) => [JSON.stringify(credential.carrier), credential])).values()];
}

/** A text without keys. */
type Hide = (text: string) => string;

/** Hides keys wherever they stand in a text. All of them are looked for in one pass, and the longest first, so that none is left in part. */
function hiderOf(keys: Iterable<string>): Hide {
  const long = [...new Set(keys)].filter((key) => key.length >= leastLength).sort((one, other) => other.length - one.length);
  if (long.length === 0) return (text) => text;
  const pattern = new RegExp(long.map((key) => key.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  return (text) => (text.length < leastLength ? text : text.replace(pattern, replacement));
}

/** Hides what was sent for a key, too: first what has a known key in it, and what may be a part of one last. It may be too long for a pattern. */
function hideStrange(text: string, keys: readonly string[], hideKnown: Hide): string {
  const remove = (shown: string, key: string): string => shown.replaceAll(key, () => placeholder);
  const larger = keys.filter((key) => hideKnown(key) !== key);
  const shown = hideKnown(larger.reduce(remove, text));
  return keys.filter((key) => !larger.includes(key)).reduce(remove, shown);
}

/** The names under which keys travel, in lower case. */
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

/** Hides whatever stands where a key belongs, known or not, and known keys everywhere else. It is done for every request, hence by a loop. */
function hideKeys({ method, target, headers }: HttpRequest, names: CarrierNames, hideIn: Hide): HttpRequest {
  const shown: Record<string, HttpHeaders[string]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const lower = name.toLowerCase();
    const hide = (text: string): string => hideIn(hideCarrier(lower, text, names));
    shown[name] = typeof value === 'string' ? hide(value) : value?.map(hide);
  }
  return { method, target: hideInTarget(target, names, hideIn), headers: shown };
}

function hideCarrier(name: string, value: string, { headers, cookies }: CarrierNames): string {
  if (name === 'authorization' || name === 'proxy-authorization') return value.replace(/^(\S+\s+)?.*$/s, `$1${replacement}`);
  if (name === 'cookie') return hidePairs(value, cookies, /([;\s]|^)([^=;\s]+)=([^;]*)/g);
  return headers.includes(name) ? placeholder : value;
}

/** Keys may be encoded in a target in more than one way. */
function hideInTarget(target: string, { queries }: CarrierNames, hideIn: Hide): string {
  const { query } = splitTarget(target);
  const shown =
    query === '' || queries.length === 0 ? target : target.replace(query, () => hidePairs(query, queries, /(&|^)([^=&]*)=([^&]*)/g));
  // Without encoding, no part can hold a key that the whole does not.
  if (!/[%+]/.test(shown) && hideIn(shown) === shown) return shown;
  return shown.replace(longPart, (token) => {
    const text = decodeOrKeep(token);
    return hideIn(text) === text ? token : placeholder;
  });
}

function hidePairs(text: string, names: readonly string[], pairs: RegExp): string {
  return text.replace(pairs, (all, before: string, name: string) =>
    names.includes(decodeOrKeep(name).toLowerCase()) ? `${before}${name}=${placeholder}` : all,
  );
}

/** Content is never made from what was sent, so only headers and the texts of failures can repeat a key. */
function cleanAnswer(answer: Answer, hideIn: Hide, isCode: (pointer: string) => boolean): Answer {
  const names = Object.keys(answer.headers);
  const isClean = names.every((name) => hideIn(answer.headers[name] ?? '') === answer.headers[name]);
  const headers = isClean ? answer.headers : Object.fromEntries(names.map((name) => [name, hideIn(answer.headers[name] ?? '')]));
  const body =
    answer.status < 400 || answer.body === undefined || Buffer.isBuffer(answer.body)
      ? answer.body
      : hideInTexts(answer.body, hideIn, '', isCode);
  return { status: answer.status, headers, body, next: answer.next };
}

function hideInTexts(value: Json, hideIn: Hide, pointer: string, isCode: (pointer: string) => boolean): Json {
  if (typeof value === 'string') return isCode(pointer) ? value : hideIn(value);
  if (Array.isArray(value))
    return (value as readonly Json[]).map((member, index) => hideInTexts(member, hideIn, `${pointer}/${index}`, isCode));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as JsonObject);
  return Object.fromEntries(members.map(([key, member]) => [key, hideInTexts(member, hideIn, `${pointer}/${key}`, isCode)]));
}
