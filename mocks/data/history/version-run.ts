/**
 * The versions of one class in the order of the list, with summaries of every 32 of them, of every 32 summaries, and so on: what cannot be in a run of
 * versions is passed over in one step, so that few among a million are found as fast as many.
 */

/** A condition that a version must meet: a column of numbers within bounds, both of them included. */
export interface Limit {
  readonly column: number;
  readonly least: number;
  readonly most: number;
}

/** Conditions side by side: they are asked of every version that is passed, and numbers in arrays of numbers need no objects to be read. */
export class Limits {
  readonly columns: Int32Array;
  readonly least: Float64Array;
  readonly most: Float64Array;

  constructor(limits: readonly Limit[]) {
    this.columns = Int32Array.from(limits, ({ column }) => column);
    this.least = Float64Array.from(limits, ({ least }) => least);
    this.most = Float64Array.from(limits, ({ most }) => most);
  }
}

const fanOut = 32;

/** The least and the most of every column in a run of entries. */
interface Level {
  /** Number of versions that an entry spans. */
  readonly span: number;
  readonly least: readonly Float64Array[];
  readonly most: readonly Float64Array[];
}

/** Versions in order. */
export class Run {
  readonly versions: Int32Array;
  readonly #columns: readonly Float64Array[];
  readonly #levels: readonly Level[];

  /** `columns` are those of the whole segment, by version. */
  constructor(versions: Int32Array, columns: readonly Float64Array[]) {
    this.versions = versions;
    this.#columns = columns;
    this.#levels = summarise(versions, columns);
  }

  get length(): number {
    return this.versions.length;
  }

  /** The first place from a place on whose version keeps all limits; the length when there is none. */
  next(from: number, limits: Limits): number {
    let place = from;
    while (place < this.versions.length) {
      const beyond = this.#skip(place, limits);
      if (beyond > place) place = beyond;
      else if (this.#keeps(this.versions[place] ?? 0, limits)) return place;
      else place += 1;
    }
    return this.versions.length;
  }

  #keeps(version: number, { columns, least, most }: Limits): boolean {
    for (let index = 0; index < columns.length; index += 1) {
      const value = (this.#columns[columns[index] as number] as Float64Array)[version] as number;
      if (!(value >= (least[index] as number) && value <= (most[index] as number))) return false;
    }
    return true;
  }

  /** End of the largest run from here that is outside the limits; the position itself without one. */
  #skip(place: number, limits: Limits): number {
    let beyond = place;
    for (const level of this.#levels) {
      if (place % level.span !== 0) break;
      if (mayKeep(level, place / level.span, limits)) break;
      beyond = place + level.span;
    }
    return Math.min(beyond, this.versions.length);
  }
}

/** True when a version in the entry may be within all limits. */
function mayKeep(level: Level, entry: number, { columns, least, most }: Limits): boolean {
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index] as number;
    if (!(((level.most[column] as Float64Array)[entry] as number) >= (least[index] as number))) return false;
    if (!(((level.least[column] as Float64Array)[entry] as number) <= (most[index] as number))) return false;
  }
  return true;
}

function summarise(versions: Int32Array, columns: readonly Float64Array[]): readonly Level[] {
  const levels: Level[] = [];
  let below: Pick<Level, 'least' | 'most'> | undefined;
  for (let span = fanOut; span / fanOut < versions.length; span *= fanOut) {
    const made = columns.map((column, index) =>
      below === undefined ? foldVersions(versions, column) : foldSummaries(below.least[index], below.most[index]),
    );
    below = { least: made.map(({ least }) => least), most: made.map(({ most }) => most) };
    levels.push({ span, ...below });
  }
  return levels;
}

interface Summary {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

function emptySummary(length: number): Summary {
  const entries = Math.ceil(length / fanOut);
  return {
    least: new Float64Array(entries).fill(Number.POSITIVE_INFINITY),
    most: new Float64Array(entries).fill(Number.NEGATIVE_INFINITY),
  };
}

/** A value that is no number is within no bounds, so it widens none. */
function foldVersions(versions: Int32Array, column: Float64Array): Summary {
  const { least, most } = emptySummary(versions.length);
  for (let place = 0; place < versions.length; place += 1) {
    const entry = (place / fanOut) | 0;
    const value = column[versions[place] as number] as number;
    if (value < (least[entry] as number)) least[entry] = value;
    if (value > (most[entry] as number)) most[entry] = value;
  }
  return { least, most };
}

function foldSummaries(low: Float64Array = new Float64Array(), high: Float64Array = new Float64Array()): Summary {
  const { least, most } = emptySummary(low.length);
  for (let place = 0; place < low.length; place += 1) {
    const entry = (place / fanOut) | 0;
    least[entry] = Math.min(least[entry] as number, low[place] as number);
    most[entry] = Math.max(most[entry] as number, high[place] as number);
  }
  return { least, most };
}
