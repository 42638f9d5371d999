/** The law that searching means something. */

import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { meaninglessTexts, searchCall, searchParameter } from '../../text-search.ts';
import type { Universe } from '../../universe.ts';
import { isList, keyOf } from '../../walk.ts';

/** The law. */
export const narrows: Law = {
  id: 'search/narrows',
  title: 'Searching for what nothing contains does not give everything',
  why: 'A search that is overlooked looks like one that found a lot.',
  strength: 'stated',
  clause: (operation) => {
    const parameter = searchParameter(operation);
    return parameter === undefined || !isList(operation) ? undefined : filterPlace(operation, parameter);
  },
  examine: async (lab, operation) => {
    if (!isList(operation)) throw new TypeError(`${operation.id} is no list`);
    const universe = await lab.universe(operation);
    const replies: Reply[] = [];
    for (const text of textsFor(lab, universe)) replies.push(await lab.ask(searchCall(lab, operation, text)));
    return { rivals, judge: () => replies.flatMap((reply) => judgeReply(universe, reply)) };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'everything', title: 'what nothing matches gave every record', missing: 'a list with at least three records' },
];

/** One of them has a quote, which careless searches trip over; what they answer then is judged by the laws about answers. */
function textsFor(lab: Lab, universe: Universe): readonly string[] {
  const texts = meaninglessTexts(lab, universe);
  return [...texts, ...(lab.quick ? [] : texts.slice(-1).map((text) => `${text}'s`))];
}

/** Everything, or the page that the list begins with. */
function judgeReply(universe: Universe, reply: Reply): readonly Finding[] {
  const { operation, walk } = universe;
  const records = recordsIn(reply);
  const first = walk.pages[0] ?? [];
  if (!isSuccess(reply) || records === undefined) return [{ kind: 'obscured', by: 'filters/no-match' }];
  if (first.length < 3) return [];
  const listed = new Set(first.map((record) => keyOf(operation, record)));
  const found = new Set(records.map((record) => keyOf(operation, record)));
  const isEverything = found.size >= listed.size && [...listed].every((key) => found.has(key));
  if (!isEverything) return [{ kind: 'agrees', refutes: ['everything'] }];
  const text = String(reply.call.values?.[searchParameter(operation) ?? ''] ?? '');
  return [
    {
      kind: 'contradicts',
      replies: [...walk.replies.slice(0, 1), reply],
      expected: `searching ${operation.id} for ${text} does not give every record`,
      actual: `it gives ${records.length}, the same as without searching`,
      rival: { id: 'everything', title: 'what nothing matches gave every record' },
      witnesses: [],
    },
  ];
}
