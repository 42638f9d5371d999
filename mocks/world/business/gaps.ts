/** Which values are missing in the business data. The documents leave it open, so a profile decides. */

import type { Profile } from '../../../core/profile.ts';

/** For each field, whether some records lack its value. */
export interface Gaps {
  /** Customers who left no phone number or no e-mail address. */
  readonly contacts: boolean;
  /** Reservations without notes; otherwise their notes are an empty text. */
  readonly notes: boolean;
  /** Takeaway orders without a table; otherwise their table is the counter. */
  readonly tables: boolean;
  /** Orders that are paid later than they are placed, or never; otherwise every order is paid when it is placed. */
  readonly payments: boolean;
}

/** Every field has a value of its type: this is inside every reading of the documents. */
export const noGaps: Gaps = { contacts: false, notes: false, tables: false, payments: false };

/** The gaps that a profile asks for: a question about a missing value has the answer `given`, or an answer that shows the gap. */
export function gapsOf(profile: Profile): Gaps {
  const shows = (question: string): boolean => (profile[question] ?? 'given') !== 'given';
  return { contacts: shows('unknown-customer'), notes: shows('empty-notes'), tables: shows('no-table'), payments: shows('unpaid') };
}
