/** The graph of schemas: which contain themselves, and whether their numbers are exact. */

import type { Json } from '../../core/json.ts';
import { Unsupported, unless } from '../outcome.ts';
import { recall } from '../recall.ts';
import { lists, maps, single } from './resource.ts';
import type { Site } from './site.ts';

/** Finds the circles of the graph of schemas (Tarjan's strongly connected components), each schema once. */
export class Recursion {
  readonly #order = new Map<Site, number>();
  readonly #lowest = new Map<Site, number>();
  readonly #stack: Site[] = [];
  readonly #open = new Set<Site>();
  readonly #recursive = new Set<Site>();

  /** Whether a schema contains itself. */
  has(site: Site): boolean {
    if (!this.#order.has(site)) this.#visit(site);
    return this.#recursive.has(site);
  }

  #visit(site: Site): void {
    const order = this.#order.size;
    this.#order.set(site, order);
    this.#lowest.set(site, order);
    this.#stack.push(site);
    this.#open.add(site);
    for (const next of neighbours(site)) {
      if (next === site) this.#recursive.add(site);
      if (!this.#order.has(next)) this.#visit(next);
      if (this.#open.has(next)) this.#lowest.set(site, Math.min(this.#lowest.get(site) ?? order, this.#lowest.get(next) ?? order));
    }
    if (this.#lowest.get(site) === order) this.#close(site);
  }

  #close(root: Site): void {
    const members = this.#stack.splice(this.#stack.lastIndexOf(root));
    for (const member of members) {
      this.#open.delete(member);
      if (members.length > 1) this.#recursive.add(member);
    }
  }
}

/** The schemas that a schema leads to: below its keywords, and through its references. */
function neighbours(site: Site): readonly Site[] {
  const { keywords } = site;
  const found = [
    ...single.filter((keyword) => keywords[keyword] !== undefined).map((keyword) => site.at(keyword)),
    ...lists.flatMap((keyword) => site.list(keyword)),
    ...maps.flatMap((keyword) => [...site.map(keyword).values()]),
  ];
  for (const keyword of ['$ref', '$dynamicRef'] as const) {
    if (keywords[keyword] !== undefined) found.push(...targets(site, keyword));
  }
  return found;
}

/** A reference that leads nowhere is reported by whoever needs what it names. */
function targets(site: Site, keyword: '$ref' | '$dynamicRef'): readonly Site[] {
  return unless(() => [site.target(keyword)], Unsupported) ?? [];
}

const known = new WeakMap<Site, boolean>();

/** Whether all numbers in a schema, and in those that it leads to, can be told from their neighbours. */
export function isExact(root: Site): boolean {
  return recall(known, root, () => {
    const seen = new Set<Site>([root]);
    for (const site of seen) for (const next of neighbours(site)) seen.add(next);
    return [...seen].every((site) => demands.every((keyword) => holdsExact(site.keywords[keyword])));
  });
}

/** The keywords that compare numbers. */
const demands = ['const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

function holdsExact(value: Json | undefined): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((member) => holdsExact(member as Json));
}
