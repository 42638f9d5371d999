/**
 * A run: the versions of one class in the order of the list. Summaries of minimum and maximum, for every 32 versions, every 32 summaries and so on, let it
 * skip versions outside the limits in large steps. Segments build runs, `merge-runs.ts` reads them.
 */

/** Condition on a column: its number must be from `least` to `most`, both included. */
export interface Limit {
  readonly column: number;
  readonly least: number;
  readonly most: number;
}

/** Several conditions as typed arrays, which are fast to read. Each visited version is compared with all of them. */
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

const entriesPerSummary = 32;

/** Minimum and maximum of every column for consecutive parts of a run. */
interface Level {
  /** Number of versions per entry. */
  readonly span: number;
  readonly least: readonly Float64Array[];
  readonly most: readonly Float64Array[];
}

/** The versions of a class in the order of the list. */
export class VersionRun {
  readonly versions: Int32Array;
  readonly #columns: readonly Float64Array[];
  readonly #levels: readonly Level[];

  /** Creates a run. `columns` are those of the whole segment, by version. */
  constructor(versions: Int32Array, columns: readonly Float64Array[]) {
    this.versions = versions;
    this.#columns = columns;
    this.#levels = summarize(versions, columns);
  }

  get length(): number {
    return this.versions.length;
  }

  /** Returns the first place at or after `from` with a version within the limits; the length if there is none. */
  next(from: number, limits: Limits): number {
    let place = from;
    while (place < this.versions.length) {
      const skipped = this.#skip(place, limits);
      if (skipped > place) place = skipped;
      else if (this.#isWithin(this.versions[place] ?? 0, limits)) return place;
      else place += 1;
    }
    return this.versions.length;
  }

  #isWithin(version: number, { columns, least, most }: Limits): boolean {
    for (let index = 0; index < columns.length; index += 1) {
      const value = (this.#columns[columns[index] as number] as Float64Array)[version] as number;
      if (!(value >= (least[index] as number) && value <= (most[index] as number))) return false;
    }
    return true;
  }

  /** Returns the end of the largest part from here that is outside the limits; the place itself if there is none. */
  #skip(place: number, limits: Limits): number {
    let end = place;
    for (const level of this.#levels) {
      if (place % level.span !== 0) break;
      if (mayBeWithin(level, place / level.span, limits)) break;
      end = place + level.span;
    }
    return Math.min(end, this.versions.length);
  }
}

/** True if a version of the entry may be within all limits. */
function mayBeWithin(level: Level, entry: number, { columns, least, most }: Limits): boolean {
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index] as number;
    if (!(((level.most[column] as Float64Array)[entry] as number) >= (least[index] as number))) return false;
    if (!(((level.least[column] as Float64Array)[entry] as number) <= (most[index] as number))) return false;
  }
  return true;
}

function summarize(versions: Int32Array, columns: readonly Float64Array[]): readonly Level[] {
  const levels: Level[] = [];
  let below: Pick<Level, 'least' | 'most'> | undefined;
  for (let span = entriesPerSummary; span / entriesPerSummary < versions.length; span *= entriesPerSummary) {
    const summaries = columns.map((column, index) =>
      below === undefined ? foldVersions(versions, column) : foldSummaries(below.least[index], below.most[index]),
    );
    below = { least: summaries.map(({ least }) => least), most: summaries.map(({ most }) => most) };
    levels.push({ span, ...below });
  }
  return levels;
}

interface Summary {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

function emptySummary(length: number): Summary {
  const entries = Math.ceil(length / entriesPerSummary);
  return {
    least: new Float64Array(entries).fill(Number.POSITIVE_INFINITY),
    most: new Float64Array(entries).fill(Number.NEGATIVE_INFINITY),
  };
}

/** Summarizes versions. `NaN` is outside all limits, so it is left out. */
function foldVersions(versions: Int32Array, column: Float64Array): Summary {
  const { least, most } = emptySummary(versions.length);
  for (let place = 0; place < versions.length; place += 1) {
    const entry = (place / entriesPerSummary) | 0;
    const value = column[versions[place] as number] as number;
    if (value < (least[entry] as number)) least[entry] = value;
    if (value > (most[entry] as number)) most[entry] = value;
  }
  return { least, most };
}

function foldSummaries(low: Float64Array = new Float64Array(), high: Float64Array = new Float64Array()): Summary {
  const { least, most } = emptySummary(low.length);
  for (let place = 0; place < low.length; place += 1) {
    const entry = (place / entriesPerSummary) | 0;
    least[entry] = Math.min(least[entry] as number, low[place] as number);
    most[entry] = Math.max(most[entry] as number, high[place] as number);
  }
  return { least, most };
}
