/** Mutants that show records of other tenants, or reveal that they exist. */

import { type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type CursorList, type ListOperation, listsOf } from '../../core/openapi/list-operation.ts';
import type { DataRecord, Query } from '../../core/query/query.ts';
import { recordsOfTenants, type ServedApi } from '../handler/served-api.ts';
import { errorResponse, queryValue, withKeyOf } from './change-exchange.ts';
import {
  type Deviation,
  type ListedMutant,
  type MutantExchange,
  onResponse,
  operationMutants,
  respondToFirstTenant,
} from './mock-mutant.ts';
import { cursorListsOf, type ReadOperation, readsOf, recordReadsOf } from './select-operations.ts';

/** Lists the mutants of an API with tenants; none for another API. */
export function tenantMutants(contract: Contract): readonly ListedMutant[] {
  if (!contract.tenancy) return [];
  return [
    ...recordReadsOf(contract).flatMap(foreignReads),
    ...readsOf(contract)
      .filter(({ resource }) => resource.by.size === 0)
      .flatMap(({ id }) => operationMutants({ operation: id }, { 'first-tenant-for-all': onResponse(200, respondToFirstTenant) })),
    ...listsOf(contract).flatMap(foreignLists),
    ...cursorListsOf(contract).flatMap(foreignCursors),
  ];
}

function foreignReads({ id, resource, responses }: ReadOperation): readonly ListedMutant[] {
  const refuseWith = (status: number): Deviation =>
    onForeign(({ api, request }) => errorResponse(api, request, status, 'This record belongs to another account.'));
  return [
    ...[...resource.by.keys()].flatMap((parameter) =>
      operationMutants(
        { operation: id, part: parameter, words: { parameter } },
        {
          'foreign-record-shown': onForeign(({ request, response, foreign }) =>
            queryValue(request, parameter) === undefined ? response : foreign,
          ),
        },
      ),
    ),
    ...operationMutants(
      { operation: id },
      {
        'foreign-record-told': refuseWith(404),
        'foreign-record-forbidden': refuseWith(403),
        'foreign-record-unchanged':
          responses.has('304') &&
          onForeign(({ request, response, foreign }) =>
            headerOf(request.headers, 'if-none-match') !== undefined && foreign.status === 304 ? foreign : response,
          ),
      },
    ),
  ];
}

/** Changes a 404 for a record of another tenant; `foreign` is the response that the record's owner would get. */
function onForeign(change: (exchange: MutantExchange & { readonly foreign: HttpResponse }) => HttpResponse): Deviation {
  return onResponse(404, async (exchange) => {
    const { api, request, response, next } = exchange;
    for (const tenant of api.dataset.tenants) {
      const foreign = await next(withKeyOf(api, request, tenant));
      if (foreign.status === 200 || foreign.status === 304) return change({ ...exchange, foreign });
    }
    return response;
  });
}

function foreignLists(list: ListOperation): readonly ListedMutant[] {
  const { name, filters } = list.collection;
  const sortAll = (query: Query, api: ServedApi): readonly DataRecord[] => query.sort(recordsOfTenants(api, name));
  const parameter = [...filters.keys()].find((each) => (list.parameters.find(({ key }) => key === each)?.allowed.length ?? 0) > 0);
  const listed = operationMutants(
    { operation: list.id },
    { 'foreign-records-listed': { replaces: (query, api) => ({ sort: () => sortAll(query, api) }) } },
  );
  if (parameter === undefined) return listed;
  const replaces: Deviation['replaces'] = (query, api) => {
    const allSorted = sortAll(query, api);
    return { page: (sorted, values, start, limit) => query.page(values.has(parameter) ? allSorted : sorted, values, start, limit) };
  };
  const place = { operation: list.id, part: parameter, words: { parameter } };
  return [...listed, ...operationMutants(place, { 'foreign-records-filtered': { replaces } })];
}

function foreignCursors({ id, collection }: CursorList): readonly ListedMutant[] {
  const isUndecided = ({ response }: MutantExchange): boolean => ![200, 401, 403].includes(response.status);
  return operationMutants(
    { operation: id },
    {
      'foreign-cursor-accepted': onResponse(isUndecided, ({ api, request, response, next }) => {
        const content = api.cursors.decode(queryValue(request, collection.page.cursor) ?? '');
        return content === undefined ? response : next(withKeyOf(api, request, content.tenant));
      }),
    },
  );
}
