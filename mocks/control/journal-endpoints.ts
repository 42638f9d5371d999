import type { Json } from '../../core/json.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalQuery } from '../journal/journal-types.ts';
import type { EntryState, JournalPage } from './control-bodies.ts';
import { ControlError, clipText, type Endpoint, toJsonResponse } from './endpoint.ts';
import { invalidMember, readQueryMembers, textLike, wholeNumber } from './read-members.ts';

/** Number of entries in a response: default and maximum. */
const [defaultLimit, maxLimit] = [100, 1000];

const anyNumber = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const parameters = {
  first: readOrder,
  after: anyNumber,
  before: anyNumber,
  limit: wholeNumber(1, maxLimit),
  operation: textLike('NAME'),
  role: textLike('full'),
  status: readStatus,
};

/** Creates the endpoints: `/__mock/journal` lists the last exchanges or removes them, `/__mock/journal/{number}` shows one with headers and body. */
export function journalEndpoints(journal: Journal): readonly Endpoint[] {
  return [
    {
      path: 'journal',
      methods: {
        GET: ({ query }) => toJsonResponse(showPage(journal, readQueryMembers(query, parameters, 'The journal'))),
        DELETE: () => {
          journal.clear();
          return toJsonResponse(showPage(journal));
        },
      },
    },
    { path: 'journal/{number}', methods: { GET: ({ segment }) => toJsonResponse(showEntry(journal, segment)) } },
  ];
}

/** Reads one entry more than it shows, to know whether more follow. */
function showPage(journal: Journal, { limit = defaultLimit, ...filters }: JournalQuery = {}): JournalPage {
  const entriesAndNext = journal.entries({ ...filters, limit: limit + 1 });
  const entries = entriesAndNext.slice(0, limit);
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
    throw new ControlError(404, `${clipText(segment)} is not the number of an entry; /__mock/journal lists the entries.`);
  const entry = journal.entry(number);
  if (entry !== undefined) return { scope: 'this process', ...entry };
  const reason = number > journal.last() ? `the last one so far is ${journal.last()}` : 'it was cleared, or dropped for newer ones';
  throw new ControlError(404, `The journal has no entry ${number}: ${reason}.`);
}

function readOrder(value: Json, name: string): 'oldest' | 'newest' {
  if (value === 'oldest' || value === 'newest') return value;
  throw invalidMember(name, String(value), ', which is neither oldest nor newest');
}

function readStatus(value: Json, name: string): string {
  if (typeof value === 'string' && /^[1-5](\d\d|xx)$/.test(value)) return value;
  throw invalidMember(name, String(value), ', which is neither a status such as 404 nor a class such as 4xx');
}
