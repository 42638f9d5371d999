/** Chooses filter values to send: observed values, listed values and checkpoints. Nothing here is random. */

import { type Json, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import { instantOf } from '../../../core/query/instants.ts';
import { isPredictable } from './open-places.ts';
import {
  checkpointOf,
  fieldOf,
  filterBy,
  matchingRecords,
  nonMatchingRecords,
  type ParameterValues,
  versionOf,
} from './record-keys-and-filters.ts';
import type { RoundContext } from './round-context.ts';
import type { Snapshot } from './snapshot.ts';

/** The filters of a list that the contract states in full, by parameter. */
export function predictableFilters(contract: Contract, operation: ListOperation): readonly string[] {
  const isRequired = (name: string): boolean => operation.parameters.some(({ key, required }) => key === name && required);
  // A required filter has one value in every request, so the list is known under that value only.
  return [...operation.collection.filters.keys()].filter((name) => !isRequired(name) && isPredictable(contract, operation, name));
}

/** The values of a filter's field that were observed, each once, in the order of the list. */
export function observedValues({ operation, records }: Snapshot, name: string): readonly Json[] {
  const field = fieldOf(operation, name);
  const parameter = operation.parameters.find(({ key }) => key === name);
  if (field === undefined || parameter === undefined) return [];
  const isAllowed = (value: Json): boolean => parameter.validate(filterBy(operation, name, value)[name] ?? null).length === 0;
  const values = records.flatMap((record) => valueAt(record, field) ?? []).filter((value) => isAllowed(value) || isAllowed(String(value)));
  return [...new Map(values.map((value) => [printJson(value), value])).values()];
}

/** The values that a filter parameter lists. */
export function listedValues(operation: ListOperation, parameter: string): readonly Json[] {
  return operation.parameters.find((each) => each.key === parameter)?.allowed ?? [];
}

/** Maximum number of values tried of one filter. They are evaluated on the snapshot, and few are sent. */
const maxValuesPerFilter = 60;

/** Requests with one filter each, with every observed value of it. */
export function singleFilterValues(context: RoundContext, snapshot: Snapshot): readonly ParameterValues[] {
  const { operation } = snapshot;
  return predictableFilters(context.contract, operation).flatMap((parameter) =>
    takeEvenly(observedValues(snapshot, parameter), maxValuesPerFilter).map((value) => filterBy(operation, parameter, value)),
  );
}

/** At most `most` elements of a list, evenly spread. */
export function takeEvenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return list.filter((_, index) => Math.floor((index * most) / list.length) !== Math.floor(((index - 1) * most) / list.length));
}

/** The stated filters of a list whose parameters list several values. */
export function enumFilters(contract: Contract, operation: ListOperation): readonly string[] {
  return predictableFilters(contract, operation).filter((name) => listedValues(operation, name).length > 1);
}

/** Adds the filter of the snapshot to filter values; `undefined` if the values select records outside the snapshot. */
export function withinBase({ operation, base, records }: Snapshot, values: ParameterValues): ParameterValues | undefined {
  for (const [name, value] of Object.entries(base)) {
    const requestedValue = values[name];
    if (requestedValue === undefined || requestedValue === value) continue;
    // A later checkpoint selects fewer records; any other value selects others.
    const selected = matchingRecords(operation, records, { [name]: requestedValue });
    const isInside = name === checkpointOf(operation) && nonMatchingRecords(operation, selected, { [name]: value }).length === 0;
    if (!isInside || selected.length === records.length) return undefined;
  }
  return { ...base, ...values };
}

/** The filter values inside the snapshot, with its filter. */
export function allWithinBase(snapshot: Snapshot, selections: readonly ParameterValues[]): readonly ParameterValues[] {
  return selections.map((values) => withinBase(snapshot, values)).filter((values) => values !== undefined);
}

/** Maximum number of times of change that become checkpoints. */
const maxCheckpoints = 80;

/** Times of change as checkpoints: those that several records share first (`tie`), all (`any`), in other UTC offsets, or half a second before. */
export function checkpointValues(snapshot: Snapshot, choice: 'tie' | 'any' | 'offset' | 'before'): readonly ParameterValues[] {
  const parameter = checkpointOf(snapshot.operation);
  if (parameter === undefined) return [];
  const moments = changeTimesOf(snapshot);
  const ties = moments.filter((moment, index) => moments.indexOf(moment) !== index);
  const chosenMoments =
    choice === 'tie' ? [...new Set([...ties, ...takeEvenly(moments, maxCheckpoints)])] : takeEvenly([...new Set(moments)], maxCheckpoints);
  const texts =
    choice === 'offset'
      ? chosenMoments.flatMap(otherOffsets)
      : choice === 'before'
        ? chosenMoments.filter((text) => hasNoEarlierNeighbour(text, moments)).flatMap(justBefore)
        : chosenMoments;
  return texts.map((text): ParameterValues => ({ [parameter]: text }));
}

function changeTimesOf({ operation, records }: Snapshot): readonly string[] {
  const values = records.map((record) => versionOf(operation, record));
  return values.filter((value): value is string => instantOf(value) !== undefined);
}

/** Servers may store a time more precisely than they show it. A checkpoint half a second earlier is safe if no record changed in this interval before. */
const precisionGap = 61_000_000_000n;

function hasNoEarlierNeighbour(text: string, moments: readonly string[]): boolean {
  const instant = instantOf(text) ?? 0n;
  return !moments.some((each) => {
    const other = instantOf(each) ?? 0n;
    return other < instant && other > instant - precisionGap;
  });
}

/** Half a second before a time, in UTC, with six and with three digits of fraction. */
function justBefore(text: string): readonly string[] {
  const instant = instantOf(text);
  if (instant === undefined) return [];
  const milliseconds = new Date(Number(instant / 1_000_000n) - 500).toISOString();
  return [milliseconds.replace('Z', '000Z'), milliseconds];
}

/** An instant in other UTC offsets. Fractions of a second stay as they are. */
function otherOffsets(text: string): readonly string[] {
  const instant = instantOf(text);
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  if (instant === undefined) return [];
  const seconds = Number(instant / 1_000_000_000n);
  return offsets.map(([minutes, offset]) => `${new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19)}${fraction}${offset}`);
}

/** UTC offsets in minutes and as written. */
const offsets = [
  [0, 'Z'],
  [330, '+05:30'],
  [-300, '-05:00'],
] as const;
