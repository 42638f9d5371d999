/** Knows how the orders of a business come about: every status and channel, codes with unusual characters, paid and unpaid. */

import { draw, pick } from './chance.ts';
import { customer, idOf } from './data-rows.ts';
import { dateText, day, second } from './instant.ts';
import type { Item, OrderRow } from './record.ts';
import type { Setup } from './setup.ts';

/** The states of an order, as the API document lists them. */
export const orderStatuses = ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'] as const;

/** The channels of an order. */
export const channels = ['takeaway', 'table'] as const;

/** The order with that index, changed at that instant. */
export function makeOrder(setup: Setup, tenant: string, index: number, changed: number): OrderRow {
  const drawn = draw(setup.seed, index, 11, tenant.charCodeAt(0));
  const channel = pick(channels, drawn >>> 2);
  const takeaway = channel === 'takeaway';
  // The first records go through the states in turn, so that a small collection still has them all.
  const status = pick(orderStatuses, index < 40 ? index : drawn >>> 5);
  const paid = drawn % 3 !== 0;
  return {
    id: idOf(setup, tenant, index),
    tenant,
    code: codeOf(setup, tenant, index),
    channel,
    status,
    fulfillment: fulfillment(setup, takeaway, drawn),
    customer: customer(setup, tenant, index, 13),
    pickup: takeaway ? pickup(changed, drawn) : undefined,
    table: takeaway ? undefined : { label: `Tavolo ${1 + (drawn % 24)}`, room: 1 + (drawn % 3), table: 1 + (drawn % 24), qr: 'fixed' },
    payment: {
      mode: paid ? 'online' : 'at_counter',
      status: paid ? 'paid' : 'unpaid',
      provider: paid ? 'card' : 'none',
      paidAt: paid ? changed - (60 + (drawn % 600)) * second : undefined,
    },
    discount: drawn % 4 === 0 ? 150 : 0,
    items: items(drawn),
    changed,
    rank: draw(setup.seed, index, 17),
    revision: 0,
  };
}

function codeOf(setup: Setup, tenant: string, index: number): string {
  const style = setup.choice('codes');
  const number = style === 'repeated' ? Math.floor(index / 2) + 1 : index + 1;
  const owner = style === 'shared' || tenant === 'A' ? '' : `${tenant}.`;
  if (style === 'plain') return `${tenant}${String(number).padStart(4, '0')}`;
  return `${owner}${pick(codeForms, style === 'repeated' ? 0 : index)(number)}`;
}

const codeForms: readonly ((number: number) => string)[] = [
  (number) => `A-${number}`,
  (number) => `T ${number}`,
  (number) => `Ä-${number}/24`,
  (number) => `#${number}`,
  (number) => `A-${number}x`,
  (number) => `100%-${number}`,
  (number) => `a+${number}`,
  (number) => `x&y=${number}`,
  (number) => `o'${number}`,
  (number) => `c_${number}`,
  (number) => `日本-${number}`,
  (number) => `q?${number};z`,
  (number) => `TK${String(number).padStart(6, '0')}`,
];

function fulfillment(setup: Setup, takeaway: boolean, drawn: number): string {
  if (setup.choice('fulfillment') === 'free-text') return pick(['Ritiro al banco', 'à table', 'Drive-In №2', 'pickup later'], drawn >>> 11);
  return takeaway ? 'pickup' : 'dine_in';
}

function pickup(changed: number, drawn: number): { readonly mode: string; readonly date: string; readonly time: string } {
  const time = drawn % 7 === 0 ? '00:05' : drawn % 7 === 1 ? '23:55' : `${12 + (drawn % 10)}:${drawn % 2 === 0 ? '30' : '00'}`;
  return { mode: drawn % 2 === 0 ? 'asap' : 'scheduled', date: dateText(Math.floor(changed / day) + (drawn % 2)), time };
}

function items(drawn: number): readonly Item[] {
  const names = ['Margherita', 'Tagliatelle al ragù', 'Acqua 0,5 l', 'Crème brûlée', 'Panino "della casa"'];
  const length = 1 + (drawn % 3);
  return Array.from({ length }, (_, index) => ({
    name: pick(names, (drawn >>> 7) + index),
    quantity: 1 + ((drawn >>> index) % 3),
    cents: 250 + ((drawn >>> (index + 3)) % 40) * 25,
  }));
}
