/** Finds schemas that contain themselves, through the schemas below them and their references. Drawing from such a schema needs a depth budget. */

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
    for (const next of nextSchemas(location)) {
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
export function nextSchemas(location: LocatedSchema): readonly LocatedSchema[] {
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
