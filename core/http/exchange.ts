/** One HTTP exchange as plain values: what was asked and what came back. */

/** Header fields by lower-case name. A field that was sent more than once has several values. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request without a body: the toolkit only reads. */
export interface HttpRequest {
  /** In capitals, as on the wire. */
  readonly method: string;
  /** The request target as it was sent: path and query, still percent-encoded (RFC 9112 §3.2.1). */
  readonly target: string;
  /** Request headers by name in lower case. */
  readonly headers: HttpHeaders;
  /** As text; absent when there is none, or nobody reads it. */
  readonly body?: string;
}

/** An answer, its body decoded to text and free of any content coding. */
export interface HttpResponse {
  /** The status code. */
  readonly status: number;
  /** Response headers by name in lower case. */
  readonly headers: HttpHeaders;
  /** Empty when the answer has no body. */
  readonly body: string;
}

/** A request and its answer. */
export interface Exchange {
  /** The request. */
  readonly request: HttpRequest;
  /** The response. */
  readonly response: HttpResponse;
}

/** The value of a header field; several values are joined as RFC 9110 §5.3 says. */
export function headerOf(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[lowerCase(name)];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Names of fields in lower case: few are asked for, and each of them for every request. */
const lowered = new Map<string, string>();

function lowerCase(name: string): string {
  const known = lowered.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowered.size < 1000) lowered.set(name, lower);
  return lower;
}

/** The path and the query of a request target; an absolute target (RFC 9112 §3.2.2) loses its scheme and host. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  // Most targets begin with a path and have no fragment, and are asked about several times for a request.
  const isPlain = target.startsWith('/') && !target.includes('#');
  const withoutFragment = isPlain ? target : (target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '');
  const mark = withoutFragment.indexOf('?');
  const path = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : withoutFragment.slice(mark + 1) };
}
