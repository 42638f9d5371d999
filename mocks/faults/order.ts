/** Faults of the order of lists, where the contract states one. */

import type { Contract } from '../../core/contract.ts';
import { isObject, type Json } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import { type FaultDraft, type ListOperation, listsOf } from './fault.ts';
import { isSettled } from './place.ts';
import { withPaging } from './rival.ts';

/** Faults of each stated order. A direction that is left open can be no fault. */
export function orderFaults(contract: Contract): readonly FaultDraft[] {
  return listsOf(contract)
    .filter((list) => isSettled(contract, list, '/x-collection/order'))
    .flatMap((list) => [...directionFaults(contract, list), ...sequenceFaults(list)]);
}

function directionFaults(contract: Contract, list: ListOperation): readonly FaultDraft[] {
  return list.collection.order.flatMap((key, index) => {
    const pointer = `/x-collection/order/${index}/direction`;
    const written = valueAt(contract.document.root, `${list.pointer}${pointer}`);
    if (isObject(written)) return [];
    const value: Json = key.direction === 'ascending' ? 'descending' : 'ascending';
    return [
      {
        kind: index === 0 ? 'order-reversed' : 'tie-order-reversed',
        place: `${list.id}${key.by.replaceAll('/', '.')}`,
        law: 'order/within',
        title: `${key.by} goes ${value} instead of ${key.direction}${index === 0 ? '' : ' where records tie'}.`,
        edits: [{ op: 'replace', at: `${list.pointer}${pointer}`, value }],
      },
    ];
  });
}

function sequenceFaults(list: ListOperation): readonly FaultDraft[] {
  const { key, order } = list.collection;
  const isByKey = order[0]?.by === key;
  return [
    ...(isByKey
      ? []
      : [
          {
            kind: 'order-by-key',
            place: list.id,
            law: 'order/within',
            title: `Records come in the order of ${key} alone.`,
            edits: [{ op: 'replace', at: `${list.pointer}/x-collection/order`, value: [{ by: key, direction: 'descending' }] }],
          } satisfies FaultDraft,
        ]),
    {
      kind: 'order-across-lost',
      place: list.id,
      law: 'order/across',
      title: 'The second page of a list comes after the third.',
      serve: (api) =>
        withPaging(api, list.id, (query, sorted, values, start, limit) => {
          // Within the list, the second and the third run of a page's length change places; each page by itself is still sorted.
          const visible = sorted.filter((record) => query.matches(record, values));
          const swapped = [
            ...visible.slice(0, limit),
            ...visible.slice(2 * limit, 3 * limit),
            ...visible.slice(limit, 2 * limit),
            ...visible.slice(3 * limit),
          ];
          const after = 'after' in start ? JSON.stringify(start.after) : undefined;
          const index = after === undefined ? 0 : swapped.findIndex((record) => JSON.stringify(query.position(record)) === after) + 1;
          return { records: swapped.slice(index, index + limit), more: swapped.length > index + limit };
        }),
    },
  ];
}
