/**
 * Decides whether a pact accepts every value that the contract allows: by a proof from the schemas, or else by trying allowed values one by one. What stays
 * open is no finding.
 */

import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { Inclusions } from '../../../generators/schema-inclusion.ts';
import { placesAlong, type Step, schemaIfPresent, schemaIfRequired } from './body-expectations.ts';
import { type Acceptance, isAcceptedBy, schemaOfEqual } from './pact-matchers.ts';

/** Whether every allowed value is accepted: yes, no with an allowed body and the place of the value that is refused, or unknown. */
export type Judgement =
  | { readonly kind: 'guaranteed' }
  | { readonly kind: 'refused'; readonly body: Json; readonly value: Json; readonly pointer: string }
  | { readonly kind: 'open'; readonly reason: string };

/** Limit of questions about one body that are left open, each of which may take half a second. */
const maxOpen = 8;

/** Limits the effort for one body: after several questions stay open, every further one counts as open without a search. */
export function limitOpen(inclusions: Inclusions): Inclusions {
  let open = 0;
  let reason = '';
  return {
    ...inclusions,
    separate: (allowed, refused) => {
      if (open >= maxOpen) return { kind: 'open', tried: 0, why: reason };
      const separation = inclusions.separate(allowed, refused);
      if (separation.kind === 'open') {
        open += 1;
        reason = separation.why;
      }
      return separation;
    },
  };
}

/** Limit of allowed values that are tried one by one, where a schema says less than Pact accepts. */
const maxTried = 64;

/** Lists the values that a contract names and a schema accepts, though Pact does not. */
export function listRefused({ allows }: Inclusions, acceptance: Acceptance, named: readonly Json[]): readonly Json[] {
  if (acceptance.accepts === undefined) return [];
  return named.filter((value) => allows(acceptance.schema, value) && !isAcceptedBy(acceptance, value, allows));
}

/** Judges an expectation of the values at a path. `named` are those that the contract lists. */
export function judgeAcceptance(
  inclusions: Inclusions,
  allowed: readonly Schema[],
  acceptance: Acceptance,
  path: readonly Step[] = [],
  named: readonly Json[] = [],
): Judgement {
  const { separate, allows } = inclusions;
  const refused = findNamedRefusal(inclusions, allowed, acceptance, path, named);
  if (refused !== undefined) return refused;
  const accepted: Schema[] = [];
  let base = acceptance.schema;
  for (let tries = 0; tries < maxTried; tries += 1) {
    const schema = accepted.length === 0 ? base : { anyOf: [base, ...accepted] };
    const separation = separate(allowed, schemaIfPresent(path, schema));
    if (separation.kind === 'none') return { kind: 'guaranteed' };
    if (separation.kind === 'open') {
      if (base === false) return { kind: 'open', reason: separation.why };
      // Without a proof by the schema, each allowed value is tried: there may be few.
      base = false;
      continue;
    }
    const body = separation.value;
    const failing = placesAlong(body, path).find(({ value }) => !allows(schema, value));
    if (failing === undefined) return { kind: 'refused', body, value: body, pointer: '' };
    if (!isAcceptedBy(acceptance, failing.value, allows)) return { kind: 'refused', body, ...failing };
    accepted.push(schemaOfEqual(failing.value));
  }
  return { kind: 'open', reason: 'the contract allows more values than were tried' };
}

/** Finds an allowed body with a value that the contract names and Pact refuses. */
function findNamedRefusal(
  inclusions: Inclusions,
  allowed: readonly Schema[],
  acceptance: Acceptance,
  path: readonly Step[],
  named: readonly Json[],
): Judgement | undefined {
  const refused = { enum: listRefused(inclusions, acceptance, named) };
  if (refused.enum.length === 0) return undefined;
  const separation = inclusions.separate([...allowed, schemaIfRequired(path, refused)], false);
  if (separation.kind !== 'found') return undefined;
  const { value: body } = separation;
  const failing = placesAlong(body, path).find(({ value }) => inclusions.allows(refused, value));
  return failing && { kind: 'refused', body, ...failing };
}
