/** The members that the till relies on: those that the documentation promises, without the values that it leaves open. */

import { MatchersV3 } from '@pact-foundation/pact';
import { type Expected, injected } from '../interaction.ts';

const { eachLike, equal, integer, like, number, regex, string } = MatchersV3;

/** Members, each an example with its matcher, or more members. */
export type Promised = Readonly<Record<string, unknown>>;

/** The key that the till sends in its tests; a verifier sends a real one. */
export const testKey = 'your-key';

/** The header that carries the key. */
export const keyed: Readonly<Record<string, Expected>> = { 'X-SERVICE-API-Key': like(testKey) };

const instant = '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$';
const tag = '^(W/)?"[^"]*"$';

/** The states of an order. */
export const orderStates = ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'] as const;

/** The states of a reservation. */
export const reservationStates = ['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'] as const;

/** One of some values. */
export function oneOf(values: readonly string[], example: string): ReturnType<typeof MatchersV3.regex> {
  return regex(`^(${values.join('|')})$`, example);
}

/** The headers of a reading that can be repeated under a condition. */
export const withTag: Readonly<Record<string, Expected>> = { ETag: regex(tag, '"5b0e1f"') };

/** An ETag of the test; a verifier replaces it by the one that the service gave. */
export const givenTag: Expected = injected('etag', '"5b0e1f"');

const customer = { id: integer(88), name: string('Giulia Ferri') };

/** An order in a list. What may be null or absent, such as a telephone number, is not relied on. */
export const orderSummary: Promised = {
  id: integer(4711),
  code: string('TDN-4711'),
  channel: oneOf(['takeaway', 'table'], 'takeaway'),
  fulfillment_type: string('pickup'),
  status: oneOf(orderStates, 'ready'),
  customer,
  payment: { mode: string('online'), status: string('paid'), provider: string('card') },
  totals: { subtotal: number(34.5), discount: number(3.5), total: number(31), currency: string('EUR') },
  changed_at: regex(instant, '2026-10-03T19:20:41+02:00'),
};

/** A reservation in a list. */
export const reservationSummary: Promised = {
  id: integer(9021),
  status: oneOf(reservationStates, 'confirmed'),
  source: string('website'),
  customer,
  schedule: {
    date: regex('^\\d{4}-\\d\\d-\\d\\d$', '2026-10-10'),
    time: regex('^([01]\\d|2[0-3]):[0-5]\\d$', '20:30'),
    people: integer(4),
    timezone: string('Europe/Rome'),
  },
  changed_at: regex(instant, '2026-10-03T17:42:05+02:00'),
};

/** A page of a list that may be the last one. */
export function pageOf(name: string, record: unknown): unknown {
  return { data: { [name]: eachLike(record), page: { has_more: like(false) } } };
}

/** A page that others follow. */
export function pageBeforeOthers(name: string, record: unknown, cursor: string): unknown {
  return { data: { [name]: eachLike(record), page: { has_more: equal(true), next_cursor: string(cursor) } } };
}

/** The body of a failure. */
export function failure(code: unknown): unknown {
  return { ok: equal(false), error: { code, message: string('What went wrong, for people.'), request_id: string('req-5b0e40') } };
}

/** The body of a failure that has exactly one code. */
export function failureOf(code: string): unknown {
  return failure(equal(code));
}

/** Time to wait: seconds, or a date. */
export const retryAfter: Readonly<Record<string, Expected>> = {
  'Retry-After': regex('^(\\d+|[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT)$', '7'),
};
