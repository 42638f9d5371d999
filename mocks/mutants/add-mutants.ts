/** Adds mutants to an API when a mock's content is built. Their middleware then runs at each request. */

import { UsageError } from '../../core/errors.ts';
import { withSelection } from '../../core/mutants/mutant.ts';
import { editContract } from '../../core/openapi/contract.ts';
import { listsOf } from '../../core/openapi/list-operation.ts';
import type { DataRecord, FilterArguments } from '../../core/query/query.ts';
import type { MutantMiddleware } from '../handler/api-handler.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { ServedMutant } from './mock-mutant.ts';
import { replaceQuery } from './mock-mutant.ts';

/** A served API with mutants, and the middleware that they need. */
interface MutatedApi {
  readonly api: ServedApi;
  readonly around: MutantMiddleware | undefined;
}

/**
 * Adds mutants to an API, in order: edits of its contract, then changes of its queries, then of its other parts, then middleware.
 * @throws {UsageError} for two mutants that change the same place of the contract.
 */
export function serveMutants(api: ServedApi, mutants: readonly ServedMutant[]): MutatedApi {
  const editedApi = mutants.reduce((current, each) => withEdits(current, each, mutants), api);
  const selectingApi = listsOf(editedApi.contract).reduce((current, { id }) => withSelections(current, id, mutants), editedApi);
  const queriedApi = mutants.reduce(
    (current, each) => replaceQuery(current, each.operation, (query) => each.replaces?.(query, current) ?? {}),
    selectingApi,
  );
  const servedApi = mutants.reduce((current, each) => each.serve?.(current) ?? current, queriedApi);
  const layers = mutants.flatMap((each) => each.around?.(servedApi) ?? []);
  return { api: servedApi, around: layers.length === 0 ? undefined : layers.reduce(stack) };
}

function withEdits(api: ServedApi, mutant: ServedMutant, allMutants: readonly ServedMutant[]): ServedApi {
  const { edits } = mutant;
  if (edits === undefined) return api;
  try {
    return { ...api, contract: editContract(api.contract, edits) };
  } catch (cause) {
    const otherIds = allMutants.filter((other) => other !== mutant).map((other) => other.id);
    if (otherIds.length === 0) throw cause;
    throw new UsageError(`the mutant ${mutant.id} cannot be combined with ${otherIds.join(', ')}; start one mock for each`, { cause });
  }
}

/** Adds the selections of mutants to one list, each on top of the others. The visibility of records stays. */
function withSelections(api: ServedApi, operation: string, mutants: readonly ServedMutant[]): ServedApi {
  const selections = mutants.flatMap((each) => (each.operation === operation ? (each.selects ?? []) : []));
  if (selections.length === 0) return api;
  return replaceQuery(api, operation, (query) => {
    const select = (records: readonly DataRecord[], values: FilterArguments): readonly DataRecord[] => {
      return records.filter(selections.reduce((current, each) => withSelection(current, each, records), query).matching(values));
    };
    return {
      page: (sorted, values, start, limit) => query.page(select(sorted, values), noArguments, start, limit),
      count: (records, values) => query.count(select(records, values), noArguments),
    };
  });
}

const noArguments: FilterArguments = new Map();

function stack(innerLayer: MutantMiddleware, outerLayer: MutantMiddleware): MutantMiddleware {
  return (request, next) => outerLayer(request, (changedRequest) => innerLayer(changedRequest, next));
}
