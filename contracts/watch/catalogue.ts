/** The laws of watching, in the order of reports. */

import { changedAt } from './changed-at.ts';
import type { WatchLaw } from './law.ts';
import { converges, lateArrivals } from './sync.ts';
import { tags } from './tags.ts';

/** Every law of watching. */
export const watchLaws: readonly WatchLaw[] = [tags, changedAt, lateArrivals, converges];
