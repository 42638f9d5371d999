/**
 * Mutants that show records of other tenants. `find-mutants.ts` lists them for each contract, when mutants are listed or a mock with mutants starts or reloads.
 * `serve-mutants.ts` applies the chosen ones at each start and reload. Hidden records are in `visibility-mutants.ts`.
 */

import { type HttpRequest, type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type ListOperation, listsOf } from '../../core/openapi/list-operation.ts';
import type { DataRecord, Query } from '../../core/query/query.ts';
import type { Respond } from '../handler/mutant-middleware.ts';
import { recordsOfTenants, type ServedApi } from '../handler/served-api.ts';
import { errorResponse, queryValue, withKeyOf } from './change-exchange.ts';
import { createMutant, createResponseMutant, type ServedMutant } from './mock-mutant.ts';
import { cursorListsOf, type ReadOperation, readsOf, recordReadsOf } from './select-operations.ts';

/** Lists the mutants of an API with tenants; none for another API. */
export function tenantMutants(contract: Contract): readonly ServedMutant[] {
  if (!contract.tenancy) return [];
  return [
    ...recordReadsOf(contract).flatMap(foreignReads),
    ...readsOf(contract)
      .filter(({ resource }) => resource.by.size === 0)
      .map(firstTenant),
    ...listsOf(contract).flatMap(foreignLists),
    ...cursorListsOf(contract).map((list) => foreignCursor(list, list.collection.page.cursor)),
  ];
}

/** Makes the response for a record of another tenant, in place of 404. */
type ForeignResponse = (api: ServedApi, request: HttpRequest, foreign: HttpResponse, response: HttpResponse) => HttpResponse;

function foreignReads({ id, resource, responses }: ReadOperation): readonly ServedMutant[] {
  const foreignRecordMutant = (kind: MutantKind, respond: ForeignResponse, parameter?: string): ServedMutant =>
    createResponseMutant(
      kind,
      { operation: id, ...(parameter === undefined ? {} : { part: parameter, words: { parameter } }) },
      async ({ api, request, response, next }) => {
        const foreignResponse = response.status === 404 ? await readForeign(api, request, next) : undefined;
        return foreignResponse === undefined ? response : respond(api, request, foreignResponse, response);
      },
    );
  const refuseWith =
    (status: number): ForeignResponse =>
    (api, request) =>
      errorResponse(api, request, status, 'This record belongs to another account.');
  const showNotModified: ForeignResponse = (_, request, foreignResponse, response) =>
    headerOf(request.headers, 'if-none-match') !== undefined && foreignResponse.status === 304 ? foreignResponse : response;
  return [
    ...[...resource.by.keys()].map((name) =>
      foreignRecordMutant(
        'foreign-record-shown',
        (_, request, foreignResponse, response) => (queryValue(request, name) === undefined ? response : foreignResponse),
        name,
      ),
    ),
    foreignRecordMutant('foreign-record-told', refuseWith(404)),
    foreignRecordMutant('foreign-record-forbidden', refuseWith(403)),
    ...(responses.has('304') ? [foreignRecordMutant('foreign-record-unchanged', showNotModified)] : []),
  ];
}

/** Returns the response that the record's owner would get; `undefined` if no tenant has the record. */
async function readForeign(api: ServedApi, request: HttpRequest, next: Respond): Promise<HttpResponse | undefined> {
  for (const tenant of api.dataset.tenants) {
    const response = await next(withKeyOf(api, request, tenant));
    if (response.status === 200 || response.status === 304) return response;
  }
  return undefined;
}

/** Mutant that shows the first tenant's resource to all tenants. */
function firstTenant({ id }: ReadOperation): ServedMutant {
  return createResponseMutant('first-tenant-for-all', { operation: id }, ({ api, request, response, next }) =>
    response.status === 200 ? next(withKeyOf(api, request, api.dataset.tenants[0] ?? '')) : response,
  );
}

function foreignLists(list: ListOperation): readonly ServedMutant[] {
  const { name, filters } = list.collection;
  const sortAll = (query: Query, api: ServedApi): readonly DataRecord[] => query.sort(recordsOfTenants(api, name));
  const parameter = [...filters.keys()].find((each) => (list.parameters.find(({ key }) => key === each)?.allowed.length ?? 0) > 0);
  const listedMutant = createMutant(
    'foreign-records-listed',
    { operation: list.id },
    { replaces: (query, api) => ({ sort: () => sortAll(query, api) }) },
  );
  if (parameter === undefined) return [listedMutant];
  const filteredMutant = createMutant(
    'foreign-records-filtered',
    { operation: list.id, part: parameter, words: { parameter } },
    {
      replaces: (query, api) => {
        const allSorted = sortAll(query, api);
        return { page: (sorted, values, start, limit) => query.page(values.has(parameter) ? allSorted : sorted, values, start, limit) };
      },
    },
  );
  return [listedMutant, filteredMutant];
}

function foreignCursor(list: ListOperation, cursor: string): ServedMutant {
  return createResponseMutant('foreign-cursor-accepted', { operation: list.id }, ({ api, request, response, next }) => {
    const isDecided = [200, 401, 403].includes(response.status);
    const content = isDecided ? undefined : api.cursors.decode(queryValue(request, cursor) ?? '');
    return content === undefined ? response : next(withKeyOf(api, request, content.tenant));
  });
}
