/** Extensions that the annotations do not have: what they mean is not known, so their changes are told and not judged. */

import type { JsonObject } from '../../../core/json.ts';
import { unknownWord } from './list-words.ts';
import type { Finding } from './rule-change.ts';
import { compareWord, type Ground } from './word.ts';

/** The words of the annotations; each has rules of its own. */
const known: ReadonlySet<string> = new Set([
  ...['x-api', 'x-invalid', 'x-unspecified', 'x-collection', 'x-resource', 'x-parameter-rules', 'x-personal'],
]);

/** Compares the extensions at the root that no rule knows. Those of operations are compared with the operations, by whoever compares these. */
export function compareOthers(ground: Ground): readonly Finding[] {
  const words = new Set([...extensionsOf(ground.old.holder), ...extensionsOf(ground.next.holder)]);
  return [...words].flatMap((word) => compareWord(ground, unknownWord([word])));
}

function extensionsOf(holder: JsonObject): readonly string[] {
  return Object.keys(holder).filter((key) => key.startsWith('x-') && !known.has(key));
}
