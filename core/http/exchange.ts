import { memoize } from '../memo.ts';

/** Header fields by lower-case name. A field that was sent more than once has several values. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request. */
export interface HttpRequest {
  /** The method in capitals. */
  readonly method: string;
  /** The request target as sent: path and query, percent-encoded (RFC 9112 §3.2.1). */
  readonly target: string;
  /** Request headers by name in lower case. */
  readonly headers: HttpHeaders;
  /** The body as text; absent if the request has none, or if it is not needed. */
  readonly body?: string;
}

/** A response. Its body is decoded text without content coding. */
export interface HttpResponse {
  /** The status code. */
  readonly status: number;
  /** Response headers by name in lower case. */
  readonly headers: HttpHeaders;
  /** The body as text; empty if there is none. */
  readonly body: string;
  /** Reason why the body could not be read, as a clause; its text is empty then. */
  readonly unread?: string;
}

/** A request and its response. */
export interface Exchange {
  /** The request. */
  readonly request: HttpRequest;
  /** The response. */
  readonly response: HttpResponse;
}

/** Returns the value of a header field. Several values are joined with commas (RFC 9110 §5.3). */
export function headerOf(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[toLowerCase(name)];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Returns header fields with changed values; `change` gets the name and each value of a field. */
export function mapHeaders(headers: HttpHeaders, change: (name: string, value: string) => string): HttpHeaders {
  const fields = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' || value === undefined ? value && change(name, value) : value.map((each) => change(name, each)),
  ]);
  return Object.fromEntries(fields);
}

/** Each request looks up the same few names. */
const toLowerCase = memoize((name: string) => name.toLowerCase(), 1000);

/** Splits a request target into path and query. An absolute target (RFC 9112 §3.2.2) loses its scheme and host. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  // Most targets are plain, and each request is split several times.
  const isPlain = target.startsWith('/') && !target.includes('#');
  const withoutFragment = isPlain ? target : (target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '');
  const questionMark = withoutFragment.indexOf('?');
  const path = questionMark < 0 ? withoutFragment : withoutFragment.slice(0, questionMark);
  return { path: path === '' ? '/' : path, query: questionMark < 0 ? '' : withoutFragment.slice(questionMark + 1) };
}
