/** Faults of incremental synchronisation: the filter by the instant of the last change. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import { parseInstant } from '../../core/instant.ts';
import type { Json } from '../../core/json.ts';
import { toPointer, valueAt } from '../../core/pointer.ts';
import type { Entry } from '../../core/query.ts';
import { type FaultDraft, type ListOperation, listsOf } from './fault.ts';
import { isStated, parameterPointer } from './place.ts';
import { put, type Selection, withArguments, without, withSelection } from './rival.ts';

/** Faults of the checkpoint of each list. */
export function syncFaults(contract: Contract): readonly FaultDraft[] {
  return listsOf(contract).flatMap((list) => {
    const { version, filters } = list.collection;
    return [...filters].flatMap(([name, filter]) =>
      filter.operator === 'from' && filter.field === version ? checkpointFaults(contract, list, { name, field: version }) : [],
    );
  });
}

/** The parameter that carries a checkpoint, and the field that it is compared with. */
interface Checkpoint {
  readonly name: string;
  readonly field: string;
}

function checkpointFaults(contract: Contract, list: ListOperation, checkpoint: Checkpoint): readonly FaultDraft[] {
  return [...comparisonFaults(list, checkpoint), ...selectionFaults(list, checkpoint), ...malformed(contract, list, checkpoint)];
}

/** Other comparisons: each is an edit of the filter. */
function comparisonFaults(list: ListOperation, { name, field }: Checkpoint): readonly FaultDraft[] {
  const filter = `${list.pointer}${toPointer(['x-collection', 'filters', name])}`;
  const draft = (kind: string, law: string, title: string, edit: Edit): FaultDraft => ({
    kind,
    place: `${list.id}.${name}`,
    law,
    title,
    edits: [edit],
  });
  const other = (value: Json): Edit => ({ op: 'replace', at: filter, value });
  return [
    draft(
      'checkpoint-exclusive',
      'sync/inclusive',
      `A record that changed at the very instant of ${name} is left out.`,
      other({ after: field }),
    ),
    draft('checkpoint-ignored', 'sync/sound', `${name} is ignored, and every record comes.`, { op: 'remove', at: filter }),
    draft('checkpoint-by-day', 'sync/within-day', `${name} counts to the day only.`, other({ from: field, as: 'date' })),
    draft(
      'checkpoint-as-text',
      'sync/offsets',
      `${name} is compared letter by letter, whatever its offset.`,
      other({ from: field, as: 'text' }),
    ),
  ];
}

/** Other selections of records. */
function selectionFaults(list: ListOperation, { name, field }: Checkpoint): readonly FaultDraft[] {
  const place = `${list.id}.${name}`;
  const select = (kind: string, law: string, title: string, selection: Selection): FaultDraft => ({
    kind,
    place,
    law,
    title,
    serve: (api) => withSelection(api, list.id, selection),
  });
  const instantOf = (record: Entry): bigint => parseInstant(String(valueAt(record, field))) ?? 0n;
  return [
    select(
      'checkpoint-ties-once',
      'sync/inclusive',
      `Of several records that changed at the instant of ${name} only one comes.`,
      (values, query, all) => {
        const asked = values.has(name) ? parseInstant(String(values.get(name))) : undefined;
        const tied = all.filter((record) => instantOf(record) === asked).slice(1);
        return (record) => query.matches(record, values) && !tied.includes(record);
      },
    ),
    select(
      'checkpoint-future-ignored',
      'sync/future',
      `A value of ${name} after the last change gives every record.`,
      (values, query, all) => {
        const own = new Map([[name, values.get(name) ?? null]]);
        const isFuture = values.has(name) && !all.some((record) => query.matches(record, own));
        return (record) => query.matches(record, isFuture ? without(values, name) : values);
      },
    ),
    select(
      'checkpoint-reach-limited',
      'sync/closure',
      `${name} reaches back a week at most, and older changes are lost.`,
      (values, query, all) => {
        const latest = all.map(instantOf).reduce((most, instant) => (instant > most ? instant : most), 0n);
        return (record) => query.matches(record, values) && !(values.has(name) && instantOf(record) < latest - weekInNanoseconds);
      },
    ),
    {
      kind: 'checkpoint-fraction-rounded',
      place,
      law: 'sync/fractions',
      title: `A value of ${name} with a fraction of a second is taken for the next whole minute.`,
      serve: (api) =>
        withArguments(api, list.id, (values) => {
          const text = String(values.get(name) ?? '');
          const instant = Date.parse(text);
          return /:\d\d\.\d+/.test(text) && !Number.isNaN(instant)
            ? put(values, name, new Date((Math.floor(instant / 60_000) + 1) * 60_000).toISOString())
            : values;
        }),
    },
  ];
}

const weekInNanoseconds = 7n * 86_400n * 1_000_000_000n;

function malformed(contract: Contract, list: ListOperation, { name }: Checkpoint): readonly FaultDraft[] {
  if (!isStated(contract, list, name, 'malformed')) return [];
  const draft = (kind: string, title: string, answer: string): FaultDraft => ({
    kind,
    place: `${list.id}.${name}`,
    law: 'sync/malformed',
    title,
    edits: [{ op: 'add', at: `${parameterPointer(list, name)}/x-invalid`, value: { malformed: answer } }],
  });
  return [
    draft('checkpoint-malformed-ignored', `A value of ${name} that is no instant is ignored, and every record comes.`, 'ignored'),
    draft('checkpoint-malformed-empty', `A value of ${name} that is no instant gives an empty list instead of a refusal.`, 'empty'),
  ];
}
