/** Faults of searching by text. How exactly texts match may be open; that matching means something is not. */

import type { Contract } from '../../core/contract.ts';
import { toPointer } from '../../core/pointer.ts';
import { type FaultDraft, type ListOperation, listsOf } from './fault.ts';
import { withArguments, without, withSelection } from './rival.ts';

/** Faults of each search. */
export function searchFaults(contract: Contract): readonly FaultDraft[] {
  return listsOf(contract).flatMap((list) =>
    [...list.collection.filters].flatMap(([name, filter]) => (filter.operator === 'matches' ? searchOf(list, name, filter.fields) : [])),
  );
}

function searchOf(list: ListOperation, name: string, fields: readonly string[]): readonly FaultDraft[] {
  const place = `${list.id}.${name}`;
  const filter = `${list.pointer}${toPointer(['x-collection', 'filters', name])}`;
  const [field = list.collection.key] = fields;
  return [
    {
      kind: 'search-ignored',
      place,
      law: 'search/narrows',
      title: `${name} is ignored, and every record comes.`,
      edits: [{ op: 'remove', at: filter }],
    },
    {
      kind: 'search-falls-back',
      place,
      law: 'search/narrows',
      title: `A ${name} that nothing matches gives every record.`,
      serve: (api) =>
        withSelection(api, list.id, (values, query, all) => {
          const isHopeless =
            values.has(name) &&
            !all.some((record) => query.isVisible(record) && query.matches(record, new Map([[name, values.get(name) ?? null]])));
          const counted = isHopeless ? without(values, name) : values;
          return (record) => query.matches(record, counted);
        }),
    },
    {
      kind: 'search-one-letter',
      place,
      law: 'search/narrows',
      title: `Only the first letter of ${name} counts.`,
      serve: (api) =>
        withArguments(api, list.id, (values) =>
          values.has(name) ? new Map(values).set(name, String(values.get(name)).slice(0, 1)) : values,
        ),
    },
    {
      kind: 'search-finds-nothing',
      place,
      law: 'search/finds',
      title: `${name} never finds anything.`,
      serve: (api) => withSelection(api, list.id, (values, query) => (record) => !values.has(name) && query.matches(record, values)),
    },
    {
      kind: 'search-whole-text-only',
      place,
      law: 'search/finds',
      title: `${name} finds a record only when it is the whole of ${field}.`,
      edits: [{ op: 'replace', at: filter, value: { equals: field, as: 'text' } }],
    },
  ];
}
