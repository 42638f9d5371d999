/** The people behind orders and reservations. The same customer is the same person each time. */

import type { JsonObject } from '../../../core/json.ts';
import type { Setting } from './traffic.ts';
import { mailName } from './words.ts';

/** Guests of whom only a name is known come as often as those who left a number and an address. */
const known = ['both', 'both', 'both', 'neither', 'neither', 'phone', 'email'] as const;

/** The customer of a number below the business's count of customers. */
export function makeCustomer({ business, chance }: Setting, number: number): JsonObject {
  const own = chance.of('customer', number);
  const { firstNames, lastNames } = business.language;
  const name = `${own.pick('first name', firstNames)} ${own.pick('last name', lastNames)}`;
  const left = chance.deal('known', number, known);
  const phone = left === 'both' || left === 'phone' ? `${business.phonePrefix}${String(100 + number)}` : null;
  const email = left === 'both' || left === 'email' ? `${mailName(name)}@example.${own.pick('domain', ['com', 'org', 'net'])}` : null;
  return { id: 300 + number * 3 + business.place, name, phone, email };
}
