/** Mutants of single reads: the record differs from the list, is at another place of the body, or is missing. */

import type { HttpResponse } from '../../core/http/exchange.ts';
import { isObject, type Json, printJson } from '../../core/json.ts';
import type { MutantPlace } from '../../core/mutants/mutant.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { ListOperation } from '../../core/openapi/list-operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { datasetNow, recordsOfTenants, type ServedApi } from '../handler/served-api.ts';
import { bodyOf, identifierOf, mapBody, withBody, withIdentifier } from './change-exchange.ts';
import {
  type Behaviours,
  type Deviation,
  type ListedMutant,
  type MutantExchange,
  onResponse,
  operationMutants,
  respondToFirstTenant,
  respondWith,
} from './mock-mutant.ts';
import { listFor, type ReadOperation, readsOf, recordReadsOf } from './select-operations.ts';
import { isFullyStated } from './stated-rules.ts';

/** Lists the mutants of all single reads. */
export function singleReadMutants(contract: Contract): readonly ListedMutant[] {
  return [
    ...recordReadsOf(contract).flatMap((operation) => {
      const list = listFor(contract, operation);
      if (list === undefined) return [];
      // If the place of the record is stated, any other place violates the schema.
      const isPlaceStated = isFullyStated(contract, operation, '/x-resource/at');
      return [
        ...agreementMutants(operation, list),
        ...reachMutants(operation, list),
        ...(isPlaceStated ? [] : operationMutants({ operation: operation.id }, { 'place-varies': varyPlace(operation) })),
      ];
    }),
    ...readsOf(contract)
      .filter(({ resource, responses }) => resource.view !== undefined && responses.has('404'))
      .flatMap(({ id }) => operationMutants({ operation: id }, viewBehaviours)),
  ];
}

/** Changes successes with a record. */
function onRecord({ resource }: ReadOperation, change: (exchange: MutantExchange, record: Json) => HttpResponse): Deviation {
  return onResponse(200, (exchange) => {
    const record = valueAt(bodyOf(exchange.response), resource.at);
    return record === undefined ? exchange.response : change(exchange, record);
  });
}

function agreementMutants(operation: ReadOperation, list: ListOperation): readonly ListedMutant[] {
  const { version, filters } = list.collection;
  const [state] = [...filters].flatMap(([name, filter]) => {
    const allowed = list.parameters.find((parameter) => parameter.key === name)?.allowed ?? [];
    return filter.operator !== 'matches' && allowed.length > 1 ? [{ field: filter.field, allowed }] : [];
  });
  const withField = (field: string, change: (value: Json | undefined) => Json): Deviation =>
    onRecord(operation, ({ response }, record) => {
      const changedRecord = withValueAt(record, field, change(valueAt(record, field)));
      return mapBody(response, (body) => withValueAt(body, operation.resource.at, changedRecord));
    });
  const placeOf = (field = ''): MutantPlace => ({ operation: operation.id, words: { field: field.slice(1) } });
  return [
    ...operationMutants(placeOf(state?.field), {
      'detail-state-differs': state !== undefined && withField(state.field, (value) => nextOf(state.allowed, value)),
    }),
    ...operationMutants(placeOf(version), { 'detail-version-older': version !== undefined && withField(version, yearBefore) }),
  ];
}

function nextOf(allowed: readonly Json[], value: Json | undefined): Json {
  return allowed[(allowed.indexOf(value ?? null) + 1) % allowed.length] ?? null;
}

function yearBefore(value: Json | undefined): Json {
  return String(value).replace(/^(\d{4})/, (year) => String(Number(year) - 1));
}

const respondAsAbsent = respondWith(404, 'No record matches this request.');

/** Mutants with records that cannot be read, or that a wrong identifier finds. */
function reachMutants(operation: ReadOperation, list: ListOperation): readonly ListedMutant[] {
  const { name, key } = list.collection;
  const names = [...operation.resource.by.keys()];
  const isThird = (api: ServedApi, record: Json): boolean => {
    const records = recordsOfTenants(api, name);
    return records.findIndex((each) => valueAt(each, key) === valueAt(record, key)) % 3 === 2;
  };
  const isSent = ({ api, request }: MutantExchange, parameter: string): boolean => identifierOf(api, request, parameter) !== undefined;
  return [
    ...operationMutants(
      { operation: operation.id },
      {
        'listed-record-absent': onRecord(operation, (exchange, record) =>
          isThird(exchange.api, record) ? respondAsAbsent(exchange) : exchange.response,
        ),
        'absent-as-first': onResponse(404, (exchange) => {
          const parameter = names.find((each) => isSent(exchange, each));
          return parameter === undefined ? exchange.response : readFirst(exchange, operation, list, parameter);
        }),
        'absent-as-empty': onResponse(404, ({ response }) => {
          const pointer = operation.resource.at === '' ? '/data' : operation.resource.at;
          return { ...withBody(response, withValueAt({}, pointer, null)), status: 200 };
        }),
      },
    ),
    // Of several parameters that identify a record, one behaves differently.
    ...names.slice(1).flatMap((parameter) =>
      operationMutants(
        { operation: operation.id, part: parameter, words: { parameter } },
        {
          'alternative-absent': onResponse(200, (exchange) =>
            isSent(exchange, parameter) ? respondAsAbsent(exchange) : exchange.response,
          ),
          'alternative-other-record': onResponse(200, (exchange) =>
            isSent(exchange, parameter) ? readFirst(exchange, operation, list, parameter) : exchange.response,
          ),
        },
      ),
    ),
  ];
}

/** Reads the first record that the caller may see. */
async function readFirst(
  { api, request, next }: MutantExchange,
  operation: ReadOperation,
  list: ListOperation,
  parameter: string,
): Promise<HttpResponse> {
  const field = operation.resource.by.get(parameter) ?? '';
  const firstRecords = api.dataset.tenants.flatMap((tenant) =>
    list.collection.query.sort(datasetNow(api).records(tenant, list.collection.name)).slice(0, 1),
  );
  const requests = firstRecords.map((record) => withIdentifier(api, request, parameter, String(valueAt(record, field))));
  const responses = await Promise.all(requests.map(next));
  const [firstResponse] = responses;
  const response = responses.find(({ status }) => status === 200) ?? firstResponse;
  if (response === undefined) throw new Error(`${operation.id} has no record to respond with; serve a dataset that has one`);
  return response;
}

/** Puts some records at another place of the body. */
function varyPlace(operation: ReadOperation): Deviation {
  return onRecord(operation, ({ response }, record) => {
    const isOdd = isObject(record) && printJson(record).length % 2 === 1;
    return isOdd ? withBody(response, operation.resource.at === '/data' ? record : withValueAt({}, '/data', record)) : response;
  });
}

/** Of two views of a resource, one is missing or present alone. */
const viewBehaviours: Behaviours = {
  'view-absent': onResponse(200, respondAsAbsent),
  'view-present': onResponse(404, respondToFirstTenant),
};
