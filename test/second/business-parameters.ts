/** The query parameters of the business API: values are read or refused, strictly or loosely as the setup says. */

import { ApiError, type ReceivedRequest } from './http-messages.ts';
import { dateText, day, daysOf, isDay, microseconds, readInstant, second } from './instants.ts';
import type { Setup } from './server-setup.ts';

/** The refusal of a parameter. */
export function invalid(setup: Setup, message: string): ApiError {
  const status = setup.has('invalid-is-bad-request') ? 400 : 422;
  return new ApiError(status, setup.has('other-invalid-code') ? 'VALIDATION_ERROR' : 'INVALID_QUERY', message);
}

/** The value of a loose spelling, as the server reads it: the value meant, or none at all. Throws where the server refuses it. */
function looseValue<T>(setup: Setup, name: string, meant: T): T | undefined {
  const choice = setup.choice('loose-spelling');
  if (choice === 'refused') throw invalid(setup, `${name} is not spelled as documented`);
  return choice === 'accepted' ? meant : undefined;
}

/** The one value of a parameter; undefined when it was not given. */
export function given(setup: Setup, request: ReceivedRequest, name: string): string | undefined {
  const values = request.query.getAll(name);
  const choice = setup.choice('loose-spelling');
  if (values.length > 1 && choice === 'refused') throw invalid(setup, `${name} is given more than once`);
  const value = choice === 'ignored' ? values[0] : values.at(-1);
  if (value === '' && choice === 'refused') throw invalid(setup, `${name} is empty`);
  return value === '' ? undefined : value;
}

/** Refuses parameters that the path does not have, if this server minds them. */
export function declared(setup: Setup, request: ReceivedRequest, names: readonly string[]): void {
  if (setup.choice('undeclared') === 'ignored') return;
  const unknown = [...request.query.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalid(setup, `${unknown} is not a parameter of this path`);
}

/** A whole number between bounds; undefined when absent or, on a server that ignores them, sloppily spelled. */
export function wholeNumber(
  setup: Setup,
  name: string,
  text: string,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  const strict = /^-?(0|[1-9]\d*)$/.test(text) && text !== '-0';
  const loose = /^\s*[+-]?\d+(\.0+)?\s*$/.test(text);
  if (!strict && !loose) throw invalid(setup, `${name} must be a whole number`);
  const value = Number(text);
  if (value < bounds.min || value > bounds.max)
    throw invalid(setup, `${name} must be at least ${bounds.min}${bounds.max < Number.MAX_VALUE ? ` and at most ${bounds.max}` : ''}`);
  // An id that no double can hold is a question of its own; a lenient server looks for it and finds nothing.
  if (!strict || !Number.isSafeInteger(value)) return looseValue(setup, name, value);
  return value;
}

/** The members of a comma-separated list, in the order given; undefined when nothing filters. */
function members(setup: Setup, name: string, text: string, legal: readonly string[]): readonly string[] | undefined {
  const parts = text.split(',');
  const meant = parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== '');
  const unknown = meant.find((part) => !legal.includes(part));
  if (unknown !== undefined) throw invalid(setup, `${name} must be one or several of ${legal.join(', ')}`);
  const tidy = parts.filter((part) => legal.includes(part));
  if (tidy.length === parts.length) return parts;
  const read = looseValue(setup, name, meant) ?? tidy;
  return read.length === 0 ? undefined : read;
}

/** A date as YYYY-MM-DD. */
function readDate(setup: Setup, name: string, text: string): string | undefined {
  const strict = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const found = strict ?? /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ][\d:.+Zz-]*)?\s*$/.exec(text);
  const [year = 0, month = 0, date = 0] = found?.slice(1).map(Number) ?? [];
  const rolls = setup.has('impossible-date-accepted') && month >= 1 && month <= 12 && date >= 1 && date <= 31;
  if (found === null || !(isDay(year, month, date) || rolls))
    throw invalid(setup, `${name} must be a date of the calendar like 2024-02-29`);
  const read = dateText(daysOf(year, month, date));
  return strict === null ? looseValue(setup, name, read) : read;
}

/** A checkpoint: the first instant that matches, and its text for a server that compares texts. */
interface Checkpoint {
  readonly from: number;
  readonly text: string;
}

/** A checkpoint, as an instant. */
function readCheckpoint(setup: Setup, text: string): Checkpoint | undefined {
  const strict = readInstant(text);
  if (strict !== undefined) return { from: checkpointFrom(setup, strict), text };
  const tidy = tidied(text);
  const loose = tidy === undefined ? undefined : readInstant(tidy);
  if (loose === undefined || tidy === undefined) {
    if (setup.has('updated-after-any-text')) return undefined;
    throw invalid(setup, 'updated_after must be a date-time with its offset like 2024-02-29T12:00:00+01:00');
  }
  return looseValue(setup, 'updated_after', { from: checkpointFrom(setup, loose), text: tidy });
}

type Written = NonNullable<ReturnType<typeof readInstant>>;

function checkpointFrom(setup: Setup, moment: Written): number {
  const exact = microseconds(moment);
  if (setup.has('updated-after-offset-ignored')) return microseconds({ ...moment, offset: 0 });
  if (setup.has('updated-after-to-the-second')) return Math.floor(exact / second) * second;
  if (setup.has('updated-after-by-day')) return Math.floor(exact / day) * day;
  if (setup.has('updated-after-grace')) return exact - 3600 * second;
  if (setup.has('updated-after-fraction')) return microseconds({ ...moment, fraction: '' }) + Number(moment.fraction) * 1000;
  return exact;
}

/** The strict spelling of a loose one: a bare date, no offset, a space for the plus sign, small letters, an offset without its colon. */
function tidied(text: string): string | undefined {
  const found = /^\s*(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(?:([Zz])|([+ -]?)(\d{2}):?(\d{2}))?)?\s*$/.exec(text);
  if (found === null) return undefined;
  const [, date, clock = '00:00', seconds = ':00', , sign, hours, minutes] = found;
  const offset = hours === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`;
  return `${date}T${clock}${seconds}${offset}`;
}

/** The filters of a list; they travel inside cursors, so they are plain JSON. */
export interface Filters {
  readonly updatedAfter?: number;
  readonly updatedText?: string;
  readonly statuses?: readonly string[];
  readonly channels?: readonly string[];
  readonly dateFrom?: string;
  readonly dateTo?: string;
  /** Set by a defect: no record matches. */
  readonly nothing?: boolean;
}

/** The parameters of one request of a list. */
export interface BusinessQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filters: Filters;
}

/** The filters of a list, and the values that they may take. */
export interface FilterNames {
  readonly statuses: readonly string[];
  readonly channels?: readonly string[];
  readonly dates?: boolean;
}

/** Reads the query of a list or refuses it. */
export function readListQuery(setup: Setup, request: ReceivedRequest, names: FilterNames): BusinessQuery {
  const dates = names.dates === true ? ['date_from', 'date_to'] : [];
  const channel = names.channels === undefined ? [] : ['channel'];
  declared(setup, request, ['limit', 'cursor', 'updated_after', 'status', ...channel, ...dates]);
  const filters = {
    ...readUpdatedAfter(setup, request),
    ...readStatuses(setup, request, names.statuses),
    ...(names.channels === undefined ? {} : readChannels(setup, request, names.channels)),
    ...(names.dates === true ? readDates(setup, request) : {}),
  };
  return { limit: readLimit(setup, request), cursor: given(setup, request, 'cursor'), filters };
}

function readLimit(setup: Setup, request: ReceivedRequest): number {
  const usual = setup.has('default-twenty') ? 20 : 50;
  const text = given(setup, request, 'limit');
  if (text === undefined) return usual;
  if (setup.has('limit-zero-default') && text === '0') return usual;
  const max = setup.has('limit-hundred-refused') ? 99 : setup.has('limit-clamped') ? Number.MAX_SAFE_INTEGER : 100;
  return Math.min(wholeNumber(setup, 'limit', text, { min: 1, max }) ?? usual, 100);
}

function readUpdatedAfter(setup: Setup, request: ReceivedRequest): Filters {
  const text = given(setup, request, 'updated_after');
  const checkpoint = text === undefined ? undefined : readCheckpoint(setup, text);
  if (checkpoint === undefined) return {};
  const comparesText = setup.has('updated-after-as-text');
  return { updatedAfter: checkpoint.from, ...(comparesText ? { updatedText: checkpoint.text } : {}) };
}

function readStatuses(setup: Setup, request: ReceivedRequest, legal: readonly string[]): Filters {
  const text = given(setup, request, 'status');
  if (text === undefined || setup.has('status-ignored')) return {};
  const strange = text.split(',').some((part) => !legal.includes(part.trim().toLowerCase()));
  if (strange && setup.has('unknown-status-ignored')) return {};
  if (strange && setup.has('unknown-status-empty')) return { nothing: true };
  const accepted = setup.has('no-show-refused') ? legal.filter((status) => status !== 'no_show') : legal;
  const read = members(setup, 'status', text, accepted);
  return read === undefined ? {} : { statuses: narrowed(setup, read) };
}

function narrowed(setup: Setup, statuses: readonly string[]): readonly string[] {
  if (setup.has('status-first-only')) return statuses.slice(0, 1);
  if (setup.has('status-last-only')) return statuses.slice(-1);
  const widened = setup.has('cancelled-with-rejected') && statuses.includes('cancelled') ? [...statuses, 'rejected'] : statuses;
  return canonical(setup, setup.has('no-show-never-found') ? widened.filter((status) => status !== 'no_show') : widened);
}

function readChannels(setup: Setup, request: ReceivedRequest, legal: readonly string[]): Filters {
  const text = given(setup, request, 'channel');
  const read = text === undefined ? undefined : members(setup, 'channel', text, legal);
  return read === undefined || setup.has('channel-ignored') ? {} : { channels: canonical(setup, read) };
}

/** A reordered list is the same filter, unless this server compares what was written. */
function canonical(setup: Setup, read: readonly string[]): readonly string[] {
  return setup.choice('csv-order') === 'same' ? [...new Set(read)].sort() : read;
}

function readDates(setup: Setup, request: ReceivedRequest): Filters {
  const from = boundary(setup, request, 'date_from');
  const to = boundary(setup, request, 'date_to');
  if (from === undefined || to === undefined) {
    if (setup.has('date-alone-ignored')) return {};
    return { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }) };
  }
  if (from === to && setup.has('single-day-refused')) throw invalid(setup, 'date_to must be after date_from');
  if (from <= to || setup.has('inverted-accepted')) return { dateFrom: from, dateTo: to };
  if (setup.has('inverted-swapped')) return { dateFrom: to, dateTo: from };
  throw invalid(setup, 'date_to must not be before date_from');
}

function boundary(setup: Setup, request: ReceivedRequest, name: string): string | undefined {
  const text = given(setup, request, name);
  return text === undefined ? undefined : readDate(setup, name, text);
}
