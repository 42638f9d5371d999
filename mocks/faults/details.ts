/** Faults of single reads: what they show differs from the list, stands elsewhere, or is not there. */

import type { Contract } from '../../core/contract.ts';
import type { HttpResponse } from '../../core/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { Respond } from '../middleware.ts';
import { type ServedApi, worldNow } from '../served-api.ts';
import { type FaultDraft, type ListOperation, listFor, type ReadOperation, readsOf, recordReadsOf } from './fault.ts';
import { isSettled } from './place.ts';
import { at, bodyOf, failure, identifierOf, mapBody, withBody, withIdentifier, withKeyOf } from './request-edit.ts';

/** Faults of each single read. */
export function detailFaults(contract: Contract): readonly FaultDraft[] {
  return [
    ...recordReadsOf(contract).flatMap((operation) => {
      const list = listFor(contract, operation);
      return list === undefined
        ? []
        : [...agreementFaults(operation, list), ...reachFaults(operation, list), ...placeFaults(contract, operation)];
    }),
    ...viewFaults(contract),
  ];
}

/** A change of the record that a single read shows. */
function showing(operation: ReadOperation, kind: string, law: string, title: string, change: (record: Json) => Json): FaultDraft {
  const { at: pointer } = operation.resource;
  return {
    kind,
    place: operation.id,
    law,
    title,
    around: (api) =>
      at(api, operation.id, async (request, next) => {
        const response = await next(request);
        const record = response.status === 200 ? valueAt(bodyOf(response), pointer) : undefined;
        return record === undefined ? response : mapBody(response, (body) => withValueAt(body, pointer, change(record)));
      }),
  };
}

function agreementFaults(operation: ReadOperation, list: ListOperation): readonly FaultDraft[] {
  const { version } = list.collection;
  const listed = [...list.collection.filters].flatMap(([name, filter]) => {
    const allowed = list.parameters.find((parameter) => parameter.key === name)?.allowed ?? [];
    return filter.operator !== 'matches' && allowed.length > 1 ? [{ field: filter.field, allowed }] : [];
  });
  const [state] = listed;
  return [
    ...(state === undefined
      ? []
      : [
          showing(
            operation,
            'detail-state-differs',
            'details/agree',
            `The single read shows another value of ${state.field} than the list.`,
            (record) => {
              const index = state.allowed.indexOf(valueAt(record, state.field) ?? null);
              return withValueAt(record, state.field, state.allowed[(index + 1) % state.allowed.length] ?? null);
            },
          ),
        ]),
    ...(version === undefined
      ? []
      : [
          showing(
            operation,
            'detail-version-older',
            'details/agree',
            `The single read shows an older ${version} than the list.`,
            (record) =>
              withValueAt(
                record,
                version,
                String(valueAt(record, version)).replace(/^(\d{4})/, (year) => String(Number(year) - 1)),
              ),
          ),
        ]),
  ];
}

/** What cannot be read, or can be read by a wrong name. */
function reachFaults(operation: ReadOperation, list: ListOperation): readonly FaultDraft[] {
  const { name, key } = list.collection;
  const names = [...operation.resource.by.keys()];
  const isThird = (api: ServedApi, record: Json): boolean => {
    const records = api.world.tenants.flatMap((tenant) => worldNow(api).records(tenant, name));
    return records.findIndex((each) => valueAt(each, key) === valueAt(record, key)) % 3 === 2;
  };
  return [
    {
      kind: 'listed-record-absent',
      place: operation.id,
      law: 'details/reachable',
      title: 'Some records of the list are 404 when they are read alone.',
      around: (api) =>
        at(api, operation.id, async (request, next) => {
          const response = await next(request);
          const record = response.status === 200 ? valueAt(bodyOf(response), operation.resource.at) : undefined;
          return record !== undefined && isThird(api, record)
            ? failure(api, request, 404, 'There is nothing here by that name.')
            : response;
        }),
    },
    {
      kind: 'absent-as-first',
      place: operation.id,
      law: 'details/absent',
      title: 'What does not exist is answered with some other record.',
      around: (api) =>
        at(api, operation.id, async (request, next) => {
          const response = await next(request);
          const parameter = names.find((each) => identifierOf(api, request, each) !== undefined);
          if (response.status !== 404 || parameter === undefined) return response;
          return readFirst(api, operation, list, parameter, (value) => next(withIdentifier(api, request, parameter, value)));
        }),
    },
    {
      kind: 'absent-as-empty',
      place: operation.id,
      law: 'details/absent',
      title: 'What does not exist is a success without a record.',
      around: (api) =>
        at(api, operation.id, async (request, next) => {
          const response = await next(request);
          return response.status === 404
            ? { ...withBody(response, withValueAt({}, operation.resource.at === '' ? '/data' : operation.resource.at, null)), status: 200 }
            : response;
        }),
    },
    ...names.slice(1).flatMap((parameter) => alternativeFaults(operation, list, parameter)),
  ];
}

/** A record is named by several parameters, and one of them does not do what the others do. */
function alternativeFaults(operation: ReadOperation, list: ListOperation, parameter: string): readonly FaultDraft[] {
  const common = { place: `${operation.id}.${parameter}`, law: 'details/alternatives' };
  return [
    {
      ...common,
      kind: 'alternative-absent',
      title: `By ${parameter} nothing is found.`,
      around: (api) =>
        at(api, operation.id, async (request, next) => {
          const response = await next(request);
          const isFound = response.status === 200 && identifierOf(api, request, parameter) !== undefined;
          return isFound ? failure(api, request, 404, 'There is nothing here by that name.') : response;
        }),
    },
    {
      ...common,
      kind: 'alternative-other-record',
      title: `By ${parameter} another record is found.`,
      around: (api) =>
        at(api, operation.id, async (request, next) => {
          const response = await next(request);
          if (response.status !== 200 || identifierOf(api, request, parameter) === undefined) return response;
          return readFirst(api, operation, list, parameter, (value) => next(withIdentifier(api, request, parameter, value)));
        }),
    },
  ];
}

/** The first record that this caller can read. */
async function readFirst(
  api: ServedApi,
  operation: ReadOperation,
  list: ListOperation,
  parameter: string,
  read: (value: string) => ReturnType<Respond>,
): Promise<HttpResponse> {
  const field = operation.resource.by.get(parameter) ?? '';
  const firsts = api.world.tenants.flatMap((tenant) =>
    list.collection.query.sort(worldNow(api).records(tenant, list.collection.name)).slice(0, 1),
  );
  const answers = await Promise.all(firsts.map((record) => read(String(valueAt(record, field)))));
  const [fallback] = answers;
  const found = answers.find((answer) => answer.status === 200) ?? fallback;
  if (found === undefined) throw new Error(`${operation.id} has no record to answer with; serve a world that has one`);
  return found;
}

/** Only where the place is open: elsewhere another place breaks the schema. */
function placeFaults(contract: Contract, operation: ReadOperation): readonly FaultDraft[] {
  if (isSettled(contract, operation, '/x-resource/at')) return [];
  const { at: pointer } = operation.resource;
  return [
    {
      kind: 'place-varies',
      place: operation.id,
      law: 'details/same-place',
      title: 'Some records stand at another place of the body than others.',
      around: (api) =>
        at(api, operation.id, async (request, next) => {
          const response = await next(request);
          const record = response.status === 200 ? valueAt(bodyOf(response), pointer) : undefined;
          const isOdd = isObject(record) && JSON.stringify(record).length % 2 === 1;
          return isOdd ? withBody(response, pointer === '/data' ? record : withValueAt({}, '/data', record)) : response;
        }),
    },
  ];
}

/** Two views of one thing. */
function viewFaults(contract: Contract): readonly FaultDraft[] {
  return readsOf(contract)
    .filter(({ resource, responses }) => resource.view !== undefined && responses.has('404'))
    .flatMap((operation): readonly FaultDraft[] => [
      {
        kind: 'view-absent',
        place: operation.id,
        law: 'details/views',
        title: 'This view is absent, although the thing itself is there.',
        around: (api) =>
          at(api, operation.id, async (request, next) => {
            const response = await next(request);
            return response.status === 200 ? failure(api, request, 404, 'There is nothing here by that name.') : response;
          }),
      },
      {
        kind: 'view-present',
        place: operation.id,
        law: 'details/views',
        title: 'This view is there, although the thing itself is absent.',
        around: (api) =>
          at(api, operation.id, async (request, next) => {
            const response = await next(request);
            return response.status === 404 ? next(withKeyOf(api, request, api.world.tenants[0] ?? '')) : response;
          }),
      },
    ]);
}
