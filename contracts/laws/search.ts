/** Rules about searching in text. */

import { placeBelow } from '../../core/document.ts';
import { createMask } from '../../core/personal.ts';
import { personal } from '../../core/personal-text.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Entry } from '../../core/query.ts';
import type { Lab } from '../lab.ts';
import { agrees, type Candidate, contradicts, type Finding, type Law, moved, obscured } from '../law.ts';
import { filterPlace } from '../list-clause.ts';
import { locate } from '../place.ts';
import { isSuccess, type Reply, recordsIn } from '../reply.ts';
import { callForRecord, spread } from '../sample.ts';
import { meaninglessTexts, searchCall, searchParameter, searchWords, textsOf } from '../text-search.ts';
import type { Universe } from '../universe.ts';
import { isList, keyOf, type ListOperation } from '../walk.ts';
import { describeRecords } from '../words.ts';

const narrows: Law = {
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
    for (const text of textsForOfNarrows(lab, universe)) replies.push(await lab.ask(searchCall(lab, operation, text)));
    return { rivals: rivalsOfNarrows, judge: () => replies.flatMap((reply) => judgeReply(universe, reply)) };
  },
};

const rivalsOfNarrows: readonly Candidate[] = [
  { id: 'everything', title: 'what nothing matches gave every record', missing: 'a list with at least three records' },
];

/** One of them has a quote, which careless searches trip over; what they answer then is judged by the laws about answers. */
function textsForOfNarrows(lab: Lab, universe: Universe): readonly string[] {
  const texts = meaninglessTexts(lab, universe);
  return [...texts, ...(lab.quick ? [] : texts.slice(-1).map((text) => `${text}'s`))];
}

/** Everything, or the page that the list begins with. */
function judgeReply(universe: Universe, reply: Reply): readonly Finding[] {
  const { operation, walk } = universe;
  const records = recordsIn(reply);
  const first = walk.pages[0] ?? [];
  if (!isSuccess(reply) || records === undefined) return [obscured('filters/no-match')];
  if (first.length < 3) return [];
  const listed = new Set(first.map((record) => keyOf(operation, record)));
  const found = new Set(records.map((record) => keyOf(operation, record)));
  const isEverything = found.size >= listed.size && [...listed].every((key) => found.has(key));
  if (!isEverything) return [agrees('everything')];
  const text = String(reply.call.values?.[searchParameter(operation) ?? ''] ?? '');
  return [
    contradicts({
      replies: [...walk.replies.slice(0, 1), reply],
      expected: `searching ${operation.id} for ${text} does not give every record`,
      actual: `it gives ${records.length}, the same as without searching`,
      rival: { id: 'everything', title: 'what nothing matches gave every record' },
    }),
  ];
}

const finds: Law = {
  id: 'search/finds',
  title: 'Some word of a record finds something',
  why: 'A search that never finds anything looks like a list in which nothing is to be found.',
  strength: 'stated',
  clause: (operation) => {
    const parameter = searchParameter(operation);
    return parameter === undefined ? undefined : placeBelow(operation.document, operation.value, ['x-collection', 'filters', parameter]);
  },
  examine: async (lab, operation) => {
    if (!isList(operation)) throw new TypeError(`${operation.id} is no list`);
    const universe = await lab.universe(operation);
    const whole = new Set(universe.records.flatMap((record) => textsOf(record).map(fold)));
    const tried: Trial[] = [];
    for (const record of spread(universe, lab.quick ? 1 : 2)) {
      for (const text of await textsForOfFinds(lab, operation, record, whole)) {
        const reply = await lab.ask(searchCall(lab, operation, text));
        tried.push({ record, text, reply });
        if (isFound(reply)) break;
      }
      if (tried.some((trial) => isFound(trial.reply))) break;
    }
    return { rivals: rivalsOfFinds, judge: () => judge(lab, operation, tried) };
  },
};

const rivalsOfFinds: readonly Candidate[] = [
  {
    id: 'finds-nothing',
    title: 'searching found nothing whatever the text',
    missing: 'a record with words, that stays as it is while they are searched for',
  },
];

interface Trial {
  readonly record: Entry;
  readonly text: string;
  readonly reply: Reply;
}

function isFound(reply: Reply): boolean {
  return isSuccess(reply) && (recordsIn(reply)?.length ?? 0) > 0;
}

function fold(text: string): string {
  return text.toLowerCase();
}

/** How many words of one record are tried before it is given up. */
const words = 5;

/** Words of what the list shows of a record, of its key, and of what is only read alone; none that is the whole of a text, and none of people's data. */
async function textsForOfFinds(lab: Lab, operation: ListOperation, record: Entry, whole: ReadonlySet<string>): Promise<readonly string[]> {
  const { maskRecord } = createMask(lab.contract);
  const shown = textsOf(maskRecord(operation, record))
    .slice(0, 2)
    .flatMap((text) => searchWords(text).slice(0, 2));
  const named = searchWords(String(valueAt(record, operation.collection.key) ?? '')).slice(0, 1);
  const read = lab.contract.operations.find((each) => each.resource?.name === operation.collection.name && each.resource.by.size > 0);
  const call = read === undefined ? undefined : callForRecord(read, record);
  const detail = call === undefined ? undefined : locate(lab.contract, await lab.ask(call))?.record;
  const more =
    detail === undefined
      ? []
      : textsOf(detail)
          .slice(0, 1)
          .flatMap((text) => searchWords(text).slice(0, 2));
  return [...new Set([...shown, ...more, ...named])].filter((text) => !whole.has(fold(text)) && !personal.includes(text)).slice(0, words);
}

function judge(lab: Lab, operation: ListOperation, tried: readonly Trial[]): readonly Finding[] {
  if (tried.some(({ reply }) => isFound(reply))) return [agrees('finds-nothing')];
  const [first] = tried;
  if (first === undefined) return [];
  if (!tried.every(({ reply }) => isSuccess(reply))) return [obscured('filters/no-match')];
  const last = tried.at(-1) ?? first;
  const keys = [...new Set(tried.map(({ record }) => keyOf(operation, record)))];
  const sightings = lab.sightings(operation);
  const stable = keys.filter((key) => sightings.stable(key, first.reply.startedMs, last.reply.endedMs) !== undefined);
  if (stable.length === 0) return [moved(`${describeRecords(operation, keys)} did not stay as it was`)];
  return [
    contradicts({
      replies: tried.map(({ reply }) => reply).slice(0, 3),
      expected: `searching ${operation.id} for one of ${tried.map(({ text }) => text).join(', ')}, words of ${describeRecords(operation, stable)}, finds something`,
      actual: 'none of them finds anything',
      records: tried.slice(0, 1).map(({ record }) => record),
      rival: { id: 'finds-nothing', title: 'searching found nothing whatever the word' },
      witnesses: stable,
    }),
  ];
}

/** The rules, in the order in which a run looks at them. */
export const search: readonly Law[] = [narrows, finds];
