/** Mutants that show hidden records: in lists, counts, searches, single reads and error messages. */

import type { HttpRequest } from '../../core/http/exchange.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type ListOperation, listsOf } from '../../core/openapi/list-operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { createQuery, type Query } from '../../core/query/query.ts';
import { recordsOfTenants, type ServedApi } from '../handler/served-api.ts';
import { identifierOf, mapBody } from './change-exchange.ts';
import { isFailure, type ListedMutant, onResponse, operationMutants, replaceQuery } from './mock-mutant.ts';
import { listFor, type ReadOperation, recordReadsOf } from './select-operations.ts';

/** Lists the mutants of collections with hidden records. */
export function visibilityMutants(contract: Contract): readonly ListedMutant[] {
  return listsOf(contract).flatMap((list) => {
    if (list.collection.visible === undefined) return [];
    const reads = recordReadsOf(contract).filter((operation) => listFor(contract, operation) === list);
    return [...hiddenInLists(list), ...reads.flatMap((operation) => hiddenInReads(operation, list))];
  });
}

function hiddenInLists(list: ListOperation): readonly ListedMutant[] {
  const { visible: _, ...rules } = list.collection;
  const search = [...list.collection.filters].find(([, filter]) => filter.operator === 'matches')?.[0];
  const openQuery = createQuery(rules, rules.kindOf);
  const inSearches = (query: Query): Pick<Query, 'page' | 'count'> => ({
    page: (sorted, values, start, limit) => (values.has(search ?? '') ? openQuery : query).page(sorted, values, start, limit),
    count: (records, values) => (values.has(search ?? '') ? openQuery : query).count(records, values),
  });
  return operationMutants(
    { operation: list.id },
    {
      'hidden-listed': { replaces: () => ({ page: openQuery.page, count: openQuery.count }) },
      'hidden-counted': { replaces: () => ({ count: openQuery.count }) },
      'hidden-found': search !== undefined && { replaces: inSearches },
      'hidden-found-count': search !== undefined && { replaces: (query) => ({ count: inSearches(query).count }) },
    },
  );
}

function hiddenInReads(operation: ReadOperation, list: ListOperation): readonly ListedMutant[] {
  return operationMutants(
    { operation: operation.id },
    {
      'hidden-read': { serve: (api) => replaceQuery(api, list.id, () => ({ isVisible: () => true })) },
      'hidden-in-failure': onResponse(isFailure, ({ api, request, response }) => {
        const record = findHidden(api, request, operation, list);
        return record === undefined ? response : mapBody(response, (body) => withValueAt(body, '/data', record));
      }),
    },
  );
}

function findHidden(api: ServedApi, request: HttpRequest, operation: ReadOperation, list: ListOperation): JsonObject | undefined {
  const records = recordsOfTenants(api, list.collection.name);
  const record = records.find((candidate) =>
    [...operation.resource.by].every(([parameter, field]) => String(valueAt(candidate, field)) === identifierOf(api, request, parameter)),
  );
  return isObject(record) && !list.collection.query.isVisible(record) ? record : undefined;
}
