/** Predicts which records each mutant of a filter would return. Filters that the documents leave open have no mutants here. */

import { getOrCompute } from '../../../../core/memo.ts';
import { filterMutants } from '../../../../core/mutants/filter-mutants.ts';
import { type FilterMutant, withSelection } from '../../../../core/mutants/mutant.ts';
import type { MutantKind } from '../../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import type { DataRecord, FilterArguments } from '../../../../core/query/query.ts';
import { isPredictable } from '../open-places.ts';

/** A mutant of filters, with its prediction. */
export interface PredictableMutant extends FilterMutant {
  /** Returns the test of whether it would return a record. */
  readonly accepting: (values: FilterArguments) => (record: DataRecord) => boolean;
}

/** Every mutant of the filters of a list whose rules are stated. */
export function predictableMutants(contract: Contract, list: ListOperation): readonly PredictableMutant[] {
  const mutantsByList = getOrCompute(mutantsByContract, contract, () => new Map<ListOperation, readonly PredictableMutant[]>());
  return getOrCompute(mutantsByList, list, () =>
    filterMutants(list)
      .filter(({ parameters }) => parameters.every((name) => isPredictable(contract, list, name)))
      .map((mutant) => predict(list, mutant)),
  );
}

/** The mutants of some kinds. */
export function mutantsOfKinds(contract: Contract, list: ListOperation, kinds: readonly MutantKind[]): readonly PredictableMutant[] {
  return predictableMutants(contract, list).filter(({ kind }) => kinds.includes(kind));
}

const mutantsByContract = new WeakMap<Contract, Map<ListOperation, readonly PredictableMutant[]>>();

/** Adds the prediction to a mutant. `listRecords` are for mutants whose selection of one record depends on the others. */
export function predict({ collection }: ListOperation, mutant: FilterMutant, listRecords: readonly DataRecord[] = []): PredictableMutant {
  return { ...mutant, accepting: withSelection(collection.query, mutant.selects, listRecords).matching };
}
