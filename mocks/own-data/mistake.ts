/** Mistakes in a file of own data: each with its place, and all of them told at once. */

import { type Place, printPlace, SpecError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { placeOf } from '../../core/origin.ts';
import { toPointer } from '../../core/pointer.ts';

/** The keys that lead from the top of a file to a value. */
export type Path = readonly (string | number)[];

/** Something that is wrong in a file. */
export interface Mistake {
  readonly place: Place;
  readonly message: string;
}

/** A file of own data as it was read, and what was found to be wrong with it so far. */
export interface OwnFile {
  readonly file: string;
  readonly root: JsonObject;
  /** Notes a mistake. Whether it can be read on after it, the caller knows. */
  readonly note: (path: Path, message: string) => void;
  /** @throws {SpecError} with every mistake that was noted, if there is one. */
  readonly finish: () => void;
}

/** How many mistakes one message shows; a file made by a program easily has hundreds of the same. */
const shownMost = 20;

/** A file whose mistakes are to be gathered. */
export function openOwnFile(file: string, root: JsonObject): OwnFile {
  const mistakes: Mistake[] = [];
  return {
    file,
    root,
    note: (path, message) => {
      mistakes.push({ place: placeIn(file, root, path), message: path.length === 0 ? message : `${toPointer(path)}: ${message}` });
    },
    finish: () => {
      const [first, ...others] = mistakes;
      if (first === undefined) return;
      const lines = others.slice(0, shownMost - 1).map(({ place, message }) => `${printPlace(place)}: ${message}`);
      const left = mistakes.length - shownMost;
      throw new SpecError(first.place, [first.message, ...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n'));
    },
  };
}

/** Where a value stands, as deep as the path leads; what is missing is told at the object that it is missing from. */
export function placeIn(file: string, root: JsonObject, path: Path): Place {
  let place = placeOf(root);
  let current: Json | undefined = root;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) break;
    const holder: JsonObject = current as JsonObject;
    if (!Object.hasOwn(holder, key)) break;
    place = placeOf(holder, key) ?? place;
    current = holder[key];
  }
  return place ?? { file, line: 1, column: 1 };
}
