/** Makes the failures that Pact does not notice: the response looks like the example, but does not belong to the request. */

import { type Json, printJson } from '../../../core/json.ts';
import { printBodyPath } from '../../../core/pact/body-path.ts';
import { fromPointer } from '../../../core/pointer.ts';
import type { PactFailure } from '../../../core/results/pact-verify-result.ts';

/** Creates a failure that Pact does not notice. The path is a body path or the name of a header. */
export function createIdentityFailure(path: string, expected: string, actual: string, diagnosis: string): PactFailure {
  return { kind: 'identity', path, expected, actual, diagnosis };
}

/** Prints a value for a message. */
export function printValue(value: Json | undefined): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : printJson(value);
}

/** Converts a JSON Pointer to a body path. */
export function toBodyPath(pointer: string): string {
  return printBodyPath(fromPointer(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
}
