/** Errors, which report that something could not be checked, and places in files. A violation that was found is never an error: it is returned. */

/** A position in a file; lines and columns count from 1. */
export interface SourceLocation {
  /** The path as the user gave it, or relative to the file that refers to it. */
  readonly file: string;
  /** The line, from 1 on. */
  readonly line: number;
  /** The column, from 1 on. */
  readonly column: number;
}

/** The first position of a file, for mistakes without a better place. */
export function startOf(file: string): SourceLocation {
  return { file, line: 1, column: 1 };
}

/** Prints a position in the form that editors and terminals link: `file:line:column`. */
export function formatLocation(place: SourceLocation): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** A mistake in a file, such as a contract, a pact or a configuration. The message names the place, the wrong value and the correction. */
export class SpecError extends Error {
  override readonly name = 'SpecError' as const;
  /** Place of the mistake. */
  readonly place: SourceLocation;

  constructor(place: SourceLocation, message: string, options?: ErrorOptions) {
    super(`${formatLocation(place)}: ${message}`, options);
    this.place = place;
  }
}

/** A wrong argument, option or file name of the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}
