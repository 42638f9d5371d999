/** Every fault that a mock can have: each kind of mistake at each place of a contract where it can be made. */

import type { Contract } from '../../core/contract.ts';
import { nearest, UsageError } from '../../core/errors.ts';
import { conditionalFaults } from './conditional.ts';
import { detailFaults } from './details.ts';
import type { Fault, FaultSource } from './fault.ts';
import { filterFaults } from './filters.ts';
import { identifierFaults } from './identifiers.ts';
import { keyFaults } from './keys.ts';
import { orderFaults } from './order.ts';
import { pageFaults } from './pages.ts';
import { pagingFaults } from './paging.ts';
import { rangeFaults } from './ranges.ts';
import { responseFaults } from './responses.ts';
import { schemaFaults } from './schemas.ts';
import { scopeFaults } from './scopes.ts';
import { searchFaults } from './search.ts';
import { secretFaults } from './secrets.ts';
import { syncFaults } from './sync.ts';
import { tenancyFaults } from './tenancy.ts';
import { visibilityFaults } from './visibility.ts';
import { wrongValueFaults } from './wrong-values.ts';

const sources: readonly FaultSource[] = [
  responseFaults,
  schemaFaults,
  secretFaults,
  keyFaults,
  scopeFaults,
  tenancyFaults,
  pagingFaults,
  orderFaults,
  filterFaults,
  rangeFaults,
  syncFaults,
  detailFaults,
  identifierFaults,
  conditionalFaults,
  pageFaults,
  visibilityFaults,
  searchFaults,
  wrongValueFaults,
];

/** The faults that a mock of a closed contract can have, grouped as the laws are. */
export function listFaults(contract: Contract): readonly Fault[] {
  return sources.flatMap((source) =>
    source(contract).map(({ kind, place, ...fault }): Fault => ({ id: `${kind}:${place}`, contract: contract.name, ...fault })),
  );
}

/**
 * The faults of these ids. Two contracts may both have one of the same id; then it is in both.
 * @throws {UsageError} when no contract has it.
 */
export function findFaults(contracts: readonly Contract[], ids: readonly string[]): readonly Fault[] {
  if (ids.length === 0) return [];
  const known = contracts.flatMap(listFaults);
  return [...new Set(ids)].flatMap((id) => {
    const found = known.filter((fault) => fault.id === id);
    if (found.length > 0) return found;
    const meant = nearest(
      id,
      known.map((fault) => fault.id),
    );
    throw new UsageError(
      `there is no fault ${id}; ${meant === undefined ? 'touchstone mock --list-faults lists them' : `is ${meant} meant?`}`,
    );
  });
}
