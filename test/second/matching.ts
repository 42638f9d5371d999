/** Knows which records a list's filters let through, with the deviations that a comparison can have. */

import { atLocal, dateText, day, zoneOffset } from './instant.ts';
import type { ListKind } from './list-kind.ts';
import type { Filters } from './list-query.ts';
import type { Row } from './record.ts';
import type { Setup } from './setup.ts';
import { shownInstant } from './spelling.ts';

/** The predicate of a set of filters. */
export function matcher<R extends Row>(setup: Setup, kind: ListKind<R>, asked: Filters): (row: R) => boolean {
  const filters = narrowedBySeveral(setup, asked);
  if (filters.nothing === true) return () => false;
  const status = statusTest<R>(setup, filters);
  const others = [changeTest<R>(setup, filters), channelTest(kind, filters), dayTest(setup, kind, filters)].filter(
    (test) => test !== undefined,
  );
  if (setup.faulty('either-filter') && status !== undefined && others.length > 0) {
    return (row) => status(row) || others.every((test) => test(row));
  }
  return (row) => (status === undefined || status(row)) && others.every((test) => test(row));
}

type Test<R> = ((row: R) => boolean) | undefined;

function narrowedBySeveral(setup: Setup, filters: Filters): Filters {
  const { statuses, updatedAfter, channels, dateFrom, ...rest } = filters;
  const both = statuses !== undefined && updatedAfter !== undefined;
  const forgetsStatus = both && setup.faulty('status-not-with-checkpoint');
  const forgetsThird = both && setup.faulty('second-filter-with-two');
  return {
    ...rest,
    ...(statuses === undefined || forgetsStatus ? {} : { statuses }),
    ...(updatedAfter === undefined ? {} : { updatedAfter }),
    ...(channels === undefined || forgetsThird ? {} : { channels }),
    ...(dateFrom === undefined || forgetsThird ? {} : { dateFrom }),
  };
}

function statusTest<R extends Row>(setup: Setup, { statuses }: Filters): Test<R> {
  if (statuses === undefined) return undefined;
  if (setup.faulty('status-leaves-out')) return (row) => statuses.includes(row.status) && row.rank % 2 === 0;
  return (row) => statuses.includes(row.status);
}

function changeTest<R extends Row>(setup: Setup, { updatedAfter: from, updatedText }: Filters): Test<R> {
  if (from === undefined) return undefined;
  if (updatedText !== undefined) return (row) => shownInstant(setup, row.changed, row.id) >= updatedText;
  if (setup.faulty('updated-after-exclusive')) return (row) => row.changed > from;
  if (setup.faulty('updated-after-some-ties')) return (row) => row.changed > from || (row.changed === from && row.rank % 2 === 0);
  if (setup.faulty('updated-after-no-cancelled')) return (row) => row.changed >= from && row.status !== 'cancelled';
  return (row) => row.changed >= from;
}

function channelTest<R extends Row>(kind: ListKind<R>, { channels }: Filters): Test<R> {
  return channels === undefined ? undefined : (row) => channels.includes(kind.channel(row) ?? '');
}

function dayTest<R extends Row>(setup: Setup, kind: ListKind<R>, { dateFrom, dateTo }: Filters): Test<R> {
  if (dateFrom === undefined && dateTo === undefined) return undefined;
  const shown = comparedDay(setup, kind);
  const afterFrom = setup.faulty('date-from-exclusive')
    ? (date: string) => date > (dateFrom ?? '')
    : (date: string) => date >= (dateFrom ?? '');
  const beforeTo = setup.faulty('date-to-exclusive') ? (date: string) => date < (dateTo ?? '') : (date: string) => date <= (dateTo ?? '');
  return (row) => {
    const date = shown(row);
    return (dateFrom === undefined || afterFrom(date)) && (dateTo === undefined || beforeTo(date));
  };
}

function comparedDay<R extends Row>(setup: Setup, kind: ListKind<R>): (row: R) => string {
  const zone = setup.choice('zone');
  if (setup.faulty('dates-by-change'))
    return (row) => dateText(Math.floor((row.changed + zoneOffset(zone, row.changed) * 60_000_000) / day));
  if (setup.faulty('dates-in-utc')) {
    return (row) => {
      const { date, time } = kind.day(row) ?? { date: '1970-01-01', time: '00:00' };
      return dateText(Math.floor(atLocal(zone, date, time) / day));
    };
  }
  return (row) => kind.day(row)?.date ?? '';
}
