/** The law that hidden records are not found by searching. */

import { placeBelow } from '../../../core/document.ts';
import { valueAt } from '../../../core/pointer.ts';
import { hasKey, hiddenKeyMissing, hiddenKeys, hidesRecords, isHidden, type VisibleList } from '../../hidden.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { isPage, keysIn, servedLimit, wantedOf } from '../../numbered.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { spread } from '../../sample.ts';
import { searchCall, searchParameter, searchWords } from '../../text-search.ts';
import type { Universe } from '../../universe.ts';
import { keyOf, totalIn } from '../../walk.ts';
import { isQuiet } from '../../witness.ts';
import { describeRecords } from '../../words.ts';

/** The law. */
export const search: Law = {
  id: 'visible/search',
  title: 'Searching neither finds nor counts hidden records',
  why: 'Whoever searches for a word learns that something with that word is hidden, and often what.',
  strength: 'stated',
  clause: (operation) => {
    const parameter = searchParameter(operation);
    if (parameter === undefined || !hidesRecords(operation)) return undefined;
    return placeBelow(operation.document, operation.value, ['x-collection', 'visible']);
  },
  examine: async (lab, operation) => {
    if (!hidesRecords(operation)) throw new TypeError(`${operation.id} hides no records`);
    if (lab.hidden.length === 0) return { untestable: hiddenKeyMissing };
    const universe = await lab.universe(operation);
    const isSearchable = await findsByKey(lab, universe);
    const replies: Reply[] = [];
    for (const key of hiddenKeys(lab))
      for (const word of searchWords(key).slice(0, lab.quick ? 1 : 2)) replies.push(await lab.ask(searchCall(lab, operation, word)));
    return { rivals, judge: () => replies.map((reply) => judgeReply(lab, operation, universe, reply, isSearchable)) };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'found', title: 'searching found hidden records', missing: 'a listed record that is found by a word of its own key' },
  { id: 'counted', title: 'searching counted hidden records', missing: 'a listed record that is found by a word of its own key' },
];

/** Whether words of a key find its record at all: only then would those of a hidden key have found something. */
async function findsByKey(lab: Lab, universe: Universe): Promise<boolean> {
  const { operation } = universe;
  for (const record of spread(universe, 2)) {
    const [word] = searchWords(String(valueAt(record, operation.collection.key) ?? ''));
    const found = word === undefined ? [] : keysIn(await lab.ask(searchCall(lab, universe.operation, word)));
    if (found.includes(keyOf(operation, record))) return true;
  }
  return false;
}

function judgeReply(lab: Lab, operation: VisibleList, universe: Universe, reply: Reply, isSearchable: boolean): Finding {
  const records = recordsIn(reply);
  if (!isPage(reply) || records === undefined) return { kind: 'obscured', by: 'response/status' };
  const shown = new Set(universe.records.filter((record) => !isHidden(operation, record)).map((record) => keyOf(operation, record)));
  const wrong = records.filter(
    (record) => isHidden(operation, record) || (hasKey(operation, record, lab.hidden) && !shown.has(keyOf(operation, record))),
  );
  const text = String(wantedOf(reply)?.values[searchParameter(operation) ?? ''] ?? '');
  const common = { kind: 'contradicts', replies: [reply], witnesses: wrong.map((record) => keyOf(operation, record)) } as const;
  if (wrong.length > 0)
    return {
      ...common,
      expected: `searching ${operation.id} for ${text} finds no hidden record`,
      actual: `it finds ${describeRecords(operation, common.witnesses)}`,
      records: wrong.slice(0, 3),
      rival: { id: 'found', title: 'searching found hidden records' },
    };
  const said = totalIn(operation.collection.page, reply);
  const isWhole = records.length < (servedLimit(reply) ?? 0);
  // The total may be that of the whole list; otherwise it is the number of what stands in the same answer.
  const overall = lab.replies.map((each) =>
    each.call.operation.id === operation.id && isUnfiltered(operation, each) ? totalIn(operation.collection.page, each) : undefined,
  );
  const isMore = said !== undefined && isWhole && said > records.length && !overall.includes(said);
  // A total of the whole list that moves meanwhile cannot be told from one that counts too much.
  if (isMore && !isQuiet(universe)) return { kind: 'moved', what: `records of ${operation.id} came or went while it was searched` };
  if (isMore)
    return {
      ...common,
      expected: `searching ${operation.id} for ${text} counts the ${records.length} that it finds`,
      actual: `it says a total of ${said}`,
      rival: { id: 'counted', title: 'searching counted hidden records' },
    };
  const isCounted = said !== undefined && isWhole && said === records.length;
  return { kind: 'agrees', refutes: isSearchable ? ['found', ...(isCounted ? ['counted'] : [])] : [] };
}

function isUnfiltered(operation: VisibleList, { call }: Reply): boolean {
  return Object.keys(call.values ?? {}).every((name) => !operation.collection.filters.has(name));
}
