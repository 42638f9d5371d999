/** Claims: what is known of an instance, said by schemas that it satisfies and schemas that it fails. */

import type { Site } from '../schema/site.ts';

/** One statement about an instance: it satisfies a schema, or it fails it. */
export interface Claim {
  readonly site: Site;
  readonly holds: boolean;
}

/** The instance satisfies the schema. */
export function satisfies(site: Site): Claim {
  return { site, holds: true };
}

/** The instance fails the schema. */
export function fails(site: Site): Claim {
  return { site, holds: false };
}

/** The same schema, claimed the other way round. */
export function opposite(claim: Claim): Claim {
  return { site: claim.site, holds: !claim.holds };
}

/** A number that is the same for equal claims only. */
export function claimId(claim: Claim): number {
  return claim.holds ? claim.site.id : -claim.site.id;
}

/** Whether a claim says nothing: satisfying `true`, or failing `false`. */
export function isVoid(claim: Claim): boolean {
  const { schema } = claim.site;
  if (typeof schema === 'boolean') return schema === claim.holds;
  return claim.holds && Object.keys(schema).length === 0;
}

/** Whether no instance can do as claimed, as far as a look at the schema itself tells. */
export function isAbsurd(claim: Claim): boolean {
  const { schema } = claim.site;
  if (typeof schema === 'boolean') return schema !== claim.holds;
  return !claim.holds && Object.keys(schema).length === 0;
}
