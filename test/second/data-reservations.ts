/** Knows how the reservations of a business come about: dates around a leap day and a change of clocks, some at midnight. */

import { spannedDays } from './calendar.ts';
import { draw, pick } from './chance.ts';
import { customer, idOf } from './data-rows.ts';
import { dateText } from './instant.ts';
import type { Assignment, ReservationRow } from './record.ts';
import type { Setup } from './setup.ts';

/** The states of a reservation, as the API document lists them. */
export const reservationStatuses = ['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'] as const;

/** The reservation with that index, changed at that instant. */
export function makeReservation(setup: Setup, tenant: string, index: number, changed: number): ReservationRow {
  const drawn = draw(setup.seed, index, 31, tenant.charCodeAt(0));
  const status = pick(reservationStatuses, index < 30 ? index : drawn >>> 4);
  const people = 1 + (drawn % 8);
  return {
    id: idOf(setup, tenant, index) + 200,
    tenant,
    status,
    source: pick(['website', 'phone', 'walk-in', 'partner: Gästebuch'], drawn >>> 6),
    customer: customer(setup, tenant, index, 37),
    date: dateText(setup.calendar.first + dayOf(setup, index, drawn)),
    time: timeOf(setup, drawn),
    people,
    notes:
      drawn % 3 === 0
        ? undefined
        : pick(['Window seat, please', 'Allergia: noci & latte', 'Es wird später – "vielleicht"', 'Zwei Hunde 🐕'], drawn >>> 8),
    assignment: status === 'confirmed' || status === 'completed' ? assignment(index, drawn) : undefined,
    changed,
    rank: draw(setup.seed, index, 41),
    revision: 0,
  };
}

function dayOf({ calendar: { odd } }: Setup, index: number, drawn: number): number {
  // Both odd days always have records.
  if (index % 20 === 3) return odd[0];
  if (index % 20 === 7) return odd[1];
  return (drawn >>> 10) % spannedDays;
}

function timeOf({ calendar }: Setup, drawn: number): string {
  // In other spans than the usual one some reservations are for the hour that clocks leave out or show twice.
  const late = ['00:00', '00:30', '23:30', '23:59', ...(calendar.id === 'leap-day' ? [] : ['01:30', '02:30', '03:00'])];
  if (drawn % 4 === 0) return pick(late, drawn >>> 12);
  return `${String(11 + ((drawn >>> 12) % 12))}:${pick(['00', '15', '30', '45'], drawn >>> 16)}`;
}

function assignment(index: number, drawn: number): Assignment {
  const table = 1 + ((drawn >>> 3) % 30);
  return {
    id: 70_000 + index,
    room: 1 + (table % 3),
    roomName: pick(['Sala', 'Terrazza', 'Giardino d’inverno'], table),
    table,
    code: `T${table}`,
    label: `Tavolo ${table}`,
    minutes: 90 + (drawn % 3) * 30,
  };
}
