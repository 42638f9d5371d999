/** Faults of scopes: what a key may do, and what is told to one that may not. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import type { Operation } from '../../core/operation.ts';
import type { FaultDraft } from './fault.ts';
import { requirementsOf, requiring } from './place.ts';
import { failure } from './request-edit.ts';

/** Faults of each operation that asks for a scope. */
export function scopeFaults(contract: Contract): readonly FaultDraft[] {
  const scoped = contract.operations.filter((operation) =>
    operation.security.some((alternative) => alternative.some(({ scopes }) => scopes.length > 0)),
  );
  const roles = contract.scopes.map((scope) => scope.role);
  return [
    ...scoped.flatMap((operation) => [unchecked(operation), ...confused(operation, roles)]),
    ...(scoped.length === 0 ? [] : statusFaults(contract)),
  ];
}

function unchecked(operation: Operation): FaultDraft {
  return {
    kind: 'scope-unchecked',
    place: operation.id,
    law: 'keys/scopes',
    title: 'Any valid key will do, whatever its scopes.',
    edits: [asking(operation, [])],
  };
}

/** Lists only: that a single read asks for another scope looks the same. */
function confused(operation: Operation, roles: readonly string[]): readonly FaultDraft[] {
  const own = operation.security.flat().flatMap(({ scopes }) => scopes);
  const other = roles.findLast((role) => !own.includes(role));
  if (operation.collection === undefined || other === undefined) return [];
  return [
    {
      kind: 'scope-confused',
      place: operation.id,
      law: 'keys/scopes',
      title: `The scope ${other} is asked for instead of ${own[0] ?? 'none'}.`,
      edits: [asking(operation, [other])],
    },
  ];
}

/** The same keys, with these scopes. */
function asking(operation: Operation, scopes: readonly string[]): Edit {
  const requirements = requirementsOf(operation);
  return requiring(
    operation,
    requirements.map((requirement) => Object.fromEntries(Object.keys(requirement).map((scheme) => [scheme, scopes]))),
  );
}

/** A lacking scope is shown by another status. */
function statusFaults(contract: Contract): readonly FaultDraft[] {
  return (
    [
      [401, 'unauthenticated'],
      [404, 'absent'],
    ] as const
  ).map(
    ([status, word]): FaultDraft => ({
      kind: `scope-lacking-${word}`,
      place: contract.name,
      law: 'keys/scopes',
      title: `A key that lacks the scope is answered ${status} instead of 403.`,
      around: (api) => async (request, next) => {
        const response = await next(request);
        return response.status === 403 ? failure(api, request, status, 'This is not for this key.') : response;
      },
    }),
  );
}
