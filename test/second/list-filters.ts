/** The filters and the order of the two lists of the business API. */

import { shownInstant } from './business-json.ts';
import type { FilterNames, Filters } from './business-parameters.ts';
import { type BusinessRow, channels, type OrderRow, orderStatuses, type ReservationRow, reservationStatuses } from './business-records.ts';
import { atLocal, dateText, day, zoneOffset } from './instants.ts';
import type { Setup } from './server-setup.ts';

/** The values that a record is sorted by. */
export type SortKey = readonly (number | string)[];

/** An order: what is compared, and for each part whether it ascends. */
export interface Ordering<R> {
  readonly key: (row: R) => SortKey;
  readonly ascending: readonly boolean[];
}

/** One of the two lists. */
export interface ListKind<R extends BusinessRow> {
  readonly name: 'orders' | 'reservations';
  readonly filters: FilterNames;
  readonly channel: (row: R) => string | undefined;
  readonly day: (row: R) => { readonly date: string; readonly time: string } | undefined;
  readonly order: (setup: Setup) => Ordering<R>;
}

/** The list of orders, whose order is an open question. */
export const ordersKind: ListKind<OrderRow> = {
  name: 'orders',
  filters: { statuses: orderStatuses, channels },
  channel: (row) => row.channel,
  day: () => undefined,
  order: (setup) => {
    switch (setup.choice('orders-order')) {
      case 'changed-asc':
        return { key: (row) => [row.changed, row.id], ascending: [true, true] };
      case 'id-asc':
        return { key: (row) => [row.id], ascending: [true] };
      case 'id-desc':
        return { key: (row) => [row.id], ascending: [false] };
      case 'code':
        return { key: (row) => [row.code, row.id], ascending: [true, true] };
      case 'scrambled':
        return { key: (row) => [row.rank, row.id], ascending: [true, true] };
      default:
        return { key: (row) => [row.changed, row.id], ascending: [false, false] };
    }
  },
};

/** The list of reservations: by last change, whichever direction that has, then by descending id. */
export const reservationsKind: ListKind<ReservationRow> = {
  name: 'reservations',
  filters: { statuses: reservationStatuses, dates: true },
  channel: () => undefined,
  day: (row) => row,
  order: (setup) => {
    if (setup.has('order-by-id')) return { key: (row) => [row.id], ascending: [false] };
    const ascending = setup.choice('reservations-direction') === 'asc';
    return { key: (row) => [row.changed, row.id], ascending: [ascending, setup.has('tie-order-ascending')] };
  },
};

/** Compares two sort keys part by part; a shorter key equals every longer one that begins with it. */
export function compareKeys(left: SortKey, right: SortKey, ascending: readonly boolean[]): number {
  for (const [index, up] of ascending.entries()) {
    const one = left[index];
    const other = right[index];
    if (one === undefined || other === undefined) return 0;
    if (one !== other) return one < other === up ? -1 : 1;
  }
  return 0;
}

/** The predicate of a set of filters. */
export function matcher<R extends BusinessRow>(setup: Setup, kind: ListKind<R>, wanted: Filters): (row: R) => boolean {
  const filters = narrowedBySeveral(setup, wanted);
  if (filters.nothing === true) return () => false;
  const status = statusTest<R>(setup, filters);
  const others = [changeTest<R>(setup, filters), channelTest(kind, filters), dayTest(setup, kind, filters)].filter(
    (test) => test !== undefined,
  );
  if (setup.has('either-filter') && status !== undefined && others.length > 0) {
    return (row) => status(row) || others.every((test) => test(row));
  }
  return (row) => (status === undefined || status(row)) && others.every((test) => test(row));
}

type Test<R> = ((row: R) => boolean) | undefined;

function narrowedBySeveral(setup: Setup, filters: Filters): Filters {
  const { statuses, updatedAfter, channels, dateFrom, ...rest } = filters;
  const both = statuses !== undefined && updatedAfter !== undefined;
  const forgetsStatus = both && setup.has('status-not-with-checkpoint');
  const forgetsThird = both && setup.has('second-filter-with-two');
  return {
    ...rest,
    ...(statuses === undefined || forgetsStatus ? {} : { statuses }),
    ...(updatedAfter === undefined ? {} : { updatedAfter }),
    ...(channels === undefined || forgetsThird ? {} : { channels }),
    ...(dateFrom === undefined || forgetsThird ? {} : { dateFrom }),
  };
}

function statusTest<R extends BusinessRow>(setup: Setup, { statuses }: Filters): Test<R> {
  if (statuses === undefined) return undefined;
  if (setup.has('status-leaves-out')) return (row) => statuses.includes(row.status) && row.rank % 2 === 0;
  return (row) => statuses.includes(row.status);
}

function changeTest<R extends BusinessRow>(setup: Setup, { updatedAfter: from, updatedText }: Filters): Test<R> {
  if (from === undefined) return undefined;
  if (updatedText !== undefined) return (row) => shownInstant(setup, row.changed, row.id) >= updatedText;
  if (setup.has('updated-after-exclusive')) return (row) => row.changed > from;
  if (setup.has('updated-after-some-ties')) return (row) => row.changed > from || (row.changed === from && row.rank % 2 === 0);
  if (setup.has('updated-after-no-cancelled')) return (row) => row.changed >= from && row.status !== 'cancelled';
  return (row) => row.changed >= from;
}

function channelTest<R extends BusinessRow>(kind: ListKind<R>, { channels }: Filters): Test<R> {
  return channels === undefined ? undefined : (row) => channels.includes(kind.channel(row) ?? '');
}

function dayTest<R extends BusinessRow>(setup: Setup, kind: ListKind<R>, { dateFrom, dateTo }: Filters): Test<R> {
  if (dateFrom === undefined && dateTo === undefined) return undefined;
  const shown = comparedDay(setup, kind);
  const afterFrom = setup.has('date-from-exclusive')
    ? (date: string) => date > (dateFrom ?? '')
    : (date: string) => date >= (dateFrom ?? '');
  const beforeTo = setup.has('date-to-exclusive') ? (date: string) => date < (dateTo ?? '') : (date: string) => date <= (dateTo ?? '');
  return (row) => {
    const date = shown(row);
    return (dateFrom === undefined || afterFrom(date)) && (dateTo === undefined || beforeTo(date));
  };
}

function comparedDay<R extends BusinessRow>(setup: Setup, kind: ListKind<R>): (row: R) => string {
  const zone = setup.choice('zone');
  if (setup.has('dates-by-change')) return (row) => dateText(Math.floor((row.changed + zoneOffset(zone, row.changed) * 60_000_000) / day));
  if (setup.has('dates-in-utc')) {
    return (row) => {
      const { date, time } = kind.day(row) ?? { date: '1970-01-01', time: '00:00' };
      return dateText(Math.floor(atLocal(zone, date, time) / day));
    };
  }
  return (row) => kind.day(row)?.date ?? '';
}
