/** The files of a contract, as everybody sees them: without their content, which only core reads. */

import type { SourceLocation } from '../errors.ts';
import type { Remark, SetAside } from './mending/set-aside.ts';

/** Reader of files: takes a path, returns the text. Tests and editors can pass their own. */
export type ReadText = (file: string) => Promise<string>;

/** A contract file and all files that it refers to. Only core reads their content. */
export interface Document {
  /** Path of the entry file. */
  readonly file: string;
  /** The text of each file that was read, by path, including those below an overlay. Empty for a document that was not read from files. */
  readonly texts: ReadonlyMap<string, string>;
  /** What was left out of the document when it was loaded. */
  readonly setAside: readonly SetAside[];
  /** What is read in one of several ways. */
  readonly remarks: readonly Remark[];
  /** Returns the place of a value or, with a key, of that member. Only objects and arrays of this document have a place. */
  readonly place: (value: object, key?: string | number) => SourceLocation;
}
