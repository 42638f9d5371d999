/** Knows how the reservations of a business come about: dates around a leap day and a change of clocks, some at midnight. */

import { draw, pick } from './chance.ts';
import { customer, idOf } from './data-rows.ts';
import { dateText } from './instant.ts';
import type { Assignment, ReservationRow } from './record.ts';
import type { Setup } from './setup.ts';
import { firstDay, spannedDays } from './timeline.ts';

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
    date: dateText(firstDay + dayOf(index, drawn)),
    time: timeOf(drawn),
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

function dayOf(index: number, drawn: number): number {
  // The ninth day is 29 February and the last one 31 March, the change of clocks: both always have records.
  if (index % 20 === 3) return 9;
  if (index % 20 === 7) return spannedDays - 1;
  return (drawn >>> 10) % spannedDays;
}

function timeOf(drawn: number): string {
  const late = ['00:00', '00:30', '23:30', '23:59'];
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
