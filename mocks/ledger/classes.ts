/** Versions parted into classes: those that no filter by value tells apart, as a tree with a floor for each field. */

import type { Json, JsonObject } from '../../core/json.ts';
import type { FieldReader } from './design.ts';
import { Integers } from './growing.ts';

/** The versions of a class, while they are gathered. */
export interface ClassDraft {
  /** Fields of one of them, which stand for all. */
  readonly outline: JsonObject;
  readonly versions: Integers;
}

/** A version as it is looked at. */
export interface Seen {
  readonly see: (read: FieldReader) => Json | undefined;
  /** Everything that was looked at. */
  readonly seen: JsonObject;
}

/** One floor of the tree: a value of its field leads to the floor below, or, on the last one, to a class. */
interface Floor {
  readonly floors: Map<Json | undefined, Floor>;
  readonly classes: Map<Json | undefined, ClassDraft>;
}

/** Finds the class of each version. The same few values come again and again, so they are looked up as they are and no name is made of them. */
export class Classes {
  readonly #readers: readonly FieldReader[];
  readonly #root: Floor = { floors: new Map(), classes: new Map() };
  readonly #all: ClassDraft[] = [];

  /** Takes the readers of the fields that part versions; none makes one class of all. */
  constructor(readers: readonly FieldReader[]) {
    this.#readers = readers;
  }

  /** Every class, in the order in which the first version of each was found. */
  get all(): readonly ClassDraft[] {
    return this.#all;
  }

  /** The class of a version. */
  find(version: Seen): ClassDraft {
    let floor = this.#root;
    const last = this.#readers.length - 1;
    for (let place = 0; place < last; place += 1) floor = below(floor, keyOf(this.#readers[place], version));
    const key = keyOf(this.#readers[last], version);
    let found = floor.classes.get(key);
    if (found === undefined) {
      found = { outline: version.seen, versions: new Integers() };
      floor.classes.set(key, found);
      this.#all.push(found);
    }
    return found;
  }
}

/** A value as a key: what is no plain value is known by its text, which begins with what no plain text of a field begins with. */
function keyOf(read: FieldReader | undefined, version: Seen): Json | undefined {
  const value = read === undefined ? undefined : version.see(read);
  return typeof value === 'object' && value !== null ? `\u0000${JSON.stringify(value)}` : value;
}

function below(floor: Floor, key: Json | undefined): Floor {
  const known = floor.floors.get(key);
  if (known !== undefined) return known;
  const made: Floor = { floors: new Map(), classes: new Map() };
  floor.floors.set(key, made);
  return made;
}
