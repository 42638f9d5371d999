/** Rules about records that a caller must not see. */

import { placeBelow } from '../../core/document.ts';
import { foldText } from '../../core/fold.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Entry } from '../../core/query.ts';
import type { Visibility } from '../../core/rules.ts';
import { encodeText } from '../call.ts';
import { isRecordRead, listFor, listOf, type RecordRead } from '../detail.ts';
import type { Lab } from '../lab.ts';
import { agrees, type Candidate, type Contradiction, contradicts, type Finding, type Law, moved, obscured } from '../law.ts';
import { collectionPlace } from '../list-clause.ts';
import { isNumbered, isPage, keysIn, losesRecords, servedLimit, type Told, totalsTold, wantedOf } from '../numbered.ts';
import { firstOfEach } from '../parts.ts';
import { locate } from '../place.ts';
import { isSuccess, type Reply, recordsIn } from '../reply.ts';
import { spread, unknownIdentity } from '../sample.ts';
import { isQuiet } from '../sightings.ts';
import { searchCall, searchParameter, searchWords } from '../text-search.ts';
import type { Universe } from '../universe.ts';
import { isList, keyOf, type ListOperation, totalIn } from '../walk.ts';
import { count as countOf, describeRecords } from '../words.ts';

/** A list of which some records are hidden. */
type VisibleList = ListOperation & { readonly collection: { readonly visible: Visibility } };

/** Whether an operation lists records of which some are hidden. */
function hidesRecords(operation: Operation): operation is VisibleList {
  return isList(operation) && operation.collection.visible !== undefined;
}

/** What is lacking where the operator names no hidden record. */
const hiddenKeyMissing = 'the key of a record that is known to be hidden: --hidden KEY';

/** The hidden keys that are tried: as they were given, and no more than a run can afford. */
function hiddenKeys(lab: Lab): readonly string[] {
  return lab.hidden.slice(0, lab.quick ? 1 : 3);
}

/** Whether a record says of itself that the caller may not see it. */
function isHidden({ collection: { visible } }: VisibleList, record: Entry): boolean {
  const level = valueAt(record, visible.field);
  return level !== undefined && !visible.shown.includes(String(level));
}

/** Whether a record has one of the hidden keys. */
function hasKey(operation: ListOperation, record: Entry, keys: readonly string[]): boolean {
  const key = keyOf(operation, record);
  return keys.some((each) => JSON.stringify(each) === key || each === key);
}

/** The names of all members of a value, at any depth. */
function memberNames(value: Json | undefined): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set((value as readonly Json[]).flatMap((each) => [...memberNames(each)]));
  if (!isObject(value)) return new Set();
  return new Set(Object.entries(value).flatMap(([name, member]) => [name, ...memberNames(member)]));
}

/** The words of a text: runs of letters and digits, without accents, in lower case. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [])];
}

const lists: Law = {
  id: 'visible/lists',
  title: 'Hidden records are not listed',
  why: 'What is not published yet, or not meant for everybody, is read by everybody.',
  strength: 'stated',
  clause: (operation) => (hidesRecords(operation) ? collectionPlace(operation, 'visible') : undefined),
  examine: async (lab, operation) => {
    if (!hidesRecords(operation)) throw new TypeError(`${operation.id} hides no records`);
    await lab.universe(operation);
    await firstOfEach(lab, operation);
    return {
      rivals: rivalsOfLists,
      judge: () =>
        lab.replies.flatMap((reply) => (reply.call.operation.id === operation.id ? judgeReplyOfLists(lab, operation, reply) : [])),
    };
  },
};

const rivalsOfLists: readonly Candidate[] = [
  { id: 'listed', title: 'hidden records were listed', missing: 'a record that is known to be hidden (--hidden KEY)' },
];

function judgeReplyOfLists(lab: Lab, operation: VisibleList, reply: Reply): readonly Finding[] {
  const records = recordsIn(reply);
  if (records === undefined) return [];
  const wrong = records.filter((record) => isHidden(operation, record));
  // A record that was named as hidden may be public by now: what it says of itself counts.
  const isTelling = lab.hidden.length > 0 && !records.some((record) => hasKey(operation, record, lab.hidden));
  if (wrong.length === 0) return [agrees(...(isTelling ? ['listed'] : []))];
  const keys = wrong.map((record) => keyOf(operation, record));
  return [
    contradicts({
      replies: [reply],
      expected: `${operation.id} lists only records whose ${operation.collection.visible.field} is ${operation.collection.visible.shown.join(' or ')}`,
      actual: `it lists ${describeRecords(operation, keys)}`,
      records: wrong.slice(0, 3),
      rival: { id: 'listed', title: 'hidden records were listed' },
      witnesses: keys,
    }),
  ];
}

const count: Law = {
  id: 'visible/count',
  title: 'Hidden records are not counted',
  why: 'A total that grows tells everybody that something is being prepared, and how much.',
  strength: 'stated',
  clause: (operation) => {
    if (!hidesRecords(operation) || !isNumbered(operation)) return undefined;
    return operation.collection.page.total === undefined ? undefined : collectionPlace(operation, 'visible');
  },
  examine: async (lab, operation) => {
    if (!hidesRecords(operation)) throw new TypeError(`${operation.id} hides no records`);
    const universe = await lab.universe(operation);
    return { rivals: rivalsOfCount, judge: () => judge(lab, operation, universe) };
  },
};

const rivalsOfCount: readonly Candidate[] = [{ id: 'counted', title: 'hidden records were counted', missing: hiddenKeyMissing }];

function judge(lab: Lab, operation: VisibleList, universe: Universe): readonly Finding[] {
  if (!universe.isComplete) return [];
  if (!isQuiet(universe)) return [moved(`${operation.id} changed while it was read`)];
  const shown = new Map(
    universe.walk.records.filter((record) => !isHidden(operation, record)).map((record) => [keyOf(operation, record), record]),
  );
  const isWhole = Object.keys(universe.base).length === 0;
  const told = totalsTold(lab, universe).filter(({ reply }) => isUnfilteredOfCount(operation, reply) && isWhole);
  const more = told.find(({ total }) => total > shown.size);
  if (more !== undefined && losesRecords(lab, universe)) return [obscured('pages/partition')];
  if (more !== undefined) return [contradictOfCount(operation, more, shown.size)];
  const fewer = told.some(({ total }) => total < shown.size);
  if (fewer) return [obscured('pages/total')];
  return told.map(() => agrees(...(lab.hidden.length > 0 ? ['counted'] : [])));
}

function isUnfilteredOfCount(operation: VisibleList, { call }: Told['reply']): boolean {
  return Object.keys(call.values ?? {}).every((name) => !operation.collection.filters.has(name)) && call.raw === undefined;
}

function contradictOfCount(operation: VisibleList, { reply, total }: Told, shown: number): Finding {
  return contradicts({
    replies: [reply],
    expected: `${operation.id} says a total of ${shown}, the number of records that it shows, read whole before and after`,
    actual: `it says ${total}, ${countOf(total - shown, 'record')} more than anybody may see`,
    rival: { id: 'counted', title: 'hidden records were counted' },
  });
}

const single: Law = {
  id: 'visible/single',
  title: 'A hidden record shows nothing of itself, not even in the failure',
  why: 'Whoever guesses or overhears the name of a hidden record reads it.',
  strength: 'stated',
  clause: (operation, contract) => {
    const list = listFor(operation, contract);
    return isRecordRead(operation, contract) && list !== undefined && hidesRecords(list) ? collectionPlace(list, 'visible') : undefined;
  },
  examine: async (lab, operation) => {
    const list = listOf(lab, operation);
    const parameter = keyParameter(lab, operation as RecordRead);
    if (!hidesRecords(list) || parameter === undefined || lab.hidden.length === 0) return { untestable: hiddenKeyMissing };
    const universe = await lab.universe(list);
    const unknown = await lab.ask({ operation, values: unknownIdentity(operation) });
    const replies: Reply[] = [];
    for (const key of hiddenKeys(lab)) replies.push(await lab.ask({ operation, values: { [parameter]: key } }));
    const [first] = replies;
    const shown = replies.filter((reply) => isShown(lab, list, reply));
    if (first !== undefined && shown.length === replies.length)
      return {
        untestable: `${hiddenKeys(lab).join(' and ')} is not hidden: ${operation.id} shows it as ${list.collection.visible.shown.join(' or ')}`,
      };
    const fields = new Set(universe.records.slice(0, 20).flatMap((record) => [...memberNames(record)]));
    return {
      rivals: rivalsOfSingle,
      judge: () => replies.filter((reply) => !shown.includes(reply)).map((reply) => judgeReplyOfSingle(lab, list, reply, unknown, fields)),
    };
  },
};

const rivalsOfSingle: readonly Candidate[] = [
  { id: 'shown', title: 'a hidden record could be read by whoever knows its name', missing: hiddenKeyMissing },
  { id: 'told', title: 'the failure told what a hidden record contains', missing: hiddenKeyMissing },
];

/** The parameter that takes the key of the list. */
function keyParameter(lab: Lab, operation: RecordRead): string | undefined {
  const { key } = listOf(lab, operation).collection;
  return [...operation.resource.by].find(([, field]) => field === key)?.[0];
}

/** Whether the record says of itself that everybody may see it: then it is not hidden at all. */
function isShown(lab: Lab, list: VisibleList, reply: Reply): boolean {
  const record = locate(lab.contract, reply)?.record;
  return record !== undefined && !isHidden(list, record);
}

function judgeReplyOfSingle(lab: Lab, list: VisibleList, reply: Reply, unknown: Reply, fields: ReadonlySet<string>): Finding {
  const key = String(Object.values(reply.call.values ?? {})[0] ?? '');
  const { status } = reply.response;
  if (isSuccess(reply)) {
    const record = locate(lab.contract, reply)?.record;
    const records = record === undefined ? [] : [record];
    return {
      ...contradictOfSingle(
        reply,
        key,
        `it is answered with ${status}${record === undefined ? '' : ` and ${keyOf(list, record)}`}`,
        rivalsOfSingle[0],
      ),
      records,
    };
  }
  if (status >= 500) return obscured('response/no-server-error');
  const [own, usual] = [memberNames(reply.body), memberNames(unknown.body)];
  const told = [...own].filter((name) => fields.has(name) && !usual.has(name));
  if (told.length >= 2) return contradictOfSingle(reply, key, `the failure has ${told.join(', ')}`, rivalsOfSingle[1]);
  // What is said of an unknown name as well says nothing of this one, though it has the same words.
  const isUsual = speaksOf(unknown, key) || speaksOf(unknown, String(Object.values(unknown.call.values ?? {})[0] ?? ''));
  if (speaksOf(reply, key) && !isUsual)
    return contradictOfSingle(reply, key, 'the failure says its name in other words', rivalsOfSingle[1]);
  return agrees('shown', 'told');
}

/** Whether a failure has all words of a name although it does not just repeat the name. */
function speaksOf({ response }: Reply, key: string): boolean {
  const wanted = wordsOf(key).filter((word) => word.length > 2);
  const said = new Set(wordsOf(response.body.replaceAll(key, ' ').replaceAll(encodeText(key), ' ')));
  return wanted.length >= 2 && wanted.every((word) => said.has(word));
}

function contradictOfSingle(reply: Reply, key: string, actual: string, rival: Candidate | undefined): Contradiction {
  return contradicts({ replies: [reply], expected: `${reply.call.operation.id} shows nothing of ${key}, which is hidden`, actual, rival });
}

const search: Law = {
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
    return {
      rivals: rivalsOfSearch,
      judge: () => replies.map((reply) => judgeReplyOfSearch(lab, operation, universe, reply, isSearchable)),
    };
  },
};

const rivalsOfSearch: readonly Candidate[] = [
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

function judgeReplyOfSearch(lab: Lab, operation: VisibleList, universe: Universe, reply: Reply, isSearchable: boolean): Finding {
  const records = recordsIn(reply);
  if (!isPage(reply) || records === undefined) return obscured('response/status');
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
    each.call.operation.id === operation.id && isUnfilteredOfSearch(operation, each) ? totalIn(operation.collection.page, each) : undefined,
  );
  const isMore = said !== undefined && isWhole && said > records.length && !overall.includes(said);
  // A total of the whole list that moves meanwhile cannot be told from one that counts too much.
  if (isMore && !isQuiet(universe)) return moved(`records of ${operation.id} came or went while it was searched`);
  if (isMore)
    return {
      ...common,
      expected: `searching ${operation.id} for ${text} counts the ${records.length} that it finds`,
      actual: `it says a total of ${said}`,
      rival: { id: 'counted', title: 'searching counted hidden records' },
    };
  const isCounted = said !== undefined && isWhole && said === records.length;
  return agrees(...(isSearchable ? ['found', ...(isCounted ? ['counted'] : [])] : []));
}

function isUnfilteredOfSearch(operation: VisibleList, { call }: Reply): boolean {
  return Object.keys(call.values ?? {}).every((name) => !operation.collection.filters.has(name));
}

/** The rules, in the order in which a run looks at them. */
export const visible: readonly Law[] = [lists, count, single, search];
