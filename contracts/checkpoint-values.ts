/** Checkpoints worth sending: the moments at which records changed, as they are shown and in other offsets. */

import { parseInstant } from '../core/instant.ts';
import { valueAt } from '../core/pointer.ts';
import { thin } from './filter-values.ts';
import { checkpointOf, type Universe } from './universe.ts';
import type { Values } from './walk.ts';

/** How many moments are looked at on the replica. */
const tried = 80;

/** The moments of a list as checkpoints: those that several records share, any, in other offsets, or a little before. */
export function checkpointValues(universe: Universe, which: 'tie' | 'any' | 'offset' | 'before'): readonly Values[] {
  const parameter = checkpointOf(universe.operation);
  if (parameter === undefined) return [];
  const moments = momentsOf(universe);
  const ties = moments.filter((moment, index) => moments.indexOf(moment) !== index);
  const chosen = which === 'tie' ? [...new Set([...ties, ...thin(moments, tried)])] : thin([...new Set(moments)], tried);
  const texts =
    which === 'offset'
      ? chosen.flatMap(otherOffsets)
      : which === 'before'
        ? chosen.filter((text) => isAlone(text, moments)).flatMap(justBefore)
        : chosen;
  return texts.map((text): Values => ({ [parameter]: text }));
}

function momentsOf({ operation, records }: Universe): readonly string[] {
  const { version } = operation.collection;
  const values = version === undefined ? [] : records.map((record) => valueAt(record, version));
  return values.filter((value): value is string => typeof value === 'string' && parseInstant(value) !== undefined);
}

/** Moments may be kept finer than they are shown: before one that nothing changed near before, that makes no difference. */
const gap = 61_000_000_000n;

function isAlone(text: string, moments: readonly string[]): boolean {
  const instant = parseInstant(text) ?? 0n;
  return !moments.some((each) => {
    const other = parseInstant(each) ?? 0n;
    return other < instant && other > instant - gap;
  });
}

/** Half a second before a moment, in UTC: whatever changed in that moment changed after it. The fraction is written with six digits and with three. */
function justBefore(text: string): readonly string[] {
  const instant = parseInstant(text);
  if (instant === undefined) return [];
  const milliseconds = new Date(Number(instant / 1_000_000n) - 500).toISOString();
  return [milliseconds.replace('Z', '000Z'), milliseconds];
}

/** The same moment as it is written elsewhere. Fractions of a second stay as they are. */
function otherOffsets(text: string): readonly string[] {
  const instant = parseInstant(text);
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  if (instant === undefined) return [];
  const seconds = Number(instant / 1_000_000_000n);
  return [0, 330, -300].map((minutes) => {
    const wall = new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19);
    return `${wall}${fraction}${spellOffset(minutes)}`;
  });
}

function spellOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
