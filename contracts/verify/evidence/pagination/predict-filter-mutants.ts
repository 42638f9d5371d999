/**
 * The mutants of stated filters, with the prediction of the records that each would return. `filter-rules.ts`, `range-filter-rules.ts` and `examine-filters.ts`
 * choose requests by these mutants when a round examines a rule. `filter-rules.ts` and `explain-pagination.ts` compare wrong responses with these predictions
 * when rules judge, `wrong-responses-of-violation.ts` at the end of a round. Mutants of open questions are left out.
 */

import type { Filter } from '../../../../core/annotations/annotations.ts';
import { getOrCompute } from '../../../../core/memo.ts';
import { filterMutants } from '../../../../core/mutants/filter-mutants.ts';
import type { FilterMutant } from '../../../../core/mutants/mutant.ts';
import type { MutantKind } from '../../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import { createQuery, type DataRecord, type FilterArguments } from '../../../../core/query/query.ts';
import { isPredictable } from '../contract-places-left-open.ts';

/** A mutant of filters, with its prediction. */
export interface PredictableMutant extends FilterMutant {
  /** True when it would return a record. */
  readonly accepts: (record: DataRecord, values: FilterArguments) => boolean;
}

/** Every mutant of the filters of a list whose rules are stated. */
export function predictableMutants(contract: Contract, list: ListOperation): readonly PredictableMutant[] {
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

const mutantsByList = new WeakMap<ListOperation, readonly PredictableMutant[]>();

/** Adds the prediction to a mutant. `listRecords` are for mutants whose selection of one record depends on the others. */
export function predict(list: ListOperation, mutant: FilterMutant, listRecords: readonly DataRecord[] = []): PredictableMutant {
  return { ...mutant, accepts: predictor(list, mutant, listRecords) };
}

function predictor({ collection }: ListOperation, mutant: FilterMutant, listRecords: readonly DataRecord[]): PredictableMutant['accepts'] {
  const { filters, arguments: editArguments, selects } = mutant;
  if (selects !== undefined) {
    const selection = perArguments((values) => selects(values, collection.query, listRecords));
    return (record, values) => selection(values)(record);
  }
  // A separate evaluator, because each caches what it reads from its arguments.
  const editedFilters = [...new Map([...collection.filters, ...(filters ?? [])])].filter(
    (entry): entry is [string, Filter] => entry[1] !== undefined,
  );
  const query = createQuery({ ...collection, filters: new Map(editedFilters) }, collection.kindOf);
  const editedArguments = perArguments((values) => editArguments?.(values) ?? values);
  return (record, values) => query.matches(record, editedArguments(values));
}

/** Caches a result by the arguments object, because one object is compared with many records. */
function perArguments<T extends object>(make: (values: FilterArguments) => T): (values: FilterArguments) => T {
  const results = new WeakMap<FilterArguments, T>();
  return (values) => getOrCompute(results, values, make);
}
