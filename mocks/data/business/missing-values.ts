/**
 * Chooses the optional fields that are missing in records of a business. `business-dataset.ts` makes the choice once per dataset, from the profile;
 * `business-context.ts`, `make-order.ts` and `make-reservation.ts` read it for each customer or record. It makes no record.
 */

import type { Profile } from '../../../core/annotations/open-questions.ts';

/** Fields that lack a value in some records. */
export interface Gaps {
  /** True: some customers have no phone number or no e-mail address. */
  readonly contacts: boolean;
  /** True: reservations without notes have none; false: they have an empty text. */
  readonly notes: boolean;
  /** True: takeaway orders have no table; false: their table is the counter. */
  readonly tables: boolean;
  /** True: some orders are paid later or never; false: all are paid when placed. */
  readonly payments: boolean;
}

/** No gaps: every field has a value of its type, which every interpretation of the documents allows. */
export const noGaps: Gaps = { contacts: false, notes: false, tables: false, payments: false };

/** Returns the gaps of a profile: every answer but `given` to a question about a missing value is a gap. */
export function gapsOf(profile: Profile): Gaps {
  const shows = (question: string): boolean => (profile[question] ?? 'given') !== 'given';
  return { contacts: shows('unknown-customer'), notes: shows('empty-notes'), tables: shows('no-table'), payments: shows('unpaid') };
}
