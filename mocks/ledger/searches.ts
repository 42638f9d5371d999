/**
 * Searches in the texts of a list. The first one reads all records and lays their lines down; those after it look through the lines. Reading a hundred
 * thousand takes seconds, so it is done in pieces where the search can wait.
 */

import { valueAt } from '../../core/pointer.ts';
import type { Arguments, Query } from '../../core/query.ts';
import type { Chronicle } from '../world.ts';
import type { Design } from './design.ts';
import { LineIndex, type Sightings } from './lines.ts';
import type { Spot } from './merge.ts';
import type { Segment } from './segment.ts';

/** What text searches look into. */
interface Texts {
  readonly fields: readonly string[];
  readonly fold: boolean;
}

/** How many texts are read at once: some five milliseconds' worth. */
const piece = 200;

/** The searches in one list. */
export class Searches {
  readonly #chronicle: Chronicle;
  readonly #design: Design;
  readonly #query: Query;
  readonly #indexes = new WeakMap<Segment, Map<string, LineIndex>>();
  /** What is being read in pieces. */
  readonly #underWay = new WeakMap<Segment, Map<string, Promise<void>>>();

  constructor(chronicle: Chronicle, design: Design, query: Query) {
    this.#chronicle = chronicle;
    this.#design = design;
    this.#query = query;
  }

  /** What tells whether a version matches what no column decides; `undefined` when nothing of that kind was asked for. */
  matcher(values: Arguments, recordAt: (spot: Spot) => Parameters<Query['matches']>[0]): ((spot: Spot) => boolean) | undefined {
    const others = new Map([...values].filter(([name]) => this.#design.others.has(name)));
    if (others.size === 0) return undefined;
    const searched = this.#searchedBy(values);
    const known = new Map<Segment, readonly (Sightings | undefined)[]>();
    const sightingsIn = (segment: Segment): readonly (Sightings | undefined)[] => {
      const found = known.get(segment) ?? searched.map(({ wanted, texts }) => this.#indexOf(segment, texts).find(wanted));
      known.set(segment, found);
      return found;
    };
    return (spot) => {
      const sightings = sightingsIn(spot.segment);
      if (sightings.some((each) => each?.has(spot.version) === false)) return false;
      const isCertain = sightings.length === others.size && sightings.every((each) => each?.isCertain === true);
      return isCertain || this.#query.matches(recordAt(spot), others);
    };
  }

  /** Reads what a search for these values looks into, in pieces; `undefined` when all of it has been read. */
  prepare(values: Arguments, segments: readonly Segment[]): Promise<void> | undefined {
    const wanted = this.#searchedBy(values).flatMap(({ texts }) => segments.map((segment) => ({ segment, texts })));
    const missing = wanted.filter(({ segment, texts }) => this.#indexes.get(segment)?.has(nameOf(texts)) !== true);
    if (missing.length === 0) return undefined;
    return Promise.all(missing.map(({ segment, texts }) => this.#readOnce(segment, texts))).then(() => undefined);
  }

  /** What the values look for in texts. */
  #searchedBy(values: Arguments): readonly { readonly wanted: string; readonly texts: Texts }[] {
    return this.#design.plan.filters.flatMap(({ parameter, filter }) =>
      filter.operator === 'matches' && values.has(parameter) ? [{ wanted: String(values.get(parameter)), texts: filter }] : [],
    );
  }

  #indexOf(segment: Segment, texts: Texts): LineIndex {
    const known = this.#indexes.get(segment)?.get(nameOf(texts));
    if (known !== undefined) return known;
    const reading = this.#read(segment, texts);
    let step = reading.next();
    while (step.done !== true) step = reading.next();
    return this.#keep(segment, texts, step.value);
  }

  /** Several may want to search before the texts have been read: all of them wait for the one reading. */
  #readOnce(segment: Segment, texts: Texts): Promise<void> {
    const underWay = this.#underWay.get(segment) ?? new Map<string, Promise<void>>();
    this.#underWay.set(segment, underWay);
    const reading = underWay.get(nameOf(texts)) ?? this.#readInPieces(segment, texts);
    underWay.set(nameOf(texts), reading);
    return reading;
  }

  async #readInPieces(segment: Segment, texts: Texts): Promise<void> {
    const reading = this.#read(segment, texts);
    let step = reading.next();
    while (step.done !== true) {
      await laterTurn();
      step = reading.next();
    }
    this.#keep(segment, texts, step.value);
    this.#underWay.get(segment)?.delete(nameOf(texts));
  }

  #keep(segment: Segment, texts: Texts, index: LineIndex): LineIndex {
    const indexes = this.#indexes.get(segment) ?? new Map<string, LineIndex>();
    this.#indexes.set(segment, indexes.set(nameOf(texts), index));
    return index;
  }

  *#read({ records, changes }: Segment, { fields, fold }: Texts): Generator<undefined, LineIndex> {
    const index = new LineIndex(fold);
    for (let version = 0; version < records.length; version += 1) {
      if (version % piece === piece - 1) yield undefined;
      const record = this.#chronicle.life(records[version] ?? 0).record(changes[version] ?? 0);
      for (const field of fields) {
        const value = valueAt(record, field);
        if (typeof value === 'string') index.add(version, value);
      }
    }
    return index;
  }
}

function nameOf({ fields, fold }: Texts): string {
  return JSON.stringify([fields, fold]);
}

/** A later turn of the event loop, which a mock that is otherwise done does not wait for: with `setImmediate` it would, or never come to it. */
function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0).unref();
  });
}
