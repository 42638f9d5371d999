/** Knows what the records of both lists have in common: how many there are, their ids, their customers. */

import { draw, pick } from './chance.ts';
import type { Customer } from './record.ts';
import type { DataSize, Setup } from './setup.ts';

/** The businesses of the server: A has the most data, B little, and N has no menu. */
export const tenants = ['A', 'B', 'N'] as const;

/** How many records a list of a business begins with. */
export function count(data: DataSize, tenant: string): number {
  const counts: Readonly<Record<DataSize, readonly [number, number, number]>> = {
    usual: [173, 41, 3],
    none: [0, 0, 0],
    one: [1, 1, 1],
    two: [2, 2, 2],
    few: [40, 7, 2],
    'same-instant': [64, 12, 2],
    large: [20_000, 400, 3],
  };
  const [first, other, bare] = counts[data];
  if (tenant === 'A') return first;
  return tenant === 'B' ? other : bare;
}

/** The id of the record with that index. */
export function idOf(setup: Setup, tenant: string, index: number): number {
  const place = tenants.indexOf(tenant === 'B' ? 'B' : tenant === 'N' ? 'N' : 'A');
  const style = setup.choice('ids');
  if (style === 'dense') return place * 1_000_000 + index + 1;
  const sparse = 101 + index * 9 + (draw(setup.seed, index, 5) % 3);
  if (style === 'shared') return sparse;
  const apart = sparse + place * 3;
  return style === 'huge' ? apart + 9_000_000_000 : apart;
}

const given = ['Ada', 'Bruno', 'Chiara', 'Davide', 'Élodie', 'Fatma', 'Giò', 'Hans-Jörg', 'Ines', 'Łukasz', "Niamh O'", '美咲'];
const family = ['Rossi', 'Bianchi', 'D’Angelo', 'Müller', 'Ferrari', 'Nguyễn', 'de la Cruz', 'Åberg', 'Conti', 'Öz'];

/** A customer; one in five is a guest whom nobody can reach. */
export function customer(setup: Setup, tenant: string, index: number, salt: number): Customer {
  const drawn = draw(setup.seed, index, salt, tenant.charCodeAt(0));
  const id = 1000 + (drawn % 97);
  const reachable = setup.choice('guest-contact') === 'always';
  return {
    id,
    name: `${pick(given, drawn >>> 3)} ${pick(family, drawn >>> 9)}`,
    phone: reachable || drawn % 5 !== 0 ? `+39 055 ${String(100_000 + (drawn % 900_000))}` : undefined,
    email: reachable || drawn % 5 > 1 ? `guest${id}@example.org` : undefined,
  };
}
