/**
 * Unions of domains: the disjunctive normal form of a schema. `expand-constraints.ts` builds and intersects unions while a schema is analysed;
 * `schema-faults.ts` builds the unions of faults, and `located-faults.ts` those of the instances around them. `satisfiability-analysis.ts` and `source-factory.ts` read the domains of each
 * conjunction from them. It prunes no domains; `prune-domain.ts` does.
 */

import { type Domain, everything } from './instance-domain.ts';

/** A union of domains. When `isTruncated`, domains were left out because there were too many. */
export interface DomainUnion {
  readonly domains: readonly Domain[];
  readonly isTruncated: boolean;
}

/** The union that holds every instance. */
export const universalUnion: DomainUnion = unionOf(everything);
/** The union without instances. */
export const emptyUnion: DomainUnion = unionOf();

/** A complete union of some domains. */
export function unionOf(...domains: readonly Domain[]): DomainUnion {
  return { domains, isTruncated: false };
}

/** The union of unions. */
export function unite(parts: readonly DomainUnion[]): DomainUnion {
  return { domains: parts.flatMap((part) => part.domains), isTruncated: parts.some((part) => part.isTruncated) };
}
