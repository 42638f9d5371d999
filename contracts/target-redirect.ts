/** Redirects: which are followed, and what they end as. */

import type { HttpResponse } from '../core/exchange.ts';
import type { Fields } from './target-header.ts';

const redirectsMax = 5;

/** One request on its way. */
export interface Call {
  /** Which scheme, host and port it goes to. */
  readonly url: URL;
  readonly target: string;
  readonly method: string;
  readonly headers: Fields;
}

/** An answer, the number of redirects that were followed to it, and where it leads when it is a redirect that was not followed. */
export interface Told {
  readonly response: HttpResponse;
  readonly redirects?: number;
  readonly redirectedTo?: string;
}

/** Follows redirects within the origin. A loop, and one redirect too many, end as the redirect itself. */
export async function follow(first: Call, ask: (call: Call) => Promise<HttpResponse>): Promise<Told> {
  const asked = new Set([`${first.url.origin}${first.target}`]);
  for (let call = first; ; ) {
    const response = await ask(call);
    const redirect = readRedirect(response, `${call.url.origin}${call.target}`);
    const told = asked.size === 1 ? { response } : { response, redirects: asked.size - 1 };
    if (redirect === undefined) return told;
    const { url, isFollowed } = redirect;
    const target = `${url.pathname}${url.search}`;
    const isNew = !asked.has(`${url.origin}${target}`) && asked.size <= redirectsMax;
    if (!isFollowed || !isNew) return { ...told, redirectedTo: printRedirect(url) };
    asked.add(`${url.origin}${target}`);
    call = { ...call, url, target };
  }
}

/** Where a redirect leads. */
interface Redirect {
  readonly url: URL;
  /** Whether a request with keys may go there: the same scheme, host and port (RFC 6454). */
  readonly isFollowed: boolean;
}

/** Reads the answer's `Location`; `undefined` when the answer is no redirect or its address cannot be read. */
function readRedirect({ status, headers }: HttpResponse, from: string): Redirect | undefined {
  const location = [headers['location']].flat()[0];
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  // Node.js reads header fields as Latin-1, and servers write UTF-8 there.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  if (!URL.canParse(text, from)) return undefined;
  const [url, asked] = [new URL(text, from), new URL(from)];
  const isFollowed = url.origin === asked.origin && url.username === '' && url.password === '';
  return { url, isFollowed };
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A redirect’s address as it may be printed: without user and password. */
function printRedirect(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}
