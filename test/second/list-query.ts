/** Knows how the parameters of the business API's lists become a query. */

import { readCheckpoint, readDate } from './moments.ts';
import { declared, given, invalid, members, wholeNumber } from './parameters.ts';
import type { Asked } from './reply.ts';
import type { Setup } from './setup.ts';

/** The filters of a list; they travel inside cursors, so they are plain JSON. */
export interface Filters {
  readonly updatedAfter?: number;
  readonly updatedText?: string;
  readonly statuses?: readonly string[];
  readonly channels?: readonly string[];
  readonly dateFrom?: string;
  readonly dateTo?: string;
  /** A deviation: nothing can match. */
  readonly nothing?: boolean;
}

/** What one request of a list asks for. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filters: Filters;
}

/** Which filters a list has, and the values that they may take. */
export interface FilterNames {
  readonly statuses: readonly string[];
  readonly channels?: readonly string[];
  readonly dates?: boolean;
}

/** Reads the query of a list or refuses it. */
export function readListQuery(setup: Setup, asked: Asked, names: FilterNames): ListQuery {
  const dates = names.dates === true ? ['date_from', 'date_to'] : [];
  const channel = names.channels === undefined ? [] : ['channel'];
  declared(setup, asked, ['limit', 'cursor', 'updated_after', 'status', ...channel, ...dates]);
  const filters = {
    ...readUpdatedAfter(setup, asked),
    ...readStatuses(setup, asked, names.statuses),
    ...(names.channels === undefined ? {} : readChannels(setup, asked, names.channels)),
    ...(names.dates === true ? readDates(setup, asked) : {}),
  };
  return { limit: readLimit(setup, asked), cursor: given(setup, asked, 'cursor'), filters };
}

function readLimit(setup: Setup, asked: Asked): number {
  const usual = setup.faulty('default-twenty') ? 20 : 50;
  const text = given(setup, asked, 'limit');
  if (text === undefined) return usual;
  if (setup.faulty('limit-zero-default') && text === '0') return usual;
  const max = setup.faulty('limit-hundred-refused') ? 99 : setup.faulty('limit-clamped') ? Number.MAX_SAFE_INTEGER : 100;
  return Math.min(wholeNumber(setup, 'limit', text, { min: 1, max }) ?? usual, 100);
}

function readUpdatedAfter(setup: Setup, asked: Asked): Filters {
  const text = given(setup, asked, 'updated_after');
  const checkpoint = text === undefined ? undefined : readCheckpoint(setup, text);
  if (checkpoint === undefined) return {};
  const comparesText = setup.faulty('updated-after-as-text');
  return { updatedAfter: checkpoint.from, ...(comparesText ? { updatedText: checkpoint.text } : {}) };
}

function readStatuses(setup: Setup, asked: Asked, legal: readonly string[]): Filters {
  const text = given(setup, asked, 'status');
  if (text === undefined || setup.faulty('status-ignored')) return {};
  const strange = text.split(',').some((part) => !legal.includes(part.trim().toLowerCase()));
  if (strange && setup.faulty('unknown-status-ignored')) return {};
  if (strange && setup.faulty('unknown-status-empty')) return { nothing: true };
  const accepted = setup.faulty('no-show-refused') ? legal.filter((status) => status !== 'no_show') : legal;
  const read = members(setup, 'status', text, accepted);
  return read === undefined ? {} : { statuses: narrowed(setup, read) };
}

function narrowed(setup: Setup, statuses: readonly string[]): readonly string[] {
  if (setup.faulty('status-first-only')) return statuses.slice(0, 1);
  if (setup.faulty('status-last-only')) return statuses.slice(-1);
  const widened = setup.faulty('cancelled-with-rejected') && statuses.includes('cancelled') ? [...statuses, 'rejected'] : statuses;
  return canonical(setup, setup.faulty('no-show-never-found') ? widened.filter((status) => status !== 'no_show') : widened);
}

function readChannels(setup: Setup, asked: Asked, legal: readonly string[]): Filters {
  const text = given(setup, asked, 'channel');
  const read = text === undefined ? undefined : members(setup, 'channel', text, legal);
  return read === undefined || setup.faulty('channel-ignored') ? {} : { channels: canonical(setup, read) };
}

/** A reordered list is the same filter, unless this server compares what was written. */
function canonical(setup: Setup, read: readonly string[]): readonly string[] {
  return setup.choice('csv-order') === 'same' ? [...new Set(read)].sort() : read;
}

function readDates(setup: Setup, asked: Asked): Filters {
  const from = boundary(setup, asked, 'date_from');
  const to = boundary(setup, asked, 'date_to');
  if (from === undefined || to === undefined) {
    if (setup.faulty('date-alone-ignored')) return {};
    return { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }) };
  }
  if (from === to && setup.faulty('single-day-refused')) throw invalid(setup, 'date_to must be after date_from');
  if (from <= to || setup.faulty('inverted-accepted')) return { dateFrom: from, dateTo: to };
  if (setup.faulty('inverted-swapped')) return { dateFrom: to, dateTo: from };
  throw invalid(setup, 'date_to must not be before date_from');
}

function boundary(setup: Setup, asked: Asked, name: string): string | undefined {
  const text = given(setup, asked, name);
  return text === undefined ? undefined : readDate(setup, name, text);
}
