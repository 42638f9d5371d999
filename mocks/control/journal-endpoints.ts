/**
 * Endpoints of the journal: `/__mock/journal` lists the last exchanges or removes them, `/__mock/journal/{number}` shows one with headers and body.
 * `control-handler.ts` includes both once per mock; their methods run per request. `make-journal-entry.ts` hides keys and personal data.
 */

import type { Journal } from '../journal/journal.ts';
import type { JournalQuery } from '../journal/journal-types.ts';
import type { EntryState, JournalPage } from './control-bodies.ts';
import { ControlError, type Endpoint, excerpt, requireParameters, toJsonResponse } from './endpoint-interface.ts';

/** Number of entries in a response: default and maximum. */
const [defaultLimit, maxLimit] = [100, 1000];

const parameters = ['first', 'after', 'before', 'limit', 'operation', 'role', 'status'];

/** Creates the endpoints. */
export function journalEndpoints(journal: Journal): readonly Endpoint[] {
  return [
    {
      path: 'journal',
      methods: {
        GET: ({ query }) => toJsonResponse(showPage(journal, readQuery(query))),
        DELETE: () => {
          journal.clear();
          return toJsonResponse(showPage(journal, { limit: defaultLimit }));
        },
      },
    },
    { path: 'journal/{number}', methods: { GET: ({ segment }) => toJsonResponse(showEntry(journal, segment)) } },
  ];
}

/** Reads one entry more than it shows, to know whether more follow. */
function showPage(journal: Journal, query: JournalQuery & { readonly limit: number }): JournalPage {
  const entriesAndNext = journal.entries({ ...query, limit: query.limit + 1 });
  const entries = entriesAndNext.slice(0, query.limit);
  return {
    scope: 'this process',
    entries,
    next: entriesAndNext.length > entries.length ? (entries.at(-1)?.number ?? null) : null,
    last: journal.last(),
  };
}

function showEntry(journal: Journal, segment: string): EntryState {
  const number = /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : undefined;
  if (number === undefined)
    throw new ControlError(404, `${excerpt(segment)} is not the number of an entry; /__mock/journal lists the entries.`);
  const entry = journal.entry(number);
  if (entry !== undefined) return { scope: 'this process', ...entry };
  const reason = number > journal.last() ? `the last one so far is ${journal.last()}` : 'it was cleared, or dropped for newer ones';
  throw new ControlError(404, `The journal has no entry ${number}: ${reason}.`);
}

function readQuery(query: URLSearchParams): JournalQuery & { readonly limit: number } {
  requireParameters(query, 'The journal', parameters);
  const [operation, role, status] = ['operation', 'role', 'status'].map((name) => query.get(name) ?? undefined);
  const [after, before] = ['after', 'before'].map((name) => readNumber(query, name, 0, Number.MAX_SAFE_INTEGER));
  const first = query.get('first') ?? 'oldest';
  if (first !== 'oldest' && first !== 'newest')
    throw new ControlError(400, `first is ${excerpt(first)}, which is neither oldest nor newest.`);
  if (status !== undefined && !/^[1-5](\d\d|xx)$/.test(status))
    throw new ControlError(400, `status is ${excerpt(status)}, which is neither a status such as 404 nor a class such as 4xx.`);
  return {
    limit: readNumber(query, 'limit', 1, maxLimit) ?? defaultLimit,
    first,
    after,
    before,
    operation,
    role,
    status,
  };
}

function readNumber(query: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= min && value <= max) return value;
  throw new ControlError(400, `${name} is ${excerpt(text)}, which is not a whole number from ${min} to ${max}.`);
}
