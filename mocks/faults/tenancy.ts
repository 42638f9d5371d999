/** Faults of tenancy: what a key shows of the records of others. */

import type { Contract } from '../../core/contract.ts';
import { type HttpRequest, type HttpResponse, headerOf } from '../../core/exchange.ts';
import type { Entry } from '../../core/query.ts';
import type { Respond } from '../middleware.ts';
import { type ServedApi, worldNow } from '../served-api.ts';
import { cursorListsOf, type FaultDraft, type ListOperation, listsOf, type ReadOperation, readsOf, recordReadsOf } from './fault.ts';
import { at, failure, queryValue, withKeyOf } from './request-edit.ts';
import { withQuery } from './rival.ts';

/** Faults of an API whose keys belong to tenants. */
export function tenancyFaults(contract: Contract): readonly FaultDraft[] {
  if (!contract.tenancy) return [];
  return [
    ...recordReadsOf(contract).flatMap(readFaults),
    ...readsOf(contract)
      .filter(({ resource }) => resource.by.size === 0)
      .map(singletonFault),
    ...listsOf(contract).flatMap(listFaults),
    ...cursorListsOf(contract).map((list) => cursorFault(list, list.collection.page.cursor)),
  ];
}

function readFaults(operation: ReadOperation): readonly FaultDraft[] {
  const draft = (kind: string, place: string, title: string, answer: Answering): FaultDraft => ({
    kind,
    place,
    law: 'tenancy/single',
    title,
    around: (api) =>
      at(api, operation.id, async (request, next) => {
        const response = await next(request);
        const foreign = response.status === 404 ? await readForeign(api, request, next) : undefined;
        return foreign === undefined ? response : answer(api, request, foreign, response);
      }),
  });
  return [
    ...[...operation.resource.by.keys()].map((name) =>
      draft(
        'foreign-record-shown',
        `${operation.id}.${name}`,
        `By ${name} everybody's records can be read.`,
        (_api, request, foreign, response) => (queryValue(request, name) === undefined ? response : foreign),
      ),
    ),
    draft('foreign-record-told', operation.id, 'The message of the 404 says that the record belongs to somebody else.', (api, request) =>
      failure(api, request, 404, 'This record belongs to another account.'),
    ),
    draft('foreign-record-forbidden', operation.id, 'A foreign record is 403, so that one learns that it exists.', (api, request) =>
      failure(api, request, 403, 'This record belongs to another account.'),
    ),
    ...(operation.responses.has('304')
      ? [
          draft(
            'foreign-record-unchanged',
            operation.id,
            'The tag of a foreign record is answered with 304.',
            (_api, request, foreign, response) =>
              headerOf(request.headers, 'if-none-match') !== undefined && foreign.status === 304 ? foreign : response,
          ),
        ]
      : []),
  ];
}

/** What exists once for each tenant exists once for all of them. */
function singletonFault({ id }: ReadOperation): FaultDraft {
  return {
    kind: 'first-tenant-for-all',
    place: id,
    law: 'tenancy/named',
    title: 'Every key gets what belongs to the first tenant.',
    around: (api) =>
      at(api, id, async (request, next) => {
        const response = await next(request);
        return response.status === 200 ? next(withKeyOf(api, request, api.world.tenants[0] ?? '')) : response;
      }),
  };
}

/** What is answered in place of the 404, when the record is somebody else's. */
type Answering = (api: ServedApi, request: HttpRequest, foreign: HttpResponse, response: HttpResponse) => HttpResponse;

/** The answer that the owner of a record would get; `undefined` when nobody owns it. */
async function readForeign(api: ServedApi, request: HttpRequest, next: Respond): Promise<HttpResponse | undefined> {
  for (const tenant of api.world.tenants) {
    const response = await next(withKeyOf(api, request, tenant));
    if (response.status === 200 || response.status === 304) return response;
  }
  return undefined;
}

function listFaults(list: ListOperation): readonly FaultDraft[] {
  const { name, filters } = list.collection;
  const everything = (api: ServedApi): readonly Entry[] => api.world.tenants.flatMap((tenant) => worldNow(api).records(tenant, name));
  const [filter] = [...filters.keys()].filter((each) =>
    list.parameters.some((parameter) => parameter.key === each && parameter.allowed.length > 0),
  );
  return [
    {
      kind: 'foreign-records-listed',
      place: list.id,
      law: 'tenancy/lists',
      title: 'The list has the records of all tenants.',
      serve: (api) => withQuery(api, list.id, (query) => ({ sort: () => query.sort(everything(api)) })),
    },
    ...(filter === undefined
      ? []
      : [
          {
            kind: 'foreign-records-filtered',
            place: `${list.id}.${filter}`,
            law: 'tenancy/lists',
            title: `As soon as ${filter} is given, the list has the records of all tenants.`,
            serve: (api) =>
              withQuery(api, list.id, (query) => {
                const all = query.sort(everything(api));
                return { page: (sorted, values, start, limit) => query.page(values.has(filter) ? all : sorted, values, start, limit) };
              }),
          } satisfies FaultDraft,
        ]),
  ];
}

function cursorFault(list: ListOperation, cursor: string): FaultDraft {
  return {
    kind: 'foreign-cursor-accepted',
    place: list.id,
    law: 'tenancy/cursor',
    title: "A cursor of another tenant goes on with that tenant's records.",
    around: (api) =>
      at(api, list.id, async (request, next) => {
        const response = await next(request);
        const content =
          response.status === 200 || response.status === 401 || response.status === 403
            ? undefined
            : api.cursors.decode(queryValue(request, cursor) ?? '');
        return content === undefined ? response : next(withKeyOf(api, request, content.tenant));
      }),
  };
}
