/** Knows how a record can differ between its list and its own page. */

import type { Row } from './record.ts';
import type { Setup } from './setup.ts';

/** The record as its own page shows it. */
export function deviatingRow<R extends Row>(setup: Setup, row: R, byCode: boolean): R {
  if (setup.faulty('detail-differs')) return { ...row, customer: { ...row.customer, name: row.customer.name.toUpperCase() } };
  if (setup.faulty('detail-stale') && row.rank % 2 === 0) return { ...row, status: row.status === 'pending' ? 'confirmed' : 'pending' };
  if (setup.faulty('code-gives-neighbour') && byCode) return { ...row, status: row.status === 'pending' ? 'confirmed' : 'pending' };
  return row;
}
