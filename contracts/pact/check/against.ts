/** Which facts let no success come of an operation. */

import type { Fact } from '../../../core/pact-fact.ts';
import type { Subject } from './subject.ts';

/** Whether a fact makes the operation fail. */
export function isAgainst({ operation, reading }: Subject, fact: Fact): boolean {
  if (fact.kind === 'key') return operation.security.length > 0;
  if (fact.kind === 'no-scope')
    return operation.security.length > 0 && operation.security.every((all) => all.some(({ scopes }) => scopes.includes(fact.scope)));
  if (fact.kind === 'throttled' || fact.kind === 'unavailable') return true;
  const { resource } = operation;
  if (fact.kind === 'no-resource') return resource?.name === fact.resource && resource.by.size === 0;
  if (fact.kind !== 'no-record' || resource?.name !== fact.collection) return false;
  const [parameter] = [...resource.by].find(([, field]) => field === fact.field) ?? [];
  return (
    parameter !== undefined &&
    reading.sent.has(parameter) &&
    (fact.value === undefined || String(fact.value) === String(reading.values.get(parameter)))
  );
}
