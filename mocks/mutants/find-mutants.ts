/** Lists the mutants that a mock of a contract can serve, and finds them by id. Loaded only if a mock has mutants or somebody lists them. */

import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { filterMutants } from '../../core/mutants/filter-mutants.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { listsOf } from '../../core/openapi/list-operation.ts';
import { conditionalReadMutants } from './conditional-read-mutants.ts';
import { contractEditMutants } from './contract-edit-mutants.ts';
import { identifierParameterMutants } from './identifier-parameter-mutants.ts';
import { keyMutants } from './key-mutants.ts';
import { listParameterMutants } from './list-parameter-mutants.ts';
import type { ListedMutant, ServedMutant } from './mock-mutant.ts';
import { orderAndPageMutants, pageInformationMutants } from './paging-mutants.ts';
import { responseMutants } from './response-mutants.ts';
import { singleReadMutants } from './single-read-mutants.ts';
import { tenantMutants } from './tenant-mutants.ts';
import { visibilityMutants } from './visibility-mutants.ts';

/** Lists all mutants that a mock of a contract can serve, by family. The contract's open questions must be answered. */
export function mutantsOf(contract: Contract): readonly ServedMutant[] {
  const mutants: readonly ListedMutant[] = [
    ...responseMutants(contract),
    ...keyMutants(contract),
    ...contractEditMutants(contract),
    ...tenantMutants(contract),
    ...visibilityMutants(contract),
    ...listsOf(contract).flatMap((list) => [...orderAndPageMutants(contract, list), ...filterMutants(list)]),
    ...pageInformationMutants(contract),
    ...listParameterMutants(contract),
    ...singleReadMutants(contract),
    ...identifierParameterMutants(contract),
    ...conditionalReadMutants(contract),
  ];
  return mutants.filter(({ kind }) => !invisibleKinds.includes(kind)).map((each) => ({ ...each, contract: contract.name }));
}

/** Kinds that the mock's data cannot show, since hardly any two records change within one second. */
const invisibleKinds: readonly MutantKind[] = ['checkpoint-rounded-to-second'];

/**
 * Finds mutants by id. If two contracts have a mutant with the same id, both are returned.
 * @throws {UsageError} for an unknown id.
 */
export function findMutants(contracts: readonly Contract[], ids: readonly string[]): readonly ServedMutant[] {
  if (ids.length === 0) return [];
  const allMutants = contracts.flatMap(mutantsOf);
  return [...new Set(ids)].flatMap((id) => {
    const mutants = allMutants.filter((each) => each.id === id);
    if (mutants.length > 0) return mutants;
    throw new UsageError(
      `there is no mutant ${id}; ${didYouMean(
        id,
        allMutants.map((each) => each.id),
        'touchstone mock --list-mutants lists them',
      )}`,
    );
  });
}
