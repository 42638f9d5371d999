/** The people behind orders and reservations. The same customer is the same person each time. */

import type { JsonObject } from '../../../core/json.ts';
import type { Chance } from '../chance.ts';
import type { Business } from './business.ts';
import { mailName } from './words.ts';

/** What guests left besides their names: a telephone number and an address, one of them, or neither. */
const known = ['both', 'both', 'both', 'neither', 'neither', 'phone', 'email'] as const;

/** All customers of a business. */
export function makeCustomers(business: Business, chance: Chance): readonly JsonObject[] {
  return Array.from({ length: business.customers }, (_, number) => makeCustomer(business, number, chance));
}

function makeCustomer({ language, phonePrefix, place }: Business, number: number, chance: Chance): JsonObject {
  const own = chance.of(number);
  const name = `${own.pick('first name', language.firstNames)} ${own.pick('last name', language.lastNames)}`;
  const left = chance.deal('known', number, known);
  const phone = left === 'both' || left === 'phone' ? `${phonePrefix}${100 + number}` : null;
  const email = left === 'both' || left === 'email' ? `${mailName(name)}@example.${own.pick('domain', ['com', 'org', 'net'])}` : null;
  return { id: 300 + number * 3 + place, name, phone, email };
}
