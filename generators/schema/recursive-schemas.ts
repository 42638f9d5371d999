/**
 * Walks the graph of schemas and their references: which schemas are recursive, and if doubles can represent all their numbers. `satisfiability-analysis.ts`
 * asks for the first when it creates a conjunction. `schema-inclusion.ts` asks for the second when it found no value that separates two schemas. It reads no
 * values.
 */

import type { Json } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { Unsupported, undefinedOn } from '../generation-errors.ts';
import type { LocatedSchema } from './located-schema.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './schema-resource.ts';

/** Finds recursive schemas with Tarjan's algorithm for strongly connected components. Each schema is visited once. */
export class RecursiveSchemas {
  readonly #order = new Map<LocatedSchema, number>();
  readonly #lowest = new Map<LocatedSchema, number>();
  readonly #stack: LocatedSchema[] = [];
  readonly #onStack = new Set<LocatedSchema>();
  readonly #recursive = new Set<LocatedSchema>();

  /** True when a schema contains itself. */
  has(location: LocatedSchema): boolean {
    if (!this.#order.has(location)) this.#visit(location);
    return this.#recursive.has(location);
  }

  #visit(location: LocatedSchema): void {
    const order = this.#order.size;
    this.#order.set(location, order);
    this.#lowest.set(location, order);
    this.#stack.push(location);
    this.#onStack.add(location);
    for (const next of neighbours(location)) {
      if (next === location) this.#recursive.add(location);
      if (!this.#order.has(next)) this.#visit(next);
      if (this.#onStack.has(next))
        this.#lowest.set(location, Math.min(this.#lowest.get(location) ?? order, this.#lowest.get(next) ?? order));
    }
    if (this.#lowest.get(location) === order) this.#close(location);
  }

  #close(root: LocatedSchema): void {
    const members = this.#stack.splice(this.#stack.lastIndexOf(root));
    for (const member of members) {
      this.#onStack.delete(member);
      if (members.length > 1) this.#recursive.add(member);
    }
  }
}

/** The schemas below the keywords of a schema and behind its references. */
function neighbours(location: LocatedSchema): readonly LocatedSchema[] {
  const { keywords } = location;
  const schemas = [
    ...schemaKeywords.filter((keyword) => keywords[keyword] !== undefined).map((keyword) => location.at(keyword)),
    ...schemaListKeywords.flatMap((keyword) => location.list(keyword)),
    ...schemaMapKeywords.flatMap((keyword) => [...location.map(keyword).values()]),
  ];
  for (const keyword of ['$ref', '$dynamicRef'] as const) {
    if (keywords[keyword] !== undefined) schemas.push(...targets(location, keyword));
  }
  return schemas;
}

/** A reference that leads nowhere is reported when its target is needed. */
function targets(location: LocatedSchema, keyword: '$ref' | '$dynamicRef'): readonly LocatedSchema[] {
  return undefinedOn(() => [location.target(keyword)], Unsupported) ?? [];
}

const exactness = new WeakMap<LocatedSchema, boolean>();

/** True when doubles represent exactly all numbers of a schema and of the schemas it leads to. */
export function hasExactNumbers(root: LocatedSchema): boolean {
  return getOrCompute(exactness, root, () => {
    const reachable = new Set<LocatedSchema>([root]);
    for (const location of reachable) for (const next of neighbours(location)) reachable.add(next);
    return [...reachable].every((location) => comparingKeywords.every((keyword) => isExactValue(location.keywords[keyword])));
  });
}

const comparingKeywords = ['const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

function isExactValue(value: Json | undefined): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((member) => isExactValue(member as Json));
}
