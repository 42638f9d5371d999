import type { Exchange, HttpHeaders } from '../core/http/exchange.ts';
import { headerOf, splitTarget } from '../core/http/exchange.ts';
import type { Json } from '../core/json.ts';
import { clip } from './clip-text.ts';
import { printable } from './printable-text.ts';

/** Maximum number of characters of a text, of a name, and of a body. */
const sentenceMax = 2000;
const nameMax = 300;
const bodyMax = 100_000;

/** Times of an exchange: its beginning, and the milliseconds until the head and the end of its response. Without them, both are zero. */
interface HarTimes {
  readonly started: string;
  readonly waitMs?: number;
  readonly durationMs?: number;
}

/** Renders an exchange as an entry of an HTTP Archive (HAR 1.2). Keys and personal data must be hidden already. */
export function harEntry(
  { request, response }: Exchange,
  base: string,
  { started, waitMs = 0, durationMs = waitMs }: HarTimes,
): { readonly [name: string]: Json } {
  const { body } = request;
  const mimeType = clip(headerOf(response.headers, 'content-type') ?? '', nameMax);
  const text = clip(response.body, bodyMax);
  return {
    startedDateTime: started,
    time: durationMs,
    request: {
      method: clip(request.method, nameMax),
      url: toUrl(base, request.target),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listHeaders(request.headers),
      queryString: listQuery(request.target),
      ...(body === undefined
        ? {}
        : { postData: { mimeType: clip(headerOf(request.headers, 'content-type') ?? '', nameMax), text: clip(body, bodyMax) } }),
      headersSize: -1,
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listHeaders(response.headers),
      content: { size: Buffer.byteLength(response.body), mimeType, text },
      redirectURL: clip(headerOf(response.headers, 'location') ?? '', sentenceMax),
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: waitMs, receive: durationMs - waitMs },
  };
}

/** Lists header fields; a field with several values is in the list several times. */
function listHeaders(headers: HttpHeaders): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => ({ name: clip(name, nameMax), value: clip(each, sentenceMax) })),
  );
}

function listQuery(target: string): readonly { readonly name: string; readonly value: string }[] {
  return [...new URLSearchParams(splitTarget(target).query)].map(([name, value]) => ({
    name: clip(name, nameMax),
    value: clip(value, sentenceMax),
  }));
}

/** Returns the address of a request, with the characters encoded that a URI (RFC 3986) does not allow. */
function toUrl(base: string, target: string): string {
  const encoded = printable(clip(target, sentenceMax)).replaceAll(/[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})/gu, encodeURIComponent);
  return `${URL.canParse(base) ? base : 'http://unknown.invalid'}${encoded}`;
}
