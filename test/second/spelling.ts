/** Knows how this server writes instants: the question of changed_at, answered. */

import { instantText, localText, zoneOffset } from './instant.ts';
import type { Setup } from './setup.ts';

/** An instant as changed_at and paid_at show it; the salt decides where offsets are mixed. */
export function shownInstant(setup: Setup, instant: number, salt: number): string {
  const style = setup.choice('changed-at');
  if (style === 'utc') return instantText(instant, { offset: 0, digits: 0, zulu: true });
  if (style === 'plus-two') return instantText(instant, { offset: 120, digits: 0, zulu: false });
  if (style === 'milliseconds') return instantText(instant, { offset: 0, digits: 3, zulu: true });
  if (style === 'microseconds') return instantText(instant, { offset: 0, digits: 6, zulu: false });
  if (style === 'mixed') return instantText(instant, { offset: [0, 120, -210][salt % 3] ?? 0, digits: 0, zulu: true });
  if (style === 'mixed-microseconds') return instantText(instant, { offset: oddOffsets[salt % 5] ?? 0, digits: 6, zulu: salt % 2 === 0 });
  return instantText(instant, { offset: zoneOffset(setup.choice('zone'), instant), digits: 0, zulu: false });
}

/** Offsets of Nepal, the Chatham Islands, Newfoundland and, twice, of UTC, which is written in both ways. */
const oddOffsets = [345, 0, 765, 0, -150];

/** A moment of a table's use, with or without its offset. */
export function shownMoment(setup: Setup, instant: number): string {
  const offset = zoneOffset(setup.choice('zone'), instant);
  return setup.choice('assignment-times') === 'offset'
    ? instantText(instant, { offset, digits: 0, zulu: false })
    : localText(instant, offset, 'T');
}
