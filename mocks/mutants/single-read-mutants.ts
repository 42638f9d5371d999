/**
 * Mutants of single reads: the record differs from the list, is at another place of the body, or is missing. `find-mutants.ts` lists them for each contract,
 * when mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` applies the chosen ones at each start and reload. ETags of single reads
 * are in `conditional-read-mutants.ts`.
 */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { ListOperation } from '../../core/openapi/list-operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { Respond } from '../handler/mutant-middleware.ts';
import { datasetNow, recordsOfTenants, type ServedApi } from '../handler/served-api.ts';
import { bodyOf, errorResponse, identifierOf, mapBody, withBody, withIdentifier, withKeyOf } from './change-exchange.ts';
import { isFullyStated } from './has-stated-rule.ts';
import { createResponseMutant, type ServedMutant } from './mock-mutant.ts';
import { listFor, type ReadOperation, readsOf, recordReadsOf } from './select-operations.ts';

/** Lists the mutants of all single reads. */
export function singleReadMutants(contract: Contract): readonly ServedMutant[] {
  return [
    ...recordReadsOf(contract).flatMap((operation) => {
      const list = listFor(contract, operation);
      return list === undefined
        ? []
        : [...agreementMutants(operation, list), ...reachMutants(operation, list), ...placeMutants(contract, operation)];
    }),
    ...viewMutants(contract),
  ];
}

/** Returns the record in a success. */
function recordIn({ resource }: ReadOperation, response: HttpResponse): Json | undefined {
  return response.status === 200 ? valueAt(bodyOf(response), resource.at) : undefined;
}

function agreementMutants(operation: ReadOperation, list: ListOperation): readonly ServedMutant[] {
  const { version, filters } = list.collection;
  const [state] = [...filters].flatMap(([name, filter]) => {
    const allowed = list.parameters.find((parameter) => parameter.key === name)?.allowed ?? [];
    return filter.operator !== 'matches' && allowed.length > 1 ? [{ field: filter.field, allowed }] : [];
  });
  const detailMutant = (kind: MutantKind, field: string, change: (value: Json | undefined) => Json): ServedMutant =>
    createResponseMutant(kind, { operation: operation.id, words: { field: field.slice(1) } }, ({ response }) => {
      const record = recordIn(operation, response);
      if (record === undefined) return response;
      const changedRecord = withValueAt(record, field, change(valueAt(record, field)));
      return mapBody(response, (body) => withValueAt(body, operation.resource.at, changedRecord));
    });
  const nextState = ({ allowed }: NonNullable<typeof state>, value: Json | undefined): Json =>
    allowed[(allowed.indexOf(value ?? null) + 1) % allowed.length] ?? null;
  const yearBefore = (value: Json | undefined): Json => String(value).replace(/^(\d{4})/, (year) => String(Number(year) - 1));
  return [
    ...(state === undefined ? [] : [detailMutant('detail-state-differs', state.field, (value) => nextState(state, value))]),
    ...(version === undefined ? [] : [detailMutant('detail-version-older', version, yearBefore)]),
  ];
}

const notFoundMessage = 'No record matches this request.';

/** Mutants with records that cannot be read, or that a wrong identifier finds. */
function reachMutants(operation: ReadOperation, list: ListOperation): readonly ServedMutant[] {
  const { name, key } = list.collection;
  const names = [...operation.resource.by.keys()];
  const place = { operation: operation.id };
  const isThird = (api: ServedApi, record: Json): boolean => {
    const records = recordsOfTenants(api, name);
    return records.findIndex((each) => valueAt(each, key) === valueAt(record, key)) % 3 === 2;
  };
  return [
    createResponseMutant('listed-record-absent', place, ({ api, request, response }) => {
      const record = recordIn(operation, response);
      return record !== undefined && isThird(api, record) ? errorResponse(api, request, 404, notFoundMessage) : response;
    }),
    createResponseMutant('absent-as-first', place, ({ api, request, response, next }) => {
      const parameter = names.find((each) => identifierOf(api, request, each) !== undefined);
      if (response.status !== 404 || parameter === undefined) return response;
      return readFirst(api, operation, list, parameter, (value) => next(withIdentifier(api, request, parameter, value)));
    }),
    createResponseMutant('absent-as-empty', place, ({ response }) => {
      const pointer = operation.resource.at === '' ? '/data' : operation.resource.at;
      return response.status === 404 ? { ...withBody(response, withValueAt({}, pointer, null)), status: 200 } : response;
    }),
    ...names.slice(1).flatMap((parameter) => alternativeMutants(operation, list, parameter)),
  ];
}

/** Mutants of operations that identify a record by one of several parameters: one parameter behaves differently. */
function alternativeMutants(operation: ReadOperation, list: ListOperation, parameter: string): readonly ServedMutant[] {
  const place = { operation: operation.id, part: parameter, words: { parameter } };
  const isFound = (api: ServedApi, request: HttpRequest, response: HttpResponse): boolean =>
    response.status === 200 && identifierOf(api, request, parameter) !== undefined;
  return [
    createResponseMutant('alternative-absent', place, ({ api, request, response }) =>
      isFound(api, request, response) ? errorResponse(api, request, 404, notFoundMessage) : response,
    ),
    createResponseMutant('alternative-other-record', place, ({ api, request, response, next }) =>
      isFound(api, request, response)
        ? readFirst(api, operation, list, parameter, (value) => next(withIdentifier(api, request, parameter, value)))
        : response,
    ),
  ];
}

/** Reads the first record that the caller may see. */
async function readFirst(
  api: ServedApi,
  operation: ReadOperation,
  list: ListOperation,
  parameter: string,
  readBy: (value: string) => ReturnType<Respond>,
): Promise<HttpResponse> {
  const field = operation.resource.by.get(parameter) ?? '';
  const firstRecords = api.dataset.tenants.flatMap((tenant) =>
    list.collection.query.sort(datasetNow(api).records(tenant, list.collection.name)).slice(0, 1),
  );
  const responses = await Promise.all(firstRecords.map((record) => readBy(String(valueAt(record, field)))));
  const [firstResponse] = responses;
  const response = responses.find(({ status }) => status === 200) ?? firstResponse;
  if (response === undefined) throw new Error(`${operation.id} has no record to respond with; serve a dataset that has one`);
  return response;
}

/** Mutants of the record's place in the body, only if it is an open question: otherwise another place violates the schema. */
function placeMutants(contract: Contract, operation: ReadOperation): readonly ServedMutant[] {
  if (isFullyStated(contract, operation, '/x-resource/at')) return [];
  return [
    createResponseMutant('place-varies', { operation: operation.id }, ({ response }) => {
      const record = recordIn(operation, response);
      const isOdd = isObject(record) && JSON.stringify(record).length % 2 === 1;
      return isOdd ? withBody(response, operation.resource.at === '/data' ? record : withValueAt({}, '/data', record)) : response;
    }),
  ];
}

/** Mutants of resources with two views, one of which is missing or present alone. */
function viewMutants(contract: Contract): readonly ServedMutant[] {
  return readsOf(contract)
    .filter(({ resource, responses }) => resource.view !== undefined && responses.has('404'))
    .flatMap(({ id }) => [
      createResponseMutant('view-absent', { operation: id }, ({ api, request, response }) =>
        response.status === 200 ? errorResponse(api, request, 404, notFoundMessage) : response,
      ),
      createResponseMutant('view-present', { operation: id }, ({ api, request, response, next }) =>
        response.status === 404 ? next(withKeyOf(api, request, api.dataset.tenants[0] ?? '')) : response,
      ),
    ]);
}
