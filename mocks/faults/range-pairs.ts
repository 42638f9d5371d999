/** Faults of ranges of which both bounds are given. */

import type { Edit } from '../../core/edit.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Arguments } from '../../core/query.ts';
import type { FaultDraft, ListOperation } from './fault.ts';
import { at, bodyOf, failure, queryValue } from './request-edit.ts';
import { put, withArguments, without, withSelection } from './rival.ts';

/** One bound of a range. */
export interface Bound {
  readonly name: string;
  readonly field: string;
  readonly isLower: boolean;
}

/** What goes wrong when the two bounds of a range meet: in the wrong order, on the same day, around nothing. */
export function pairFaults(list: ListOperation, bounds: readonly Bound[]): readonly FaultDraft[] {
  const lower = bounds.find((bound) => bound.isLower);
  const upper = bounds.find((bound) => !bound.isLower && bound.field === lower?.field);
  if (lower === undefined || upper === undefined) return [];
  const pair: Pair = { list, lower: lower.name, upper: upper.name, place: `${list.id}.${lower.name}` };
  return [...invertedFaults(pair), ...singleDayFaults(pair), ...emptyFaults(pair)];
}

interface Pair {
  readonly list: ListOperation;
  readonly lower: string;
  readonly upper: string;
  readonly place: string;
}

/** Only where a rule orders the two. */
function invertedFaults({ list, lower, upper, place }: Pair): readonly FaultDraft[] {
  const index = list.rules.findIndex(({ rule, parameters }) => rule === 'ordered' && parameters.includes(lower));
  if (index < 0) return [];
  const edits: readonly Edit[] = [{ op: 'remove', at: `${list.pointer}/x-parameter-rules/${index}` }];
  const isInverted = (values: Arguments): boolean => values.has(upper) && String(values.get(lower) ?? '') > String(values.get(upper));
  const swap = (values: Arguments): Arguments => put(put(values, lower, values.get(upper) ?? null), upper, values.get(lower) ?? null);
  const common = { place, law: 'ranges/inverted', edits };
  return [
    { ...common, kind: 'inverted-range-empty', title: `${lower} and ${upper} in the wrong order give an empty list instead of a refusal.` },
    {
      ...common,
      kind: 'inverted-range-swapped',
      title: `${lower} and ${upper} in the wrong order are swapped instead of refused.`,
      serve: (api) => withArguments(api, list.id, (values) => (isInverted(values) ? swap(values) : values)),
    },
  ];
}

function singleDayFaults({ list, lower, upper, place }: Pair): readonly FaultDraft[] {
  const common = { place, law: 'ranges/single-day' };
  const isSame = (values: Arguments): boolean => values.has(lower) && values.get(lower) === values.get(upper);
  const invalid = list.responses.has('422') ? 422 : 400;
  return [
    {
      ...common,
      kind: 'single-day-refused',
      title: `${lower} and ${upper} must not be equal.`,
      around: (api) =>
        at(api, list.id, async (request, next) => {
          const response = await next(request);
          const day = queryValue(request, lower);
          const isRefused = response.status === 200 && day !== undefined && day === queryValue(request, upper);
          return isRefused ? failure(api, request, invalid, `${lower} and ${upper} must differ.`) : response;
        }),
    },
    {
      ...common,
      kind: 'single-day-empty',
      title: 'A range of one day is always empty.',
      serve: (api) => withSelection(api, list.id, (values, query) => (record) => !isSame(values) && query.matches(record, values)),
    },
  ];
}

function emptyFaults({ list, lower, upper, place }: Pair): readonly FaultDraft[] {
  return [
    {
      kind: 'empty-range-absent',
      place,
      law: 'ranges/empty',
      title: 'A range in which nothing lies is 404.',
      around: (api) =>
        at(api, list.id, async (request, next) => {
          const response = await next(request);
          const items = valueAt(bodyOf(response), list.collection.items);
          const isAsked = queryValue(request, lower) !== undefined || queryValue(request, upper) !== undefined;
          return isAsked && Array.isArray(items) && items.length === 0 ? failure(api, request, 404, 'Nothing was found.') : response;
        }),
    },
    {
      kind: 'empty-range-widened',
      place,
      law: 'ranges/empty',
      title: 'A range in which nothing lies gives every record.',
      serve: (api) =>
        withSelection(api, list.id, (values, query, all) => {
          const range = new Map([...values].filter(([name]) => name === lower || name === upper));
          const isEmpty = range.size === 2 && !all.some((record) => query.matches(record, range));
          const counted = isEmpty ? without(without(values, lower), upper) : values;
          return (record) => query.matches(record, counted);
        }),
    },
  ];
}
