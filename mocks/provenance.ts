/** Where the cursors that clients send come from: which answer gave them, if any. */

import { hash } from 'node:crypto';
import { splitTarget } from '../core/exchange.ts';
import type { Json } from '../core/json.ts';
import { fromPointer, valueAt } from '../core/pointer.ts';
import type { CursorPage } from '../core/rules.ts';
import { decodeOrKeep, splitQuery } from '../core/style.ts';
import type { CursorProvenance } from './journal-entry.ts';
import { Recent } from './ledger/recent.ts';
import type { PreparedResponse, Served } from './response.ts';
import type { ServedApi } from './served-api.ts';

/** Remembers the cursors of answers, and recognises those of requests. */
export interface Provenance {
  /** Tells of the cursor of a request, and remembers that of its answer under a number; `undefined` where nothing is paged by cursors. */
  readonly see: (served: Served, number: number) => CursorProvenance | undefined;
  readonly clear: () => void;
}

/** How many cursors are remembered, the latter half of them for sure. They are kept as hashes, so that all of them together take about two megabytes. */
const cursorsKept = 20_000;

/** Knows the cursors of the APIs of a mock; which APIs those are may change while it runs. */
export function createProvenance(apis: () => readonly ServedApi[]): Provenance {
  const givenBy = new Recent<string, number>(cursorsKept);
  // The same answer is often given several times in a row, and need not be searched each time.
  let latest: { readonly body?: Buffer; readonly page?: CursorPage; readonly hash?: string | undefined } = {};
  const hashIn = ({ body, next: known }: PreparedResponse, page: CursorPage): string | undefined => {
    if (latest.body !== body || latest.page !== page) {
      const next = known ?? nextIn(body, page);
      latest = { body, page, hash: next === undefined ? undefined : hashOf(next) };
    }
    return latest.hash;
  };
  const recognise = (cursor: string | undefined, api: ServedApi): CursorProvenance => {
    if (cursor === undefined) return { kind: 'first' };
    const by = givenBy.get(hashOf(cursor));
    if (by !== undefined) return { kind: 'given', by };
    return { kind: api.cursors.decode(cursor) === undefined ? 'not-given' : 'given-elsewhere' };
  };
  return {
    see: ({ request, response }, number) => {
      const { context } = response;
      const api = apis().find((each) => each.contract.name === context?.contract);
      const page = api?.contract.operations.find((each) => each.id === context?.operation)?.collection?.page;
      if (api === undefined || page?.style !== 'cursor') return undefined;
      const provenance = recognise(cursorIn(request.target, page), api);
      const next = response.status === 200 ? hashIn(response, page) : undefined;
      if (next !== undefined) givenBy.set(next, number);
      return provenance;
    },
    clear: () => givenBy.clear(),
  };
}

function hashOf(cursor: string): string {
  return hash('sha256', cursor, 'base64url').slice(0, 22);
}

function cursorIn(target: string, { cursor }: CursorPage): string | undefined {
  // Most targets have nothing encoded, and no cursor.
  if (!target.includes(cursor) && !/[%+]/.test(target)) return undefined;
  const found = splitQuery(splitTarget(target).query).find(([name]) => name === cursor);
  return found === undefined ? undefined : decodeOrKeep(found[1]);
}

/**
 * The cursor that an answer gives. Reading a whole page as JSON takes longer than answering it, so a name that stands only once in the body is
 * looked for as it is written: inside a string its quotes would be escaped, so what is found is a member.
 */
function nextIn(bytes: Buffer, { next }: CursorPage): string | undefined {
  const mark = `${JSON.stringify(fromPointer(next).at(-1) ?? '')}:`;
  const at = bytes.indexOf(mark);
  if (at < 0) return undefined;
  const isOnly = bytes.lastIndexOf(mark) === at;
  const value = isOnly ? textAt(bytes, at + Buffer.byteLength(mark)) : valueAt(JSON.parse(bytes.toString()) as Json, next);
  return typeof value === 'string' ? value : undefined;
}

const [quote, backslash] = [0x22, 0x5c] as const;

/** The JSON string that begins at a place; `undefined` when something else stands there. */
function textAt(bytes: Buffer, at: number): string | undefined {
  if (bytes[at] !== quote) return undefined;
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return JSON.parse(bytes.toString('utf8', at, end + 1)) as string;
}
