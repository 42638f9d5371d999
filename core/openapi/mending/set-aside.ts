/** Places of a contract file that cannot be read. The rest of the file works, and what is set aside is never judged. */

import { formatLocation, type SourceLocation, SpecError } from '../../errors.ts';

/** A place of a contract file that cannot be read. It is left out, so nothing about it is served or checked. */
export interface SetAside {
  /** The place to correct. */
  readonly place: SourceLocation;
  /** The mistake and its correction, without the place. */
  readonly message: string;
  /** The operations that it concerns, as `METHOD /path`; empty if it concerns none, or the file as a whole. */
  readonly operations: readonly string[];
}

/** An ambiguous place, with the reading that was chosen, or an example that does not match its schema. */
export interface Remark {
  /** The place in the file. */
  readonly place: SourceLocation;
  /** The remark, without the place. */
  readonly message: string;
}

/** The name of an operation in a list of what is set aside. */
export function operationLabel(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Number of mistakes that one error tells. */
const maxTold = 10;

/**
 * Throws all mistakes of a file as one error, at the place of the first; does nothing without mistakes.
 * @throws {SpecError} for one or more mistakes.
 */
export function refuseTogether(mistakes: readonly { readonly place: SourceLocation; readonly message: string }[]): void {
  const lines = [...new Set(mistakes.map(({ place, message }) => `${formatLocation(place)}: ${message}`))];
  const [first] = mistakes;
  if (first === undefined) return;
  if (lines.length === 1) throw new SpecError(first.place, first.message);
  const further = lines.length > maxTold ? [`and ${lines.length - maxTold} more`] : [];
  throw new SpecError(first.place, [first.message, ...lines.slice(1, maxTold), ...further].join('\n'));
}

/** The message of a mistake without its place. */
export function messageOf(error: SpecError): string {
  return error.message.slice(`${formatLocation(error.place)}: `.length);
}
