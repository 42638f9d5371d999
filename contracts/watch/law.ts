/** What a law of watching is: it asks for nothing itself, and judges what was seen while time went by. */

import type { Contract } from '../../core/contract.ts';
import type { Examination, Law } from '../law.ts';
import type { Film } from './film.ts';

/** A law that only a watch can show. */
export interface WatchLaw extends Omit<Law, 'examine' | 'slow'> {
  readonly judge: (film: Film, contract: Contract) => Examination;
}

/** What the data lacks when nothing happened. */
export const somethingThatChanges = 'a record that changes while it is watched';
