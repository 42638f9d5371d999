/** What a server gives that takes the days of a range in UTC, though they are days of a time zone. */

import type { Arguments, Entry } from '../core/query.ts';
import type { Filter } from '../core/rules.ts';
import { utcDayOf } from './local-day.ts';
import type { ListOperation } from './walk.ts';

/** Whether it would give a record, when it takes these parameters, which bound this field, in UTC. */
export function acceptsInUtc(
  { collection }: ListOperation,
  parameters: readonly string[],
  field: string,
  record: Entry,
  values: Arguments,
): boolean {
  const day = utcDayOf(record, field);
  if (day === undefined) return collection.query.matches(record, values);
  const others = new Map([...values].filter(([name]) => !parameters.includes(name)));
  const isInside = parameters.every((name) => {
    const [bound, filter] = [values.get(name), collection.filters.get(name)];
    return typeof bound !== 'string' || filter === undefined || filter.operator === 'matches' || compareDays(filter.operator, day, bound);
  });
  return isInside && collection.query.matches(record, others);
}

function compareDays(operator: Filter['operator'], day: string, bound: string): boolean {
  if (operator === 'from') return day >= bound;
  if (operator === 'to') return day <= bound;
  return operator === 'after' ? day > bound : day < bound;
}
