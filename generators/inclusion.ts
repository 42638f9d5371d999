/** Inclusion of schemas: is there an instance that some schemas allow and another refuses? Found, proved absent, or left open. */

import type { Document } from '../core/document.ts';
import type { Json } from '../core/json.ts';
import type { Schema } from '../core/schema.ts';
import { holds } from './algebra/evaluate.ts';
import { fails, satisfies } from './algebra/facts.ts';
import { TooManyForms } from './algebra/forms.ts';
import { type Node, Space } from './algebra/node.ts';
import { Instances } from './instances.ts';
import { Unsatisfiable, Unsupported } from './outcome.ts';
import { isExact } from './schema/recursion.ts';
import { openDocument, type Site } from './schema/site.ts';
import { Dice, mannerOf, type Source, unlessExhausted } from './source/source.ts';

/** What the search for an instance came to. */
export type Separation =
  /** An instance that is allowed and refused, as small as the generator makes it. */
  | { readonly kind: 'found'; readonly value: Json }
  /** There is none: the algebra of schemas leaves no form for it. */
  | { readonly kind: 'none' }
  /** None was found among so many candidates, and that there is none is not proved. */
  | { readonly kind: 'open'; readonly tried: number; readonly why: string };

/** Searches for instances that tell schemas of one document apart. */
export interface Inclusions {
  /** An instance of all of `allowed` that is none of `refused`. */
  readonly separate: (allowed: readonly Schema[], refused: Schema) => Separation;
  /** Whether a value is an instance of a schema. */
  readonly allows: (schema: Schema, value: Json) => boolean;
}

/** How many candidates are drawn at most. */
const candidatesMost = 200;

/** How many pairs of forms one question may join: about half a second. */
const pairsPerQuestion = 200_000;

/** Opens the schemas of a document for comparison. Schemas that are none of the document's may be given as well, as long as they refer to nothing. */
export function createInclusions(document: Document): Inclusions {
  const open = openDocument(document);
  const space = new Space();
  const instances = new Instances(space);
  return {
    separate: (allowed, refused) => separate(space, instances, allowed.map(open), open(refused)),
    allows: (schema, value) => holds(open(schema), value),
  };
}

function separate(space: Space, instances: Instances, allowed: readonly Site[], refused: Site): Separation {
  space.expansion.allow(pairsPerQuestion);
  try {
    const node = space.node([...allowed.map(satisfies), fails(refused)]);
    if (space.height(node) === Infinity) return proof(space, node, [...allowed, refused]);
    return search(instances.sourceOf(node), allowed, refused);
  } catch (error) {
    if (error instanceof Unsatisfiable || error instanceof Unsupported || error instanceof TooManyForms)
      return { kind: 'open', tried: 0, why: error.message };
    // The engine says so when calls nest too deeply, as for schemas that contain themselves through what is left over.
    if (error instanceof RangeError)
      return { kind: 'open', tried: 0, why: 'the schemas contain themselves in ways that do not come to an end' };
    throw error;
  }
}

function proof(space: Space, node: Node, sites: readonly Site[]): Separation {
  if (!space.isCertain(node)) return { kind: 'open', tried: 0, why: 'the choices of the schemas combine in more ways than are tried' };
  if (!sites.every(isExact))
    return { kind: 'open', tried: 0, why: 'the schemas hold numbers that a double cannot tell from their neighbours' };
  return { kind: 'none' };
}

function search(source: Source, allowed: readonly Site[], refused: Site): Separation {
  const isRight = (value: Json): boolean => allowed.every((site) => holds(site, value)) && !holds(refused, value);
  let tried = 0;
  const dice = new Dice(1);
  for (; tried < candidatesMost; tried += 1) {
    const draft = unlessExhausted(() => (tried === 0 ? source.simplest() : source.draw(mannerOf(dice, 4), 4)));
    if (draft !== undefined && isRight(draft.value)) return { kind: 'found', value: draft.value };
  }
  return { kind: 'open', tried, why: `${tried} candidates were tried` };
}
