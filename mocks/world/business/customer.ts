/** The people behind orders and reservations. The same customer is the same person each time. */

import type { JsonObject } from '../../../core/json.ts';
import type { Chance } from '../chance.ts';
import type { Business } from './business.ts';
import type { Gaps } from './gaps.ts';
import { mailName } from './words.ts';

/** What guests left besides their names, where some left nothing: a telephone number and an address, one of them, or neither. */
const known = ['both', 'both', 'both', 'neither', 'neither', 'phone', 'email'] as const;

/** All customers of a business. */
export function makeCustomers(business: Business, chance: Chance, gaps: Gaps): readonly JsonObject[] {
  return Array.from({ length: business.customers }, (_, number) => makeCustomer(business, number, chance, gaps));
}

function makeCustomer({ language, phonePrefix, place }: Business, number: number, chance: Chance, gaps: Gaps): JsonObject {
  const own = chance.of(number);
  const name = `${own.pick('first name', language.firstNames)} ${own.pick('last name', language.lastNames)}`;
  const left = gaps.contacts ? chance.deal('known', number, known) : 'both';
  const phone = left === 'both' || left === 'phone' ? `${phonePrefix}${100 + number}` : null;
  const email = left === 'both' || left === 'email' ? `${mailName(name)}@example.${own.pick('domain', ['com', 'org', 'net'])}` : null;
  return { id: 300 + number * 3 + place, name, phone, email };
}
