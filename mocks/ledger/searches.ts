/**
 * Searches in the texts of a list. The first one reads all records, and notes which of them have which words; those after it only look at records that have
 * the words of what is wanted.
 */

import { valueAt } from '../../core/pointer.ts';
import type { Arguments, Query } from '../../core/query.ts';
import type { Chronicle } from '../world.ts';
import type { Design } from './design.ts';
import type { Spot } from './merge.ts';
import type { Segment } from './segment.ts';
import { type Sightings, WordIndex } from './words.ts';

/** What text searches look into. */
interface Texts {
  readonly fields: readonly string[];
  readonly fold: boolean;
}

/** The searches in one list. */
export class Searches {
  readonly #chronicle: Chronicle;
  readonly #design: Design;
  readonly #query: Query;
  readonly #indexes = new WeakMap<Segment, Map<string, WordIndex>>();

  constructor(chronicle: Chronicle, design: Design, query: Query) {
    this.#chronicle = chronicle;
    this.#design = design;
    this.#query = query;
  }

  /** What tells whether a version matches what no column decides; `undefined` when nothing of that kind was asked for. */
  matcher(values: Arguments, recordAt: (spot: Spot) => Parameters<Query['matches']>[0]): ((spot: Spot) => boolean) | undefined {
    const others = new Map([...values].filter(([name]) => this.#design.others.has(name)));
    if (others.size === 0) return undefined;
    const searched = this.#design.plan.filters.flatMap(({ parameter, filter }) =>
      others.has(parameter) && filter.operator === 'matches' ? [{ wanted: String(others.get(parameter)), texts: filter }] : [],
    );
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

  #indexOf(segment: Segment, texts: Texts): WordIndex {
    const indexes = this.#indexes.get(segment) ?? new Map<string, WordIndex>();
    this.#indexes.set(segment, indexes);
    const name = JSON.stringify([texts.fields, texts.fold]);
    const index = indexes.get(name) ?? this.#read(segment, texts);
    indexes.set(name, index);
    return index;
  }

  #read({ records, changes }: Segment, { fields, fold }: Texts): WordIndex {
    const index = new WordIndex(records.length, fold);
    for (let version = 0; version < records.length; version += 1) {
      const record = this.#chronicle.life(records[version] ?? 0).record(changes[version] ?? 0);
      for (const field of fields) {
        const value = valueAt(record, field);
        if (typeof value === 'string') index.add(version, value);
      }
    }
    return index;
  }
}
