import { isObject, type Json } from '../json.ts';
import { canonicalText } from '../json-equality.ts';

/** What a value consists of: the members and the scalars at any depth. */
export interface ValueContent {
  /** The names of all members. */
  readonly names: ReadonlySet<string>;
  /** False if the value, and every value in it, differs from a given one. */
  readonly mayHold: (value: Json) => boolean;
}

/** Lists the content of a value. */
export function contentOf(value: Json): ValueContent {
  const names = new Set<string>();
  const scalars = new Set<string>();
  const visit = (part: Json): void => {
    if (typeof part !== 'object' || part === null) scalars.add(canonicalText(part));
    else for (const member of Object.values(part)) visit(member as Json);
    if (isObject(part)) for (const name of Object.keys(part)) names.add(name);
  };
  visit(value);
  return { names, mayHold: (each) => (typeof each === 'object' && each !== null) || scalars.has(canonicalText(each)) };
}
