/**
 * Remembers, at each exchange, which response gave which cursor, to tell where the cursor of a later request comes from. It keeps hashes only, and a bounded
 * number of them.
 */

import { hash } from 'node:crypto';
import type { CursorPage } from '../../core/annotations/annotations.ts';
import { splitTarget } from '../../core/http/exchange.ts';
import { readJson } from '../../core/json.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/query-string.ts';
import { valueAt } from '../../core/pointer.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import type { PreparedResponse } from '../handler/prepare-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { FinishedExchange } from '../served-exchange.ts';
import type { CursorProvenance } from './journal-types.ts';

interface CursorTracker {
  /** Returns the origin of the request's cursor, and remembers the response's next cursor under a number. Returns `undefined` for other operations. */
  readonly track: (exchange: FinishedExchange, number: number) => CursorProvenance | undefined;
  readonly clear: () => void;
}

/** Number of remembered cursors, of which the newer half is always kept. Their hashes take about two megabytes. */
const cursorsMax = 20_000;

/** Creates a tracker for the cursors of the served APIs, which a reload may change. */
export function createCursorTracker(apis: () => readonly ServedApi[]): CursorTracker {
  const numberByHash = new RecentCache<string, number>(cursorsMax);
  // The latest response and the hash of its next cursor, because the cache often gives the same response several times in a row.
  let latestNext: { readonly body?: Buffer; readonly page?: CursorPage; readonly hash?: string | undefined } = {};
  const hashOfNext = ({ body, page: listedPage }: PreparedResponse, page: CursorPage): string | undefined => {
    if (latestNext.body !== body || latestNext.page !== page) {
      const next = listedPage === undefined ? nextIn(body, page) : listedPage.next;
      latestNext = { body, page, hash: next === undefined ? undefined : hashOf(next) };
    }
    return latestNext.hash;
  };
  const provenanceOf = (cursor: string | undefined, api: ServedApi): CursorProvenance => {
    if (cursor === undefined) return { kind: 'first' };
    const number = numberByHash.get(hashOf(cursor));
    if (number !== undefined) return { kind: 'given', by: number };
    return { kind: api.cursors.decode(cursor) === undefined ? 'not-given' : 'given-elsewhere' };
  };
  return {
    track: ({ request, response }, number) => {
      const { context } = response;
      const api = apis().find(({ contract }) => contract.name === context?.contract);
      const page = api?.contract.operations.find(({ id }) => id === context?.operation)?.collection?.page;
      if (api === undefined || page?.style !== 'cursor') return undefined;
      const provenance = provenanceOf(cursorIn(request.target, page), api);
      const next = response.status === 200 ? hashOfNext(response, page) : undefined;
      if (next !== undefined) numberByHash.set(next, number);
      return provenance;
    },
    clear: () => numberByHash.clear(),
  };
}

function hashOf(cursor: string): string {
  return hash('sha256', cursor, 'base64url').slice(0, 22);
}

function cursorIn(target: string, { cursor }: CursorPage): string | undefined {
  // Shortcut for most targets, which have neither a cursor nor encoded characters.
  if (!target.includes(cursor) && !/[%+]/.test(target)) return undefined;
  const pair = splitQuery(splitTarget(target).query).find(([name]) => name === cursor);
  return pair === undefined ? undefined : decodeOrKeep(pair[1]);
}

/** The next cursor in a body. Responses of the mock without mutants name theirs, so only few bodies are parsed. */
function nextIn(body: Buffer, { next }: CursorPage): string | undefined {
  const value = valueAt(readJson(body.toString()), next);
  return typeof value === 'string' ? value : undefined;
}
