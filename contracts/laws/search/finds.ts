/** The law that something can be found by searching. */

import { placeBelow } from '../../../core/document.ts';
import { createMask } from '../../../core/personal.ts';
import { personal } from '../../../core/personal-text.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { locate } from '../../place.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { callForRecord, spread } from '../../sample.ts';
import { searchCall, searchParameter, searchWords, textsOf } from '../../text-search.ts';
import { isList, keyOf, type ListOperation } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

/** The law. */
export const finds: Law = {
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
      for (const text of await textsFor(lab, operation, record, whole)) {
        const reply = await lab.ask(searchCall(lab, operation, text));
        tried.push({ record, text, reply });
        if (isFound(reply)) break;
      }
      if (tried.some((trial) => isFound(trial.reply))) break;
    }
    return { rivals, judge: () => judge(lab, operation, tried) };
  },
};

const rivals: readonly Candidate[] = [
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
async function textsFor(lab: Lab, operation: ListOperation, record: Entry, whole: ReadonlySet<string>): Promise<readonly string[]> {
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
  if (tried.some(({ reply }) => isFound(reply))) return [{ kind: 'agrees', refutes: ['finds-nothing'] }];
  const [first] = tried;
  if (first === undefined) return [];
  if (!tried.every(({ reply }) => isSuccess(reply))) return [{ kind: 'obscured', by: 'filters/no-match' }];
  const last = tried.at(-1) ?? first;
  const keys = [...new Set(tried.map(({ record }) => keyOf(operation, record)))];
  const sightings = lab.sightings(operation);
  const stable = keys.filter((key) => sightings.stable(key, first.reply.startedMs, last.reply.endedMs) !== undefined);
  if (stable.length === 0) return [{ kind: 'moved', what: `${describeRecords(operation, keys)} did not stay as it was` }];
  return [
    {
      kind: 'contradicts',
      replies: tried.map(({ reply }) => reply).slice(0, 3),
      expected: `searching ${operation.id} for one of ${tried.map(({ text }) => text).join(', ')}, words of ${describeRecords(operation, stable)}, finds something`,
      actual: 'none of them finds anything',
      records: tried.slice(0, 1).map(({ record }) => record),
      rival: { id: 'finds-nothing', title: 'searching found nothing whatever the word' },
      witnesses: stable,
    },
  ];
}
