/** HTTP Archive (HAR 1.2) of the exchanges that show the causes, for browsers and HTTP clients. Each cause is a page, which viewers use as a group. */

import type { Exchange, HttpHeaders } from '../../core/http/exchange.ts';
import { headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { RunResult } from '../../core/results/run-result.ts';
import { clip } from '../excerpt.ts';
import { printable } from '../layout.ts';
import { describeRun } from './verify-words.ts';

/** Maximum number of characters of a text, of a name, and of a body. */
const sentenceMax = 2000;
const nameMax = 300;
const bodyMax = 100_000;

/** Renders the exchanges of a run. Keys and personal data are hidden in them already. */
export function renderHar(result: RunResult): string {
  const { causes, target, started, toolVersion } = result;
  const log = {
    version: '1.2',
    creator: { name: 'Touchstone', version: toolVersion },
    pages: causes.map(({ id, rule, operations, message }) => ({
      startedDateTime: started,
      id,
      title: clip(`${rule} at ${operations.join(', ')}: ${message}`, sentenceMax),
      pageTimings: {},
    })),
    entries: causes.flatMap(({ id, counterexample }) =>
      counterexample.exchanges.map((exchange) => ({ pageref: id, startedDateTime: started, ...toEntry(exchange, target) })),
    ),
    comment: clip(`${describeRun(result)}: the exchanges that show each cause. Their times were not measured.`, sentenceMax),
  };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}

function toEntry({ request, response }: Exchange, base: string): { readonly [name: string]: Json } {
  const { body } = request;
  const mimeType = clip(headerOf(response.headers, 'content-type') ?? '', nameMax);
  const text = clip(response.body, bodyMax);
  return {
    time: 0,
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
    timings: { send: 0, wait: 0, receive: 0 },
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
