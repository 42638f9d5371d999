/** Failures about what was asked for: their places and values as reports write them. */

import type { Json } from '../../../core/json.ts';
import { printPath } from '../../../core/pact-path.ts';
import type { PactFailure } from '../../../core/pact-verdict.ts';
import { fromPointer } from '../../../core/pointer.ts';

/** A failure that Pact knows nothing of; the path is one of a body, or the name of a header. */
export function failing(path: string, expected: string, actual: string, diagnosis: string): PactFailure {
  return { kind: 'identity', path, expected, actual, diagnosis };
}

/** A value in a sentence. */
export function show(value: Json | undefined): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** A JSON Pointer as the paths of pacts are written. */
export function bodyPath(pointer: string): string {
  return printPath(fromPointer(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
}
