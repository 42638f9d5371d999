/**
 * Applies mutants to a served API: edits of its contract, then other queries, other parts, and middleware. `build-mock-content.ts` calls it for each API with
 * mutants, at the start and at each reload of a mock. It defines no mutant, and `find-mutants.ts` finds them.
 */

import { UsageError } from '../../core/errors.ts';
import { filterEdits, type Selection } from '../../core/mutants/mutant.ts';
import { type Contract, editContract } from '../../core/openapi/contract.ts';
import type { Edit } from '../../core/openapi/edit-document.ts';
import { listsOf } from '../../core/openapi/list-operation.ts';
import type { DataRecord, FilterArguments, Query } from '../../core/query/query.ts';
import type { MutantMiddleware } from '../handler/mutant-middleware.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { FoundMutant } from './mock-mutant.ts';
import { replaceQuery } from './mock-mutant.ts';

/** A served API with mutants, and the middleware that they need. */
interface MutatedApi {
  readonly api: ServedApi;
  readonly around: MutantMiddleware | undefined;
}

/**
 * Adds mutants to an API, in order: changes of the contract, then of queries, then of other parts, then middleware.
 * @throws {UsageError} for two mutants that change the same place of the contract.
 */
export function serveMutants(api: ServedApi, mutants: readonly FoundMutant[]): MutatedApi {
  const editedApi = mutants.reduce((current, each) => withEdits(current, each, mutants), api);
  const queriedApi = mutants.reduce((current, each) => replaceQuery(current, each.operation, (query) => changeOf(query, each)), editedApi);
  const servedApi = mutants.reduce((current, each) => each.serve?.(current) ?? current, queriedApi);
  const layers = mutants.flatMap((each) => each.around?.(servedApi) ?? []);
  return { api: servedApi, around: layers.length === 0 ? undefined : layers.reduce(stack) };
}

function withEdits(api: ServedApi, mutant: FoundMutant, allMutants: readonly FoundMutant[]): ServedApi {
  const edits = editsOf(api.contract, mutant);
  if (edits.length === 0) return api;
  try {
    return { ...api, contract: editContract(api.contract, edits) };
  } catch (cause) {
    const otherIds = allMutants.filter((other) => other !== mutant).map((other) => other.id);
    if (otherIds.length === 0) throw cause;
    throw new UsageError(`the mutant ${mutant.id} cannot be combined with ${otherIds.join(', ')}; start one mock for each`, { cause });
  }
}

function editsOf(contract: Contract, { edits = [], filters, operation }: FoundMutant): readonly Edit[] {
  const list = listsOf(contract).find(({ id }) => id === operation);
  return filters === undefined || list === undefined ? edits : [...edits, ...filterEdits(list, filters)];
}

/** Returns the functions of a query that a mutant replaces: by other arguments, another selection, or other pages. */
function changeOf(query: Query, { arguments: changeArguments, selects, pages, replaces }: FoundMutant): Partial<Query> {
  if (changeArguments !== undefined)
    return {
      page: (sorted, values, start, limit) => query.page(sorted, changeArguments(values), start, limit),
      count: (records, values) => query.count(records, changeArguments(values)),
    };
  if (selects !== undefined) return selecting(query, selects);
  if (pages === undefined) return replaces?.(query) ?? {};
  const cutPage = pages();
  return { page: (sorted, values, start, limit) => cutPage(query, sorted, values, start, limit) };
}

/** Replaces the selection of records. Their visibility stays. */
function selecting(query: Query, selects: Selection): Partial<Query> {
  const select = (records: readonly DataRecord[], values: FilterArguments): readonly DataRecord[] =>
    records.filter(selects(values, query, records));
  return {
    page: (sorted, values, start, limit) => query.page(select(sorted, values), noArguments, start, limit),
    count: (records, values) => query.count(select(records, values), noArguments),
  };
}

const noArguments: FilterArguments = new Map();

function stack(innerLayer: MutantMiddleware, outerLayer: MutantMiddleware): MutantMiddleware {
  return (request, next) => outerLayer(request, (changedRequest) => innerLayer(changedRequest, next));
}
