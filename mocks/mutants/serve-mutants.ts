/**
 * Lists the mutants that a contract's mock can serve, finds them by id, and builds a served API with some of them. `mock-content.ts` calls it at the start and at
 * each reload of a mock with mutants.
 */

import { didYouMean, UsageError } from '../../core/errors.ts';
import { listContractMutants } from '../../core/mutants/contract-edit-mutants.ts';
import { filterMutants } from '../../core/mutants/filter-mutants.ts';
import { filterEdits, type Selection } from '../../core/mutants/mutant.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import { pageMutants } from '../../core/mutants/page-mutants.ts';
import { type Contract, editContract } from '../../core/openapi/contract.ts';
import type { Edit } from '../../core/openapi/edit-document.ts';
import { listsOf } from '../../core/openapi/list-operation.ts';
import type { DataRecord, FilterArguments, Query } from '../../core/query/query.ts';
import type { Middleware } from '../handler/middleware.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { answerMutants } from './answer-mutants.ts';
import { replaceQuery } from './change-exchange.ts';
import { conditionalMutants } from './conditional-mutants.ts';
import { identifierMutants } from './identifier-mutants.ts';
import { keyMutants } from './key-mutants.ts';
import { listMutants } from './list-mutants.ts';
import type { PlacedMutant, ServedMutant } from './mock-mutant.ts';
import { readMutants } from './read-mutants.ts';
import { tenantMutants } from './tenant-mutants.ts';

/** Lists all mutants that a mock of a contract can serve, by family. The contract's open questions must be answered. */
export function mutantsOf(contract: Contract): readonly PlacedMutant[] {
  const all: readonly ServedMutant[] = [
    ...answerMutants(contract),
    ...keyMutants(contract),
    ...listContractMutants(contract),
    ...tenantMutants(contract),
    ...listsOf(contract).flatMap((list) => [...pageMutants(contract, list), ...filterMutants(list)]),
    ...listMutants(contract),
    ...readMutants(contract),
    ...identifierMutants(contract),
    ...conditionalMutants(contract),
  ];
  return all.filter(({ kind }) => !invisibleKinds.includes(kind)).map((each) => ({ ...each, contract: contract.name }));
}

/** Kinds that the mock's data cannot show, since hardly any two records change within one second. */
const invisibleKinds: readonly MutantKind[] = ['checkpoint-rounded-to-second'];

/**
 * Finds mutants by id. If two contracts have a mutant with the same id, both are returned.
 * @throws {UsageError} for an unknown id.
 */
export function findMutants(contracts: readonly Contract[], ids: readonly string[]): readonly PlacedMutant[] {
  if (ids.length === 0) return [];
  const known = contracts.flatMap(mutantsOf);
  return [...new Set(ids)].flatMap((id) => {
    const found = known.filter((each) => each.id === id);
    if (found.length > 0) return found;
    throw new UsageError(
      `there is no mutant ${id}; ${didYouMean(
        id,
        known.map((each) => each.id),
        'touchstone mock --list-mutants lists them',
      )}`,
    );
  });
}

/** A served API with mutants, and the middleware that they need. */
interface MutatedApi {
  readonly api: ServedApi;
  readonly around: Middleware | undefined;
}

/**
 * Adds mutants to an API, in order: changes of the contract, then of queries, then of other parts, then middleware.
 * @throws {UsageError} for two mutants that change the same place of the contract.
 */
export function serveMutants(api: ServedApi, mutants: readonly PlacedMutant[]): MutatedApi {
  const edited = mutants.reduce((current, each) => withEdits(current, each, mutants), api);
  const changed = mutants.reduce((current, each) => replaceQuery(current, each.operation, (query) => changeOf(query, each)), edited);
  const served = mutants.reduce((current, each) => each.serve?.(current) ?? current, changed);
  const layers = mutants.flatMap((each) => each.around?.(served) ?? []);
  return { api: served, around: layers.length === 0 ? undefined : layers.reduce(stack) };
}

function withEdits(api: ServedApi, mutant: PlacedMutant, all: readonly PlacedMutant[]): ServedApi {
  const edits = editsOf(api.contract, mutant);
  if (edits.length === 0) return api;
  try {
    return { ...api, contract: editContract(api.contract, edits) };
  } catch (cause) {
    const others = all.filter((other) => other !== mutant).map((other) => other.id);
    if (others.length === 0) throw cause;
    throw new UsageError(`the mutant ${mutant.id} cannot be combined with ${others.join(', ')}; start one mock for each`, { cause });
  }
}

function editsOf(contract: Contract, { edits = [], filters, operation }: PlacedMutant): readonly Edit[] {
  const list = listsOf(contract).find(({ id }) => id === operation);
  return filters === undefined || list === undefined ? edits : [...edits, ...filterEdits(list, filters)];
}

/** Returns the functions of a query that a mutant replaces: by other arguments, another selection, or other pages. */
function changeOf(query: Query, { arguments: read, selects, pages, replaces }: PlacedMutant): Partial<Query> {
  if (read !== undefined)
    return {
      page: (sorted, values, start, limit) => query.page(sorted, read(values), start, limit),
      count: (records, values) => query.count(records, read(values)),
    };
  if (selects !== undefined) return selecting(query, selects);
  if (pages === undefined) return replaces?.(query) ?? {};
  const cut = pages();
  return { page: (sorted, values, start, limit) => cut(query, sorted, values, start, limit) };
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

function stack(inner: Middleware, outer: Middleware): Middleware {
  return (request, next) => outer(request, (changed) => inner(changed, next));
}
