/**
 * Cutting a long list at a moment of change, so that what changed since can be read whole. Newest first, the pages that were read are all there is since
 * the oldest of them; in any other order the moment is looked for between the latest that was seen and the present, one page at a time.
 */

import { headerOf } from '../core/exchange.ts';
import { parseInstant } from '../core/instant.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import { parseHttpDate } from './retry-after.ts';
import type { Values, Walk } from './walk.ts';

/** Reads the list with a filter, up to so many pages. */
export type ReadPart = (values: Values, most: number) => Promise<Walk>;

/** A part with fewer records than this shows too little, where more can be had. */
const enough = 30;

/** How many pages the search may take, and how many more for a part that is large enough. */
const probes = { full: 18, quick: 8 } as const;
const improvements = 3;

const nanosecondsPerDay = 86_400_000_000_000n;

/** The part of a list since some moment that can be read whole; `undefined` when none was found. */
export async function narrowByVersion(
  whole: Walk,
  parameter: string,
  read: ReadPart,
  { most, quick }: { readonly most: number; readonly quick: boolean },
): Promise<Walk | undefined> {
  const { version } = whole.operation.collection;
  if (version === undefined) return undefined;
  const moments = momentsIn(whole.records, version);
  const chosen = moments[Math.floor(moments.length / 3)];
  const isNewestFirst = moments.every((moment, index) => index === 0 || moment <= (moments[index - 1] ?? moment));
  if (isNewestFirst && chosen !== undefined) {
    const part = await read({ [parameter]: print(chosen) }, most);
    if (part.end === 'complete') return part;
  }
  return bisect(whole, version, quick ? probes.quick : probes.full, (moment) => read({ [parameter]: print(moment) }, 1));
}

/**
 * Looks for a moment since which one page of records changed. In no order at all, the latest moment of a page leaves far fewer records than the page
 * came from, so that is tried first; a list that comes oldest first shows only what follows, and is halved.
 */
async function bisect(whole: Walk, version: string, left: number, read: (moment: bigint) => Promise<Walk>): Promise<Walk | undefined> {
  const low = latest(whole.records, version) ?? 0n;
  let search: Search = { low, high: presentOf(whole) ?? low + 3650n * nanosecondsPerDay, best: undefined, left };
  for (let probe = 0; search.left > 0 && search.low < search.high; probe += 1) {
    const moment = probe < 2 ? search.low : search.low + (search.high - search.low) / 2n;
    const part = await read(moment);
    search = part.end === 'complete' ? withPart(search, moment, part) : withoutPart(search, moment, part, version);
  }
  return search.best;
}

/** Where the moment lies that is looked for, the best part so far, and how many pages the search may still take. */
interface Search {
  readonly low: bigint;
  readonly high: bigint;
  readonly best: Walk | undefined;
  readonly left: number;
}

/** A part that is read whole is kept if it is the largest; a small one is worth only a few pages more. */
function withPart(search: Search, moment: bigint, part: Walk): Search {
  const best = part.records.length > (search.best?.records.length ?? 0) ? part : search.best;
  const isEnough = part.records.length >= enough;
  const rest = best === undefined ? search.left - 1 : Math.min(search.left - 1, improvements);
  return { low: search.low, high: moment, best, left: isEnough ? 0 : rest };
}

function withoutPart(search: Search, moment: bigint, part: Walk, version: string): Search {
  const left = part.end === 'broken' ? 0 : search.left - 1;
  return { ...search, low: later(latest(part.records, version), moment), left };
}

function later(first: bigint | undefined, second: bigint): bigint {
  return first !== undefined && first > second ? first : second;
}

/** The present by the server's own clock, and a day more, since the two clocks of a service may differ. */
function presentOf({ replies }: Walk): bigint | undefined {
  const date = parseHttpDate(headerOf(replies[0]?.response.headers ?? {}, 'date') ?? '');
  return date === undefined ? undefined : BigInt(date) * 1_000_000n + nanosecondsPerDay;
}

function latest(records: readonly Entry[], version: string): bigint | undefined {
  return momentsIn(records, version).reduce<bigint | undefined>(
    (known, each) => (known === undefined || each > known ? each : known),
    undefined,
  );
}

function momentsIn(records: readonly Entry[], version: string): readonly bigint[] {
  return records.flatMap((record) => {
    const text = valueAt(record, version);
    const instant = typeof text === 'string' ? parseInstant(text) : undefined;
    return instant === undefined ? [] : [instant];
  });
}

/** A moment as every server reads it: to the second, so that nothing which changed in that second is left out. */
function print(moment: bigint): string {
  return `${new Date(Number(moment / 1_000_000n)).toISOString().slice(0, 19)}Z`;
}
