/** The records of a chronicle at an instant, one by one. */

import type { JsonObject } from '../../core/json.ts';
import type { Chronicle } from '../world.ts';
import { recordAt } from './timeline.ts';

/** Every record that exists at an instant, in the order of their numbers. */
export function listRecords(chronicle: Chronicle, nowMs: number): readonly JsonObject[] {
  const count = chronicle.countUntil(nowMs);
  return Array.from({ length: count }, (_, index) => recordAt(chronicle.life(index), nowMs)).filter((record) => record !== undefined);
}
