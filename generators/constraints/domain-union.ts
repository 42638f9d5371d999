/** Unions of domains: the disjunctive normal form of a schema. Domains without instances are not removed here. */

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
