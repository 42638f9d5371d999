/** `/__mock/journal`: the last exchanges of the mock, and each of them whole. */

import { nearest } from '../../core/errors.ts';
import { type Endpoint, Refusal, toJson } from './control-endpoint.ts';
import type { EntryState, JournalPage } from './control-message.ts';
import type { Journal } from './journal.ts';
import type { JournalQuery } from './journal-entry.ts';
import { excerpt } from './members.ts';

/** Entries in an answer: default and maximum. */
const [defaultLimit, mostEntries] = [100, 1000];

const parameters = ['after', 'limit', 'operation', 'role', 'status'];

/** The endpoints. */
export function journalEndpoints(journal: Journal): readonly Endpoint[] {
  return [
    {
      path: 'journal',
      methods: {
        GET: ({ query }) => toJson(showPage(journal, readQuery(query))),
        DELETE: () => {
          journal.clear();
          return toJson(showPage(journal, { limit: defaultLimit }));
        },
      },
    },
    { path: 'journal/{number}', methods: { GET: ({ segment }) => toJson(showEntry(journal, segment)) } },
  ];
}

/** One entry more than is shown is asked for: it tells whether there are more. */
function showPage(journal: Journal, query: JournalQuery & { readonly limit: number }): JournalPage {
  const found = journal.entries({ ...query, limit: query.limit + 1 });
  const entries = found.slice(0, query.limit);
  return {
    scope: 'this process',
    entries,
    next: found.length > entries.length ? (entries.at(-1)?.number ?? null) : null,
    last: journal.last(),
  };
}

function showEntry(journal: Journal, segment: string): EntryState {
  const number = /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : undefined;
  if (number === undefined) throw new Refusal(404, `${excerpt(segment)} is no number of an entry; /__mock/journal lists those there are.`);
  const entry = journal.entry(number);
  if (entry !== undefined) return { scope: 'this process', ...entry };
  const why = number > journal.last() ? `the last one so far is ${journal.last()}` : 'it was cleared, or had to make room for later ones';
  throw new Refusal(404, `The journal has no entry ${number}: ${why}.`);
}

function readQuery(query: URLSearchParams): JournalQuery & { readonly limit: number } {
  for (const name of query.keys()) {
    const meant = nearest(name, parameters);
    const advice = meant === undefined ? `the parameters are ${parameters.join(', ')}` : `is ${meant} meant?`;
    if (!parameters.includes(name)) throw new Refusal(400, `The journal has no parameter ${excerpt(name)}; ${advice}`);
    if (query.getAll(name).length > 1) throw new Refusal(400, `${name} was given more than once; give it once.`);
  }
  const [after, operation, role, status] = ['after', 'operation', 'role', 'status'].map((name) => query.get(name) ?? undefined);
  if (status !== undefined && !/^[1-5](\d\d|xx)$/.test(status))
    throw new Refusal(400, `status is ${excerpt(status)}, which is neither a status such as 404 nor a kind of them such as 4xx.`);
  return {
    limit: readNumber(query, 'limit', 1, mostEntries) ?? defaultLimit,
    ...(after === undefined ? {} : { after: readNumber(query, 'after', 0, Number.MAX_SAFE_INTEGER) ?? 0 }),
    ...(operation === undefined ? {} : { operation }),
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
  };
}

function readNumber(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= least && value <= most) return value;
  throw new Refusal(400, `${name} is ${excerpt(text)}, which is not a whole number from ${least} to ${most}.`);
}
