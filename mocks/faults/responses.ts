/** Faults of answers in general: their status, their type, and what failures look like. */

import type { Contract } from '../../core/contract.ts';
import { follow } from '../../core/document.ts';
import type { Edit } from '../../core/edit.ts';
import { type HttpResponse, headerOf } from '../../core/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import type { Middleware } from '../middleware.ts';
import type { ServedApi } from '../served-api.ts';
import type { FaultDraft } from './fault.ts';
import { isStated } from './place.ts';
import { at, changing, failure, mapBody, withBody } from './request-edit.ts';

/** Faults of answers. */
export function responseFaults(contract: Contract): readonly FaultDraft[] {
  const takingText = contract.operations.filter(takesText);
  const refusing = contract.operations.filter((operation) =>
    operation.parameters.some(({ key, in: place }) => place === 'query' && isStated(contract, operation, key, 'malformed')),
  );
  return [
    ...successFaults(contract),
    ...takingText.map(({ id }) => oddText(id)),
    ...refusing.map(invalidAsError),
    ...failureFaults(contract),
    ...statusesOf(contract).flatMap((status) => statusFaults(contract, status)),
  ];
}

/** The status and the type of successes. */
function successFaults({ name: place }: Contract): readonly FaultDraft[] {
  const succeeding = (change: (response: HttpResponse) => HttpResponse): Around => around(changing(({ status }) => status === 200, change));
  return [
    {
      kind: 'status-undocumented',
      place,
      law: 'response/status',
      title: 'A success has the status 206.',
      around: succeeding((response) => ({ ...response, status: 206 })),
    },
    {
      kind: 'content-type-plain',
      place,
      law: 'response/content-type',
      title: 'JSON comes as text/plain.',
      around: succeeding((response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/plain; charset=utf-8' } })),
    },
  ];
}

type Around = (api: ServedApi) => Middleware;

function around(middleware: Middleware): Around {
  return () => middleware;
}

/** What a service without a catch-all does with texts that it was never tried with. */
function oddText(id: string): FaultDraft {
  return {
    kind: 'odd-text-error',
    place: id,
    law: 'response/no-server-error',
    title: 'Odd characters in a request lead to a server error with a stack trace.',
    around: (api) =>
      at(api, id, (request, next) => {
        const isOdd = /%00|%F0%9F|'|%27/i.test(request.target);
        return isOdd
          ? Promise.resolve(
              failure(api, request, 500, 'TypeError: invalid byte sequence\n    at Database.query (/srv/app/database.js:81:13)'),
            )
          : next(request);
      }),
  };
}

/** Whether callers name or search records by texts of their own. */
function takesText({ collection, resource, parameters }: Operation): boolean {
  const isText = (name: string): boolean => parameters.some((parameter) => parameter.key === name && parameter.kinds.includes('string'));
  const searches = [...(collection?.filters ?? [])].flatMap(([name, filter]) => (filter.operator === 'matches' ? [name] : []));
  return [...(resource?.by.keys() ?? []), ...searches].some(isText);
}

/** What is wrong is found out too late. */
function invalidAsError({ id, responses }: Operation): FaultDraft {
  const invalid = responses.has('422') ? 422 : 400;
  return {
    kind: 'invalid-as-error',
    place: id,
    law: 'response/no-server-error',
    title: 'An invalid parameter leads to a server error instead of a refusal.',
    around: (api) =>
      at(api, id, async (request, next) => {
        const response = await next(request);
        return response.status === invalid ? failure(api, request, 500, 'Something went wrong.') : response;
      }),
  };
}

/** The failures that the mock can be brought to: throttling and the like are not faults but weather. */
function statusesOf(contract: Contract): readonly string[] {
  const statuses = contract.operations.flatMap((operation) => [...operation.responses.keys()]);
  const guarded = contract.operations.some((operation) => operation.security.length > 0);
  const hidden = contract.collections.flatMap(({ visible }) => visible?.hidden ?? []);
  const reachable = [
    '400',
    '404',
    '422',
    ...(guarded || hidden.includes('unauthenticated') ? ['401'] : []),
    ...(guarded || hidden.includes('forbidden') ? ['403'] : []),
  ];
  return [...new Set(statuses)].filter((status) => reachable.includes(status)).toSorted();
}

function statusFaults(contract: Contract, status: string): readonly FaultDraft[] {
  const place = `${contract.name}.${status}`;
  const code = contract.error?.code;
  const edits = code === undefined ? [] : contract.operations.flatMap((operation) => codeEdits(operation, status, code));
  return [
    {
      kind: 'envelope-missing',
      place,
      law: 'response/error-envelope',
      title: `A ${status} has a body of another shape.`,
      around: () =>
        changing(
          (response) => response.status === Number(status),
          (response) => withBody(response, { message: 'Request failed.' }),
        ),
    },
    ...(edits.length === 0
      ? []
      : [{ kind: 'code-other', place, law: 'response/error-code', title: `A ${status} carries a code that is not documented.`, edits }]),
  ];
}

/** The places in the schemas of a response that fix its code. */
function codeEdits(operation: Operation, status: string, code: string): readonly Edit[] {
  const response = follow(operation.document, valueAt(operation.value, `/responses/${status}`));
  const content = valueAt(response, '/content');
  const pointers = Object.entries(isObject(content) ? content : {}).flatMap(([type, media]) => {
    const parts = valueAt(media, '/schema/allOf');
    return (Array.isArray(parts) ? (parts as readonly Json[]) : []).flatMap((part, index) => {
      const inner = fromPointer(code).flatMap((key) => ['properties', key]);
      const found = valueAt(part, `${toPointer(inner)}/const`);
      return found === undefined ? [] : [toPointer(['responses', status, 'content', type, 'schema', 'allOf', index, ...inner, 'const'])];
    });
  });
  return pointers.map((pointer) => ({ op: 'replace', at: `${operation.pointer}${pointer}`, value: 'ERROR' }));
}

/** The envelope of all failures. */
function failureFaults({ name: place, error }: Contract): readonly FaultDraft[] {
  if (error === undefined) return [];
  const law = 'response/error-envelope';
  const failing = (change: (response: HttpResponse) => HttpResponse): Around => around(changing(({ status }) => status >= 400, change));
  const holder = toPointer(fromPointer(error.code).slice(0, -1));
  const { request } = error;
  const withText = (pointer: string, text: Json): Around =>
    failing((response) => mapBody(response, (body) => withValueAt(body, pointer, text)));
  const identified: readonly FaultDraft[] =
    request === undefined
      ? []
      : [
          {
            kind: 'request-id-constant',
            place,
            law: 'response/request-id',
            title: 'All failures have the same identifier.',
            around: withText(request, 'req_00000000'),
          },
          { kind: 'request-id-empty', place, law, title: 'The identifier of a failure is empty.', around: withText(request, '') },
        ];
  return [
    { kind: 'failure-html', place, law, title: 'Failures are pages of HTML.', around: failing(toPage) },
    { kind: 'failure-empty', place, law, title: 'Failures have no body.', around: failing((response) => ({ ...response, body: '' })) },
    {
      kind: 'failure-flattened',
      place,
      law,
      title: `What stands under ${holder} in a failure stands at the top instead.`,
      around: failing((response) => mapBody(response, (body) => valueAt(body, holder) ?? body)),
    },
    { kind: 'failure-message-missing', place, law, title: 'A failure has no message.', around: withText(error.message, null) },
    {
      kind: 'code-lower-case',
      place,
      law: 'response/error-code',
      title: 'Codes of failures are written in lower case.',
      around: failing((response) =>
        mapBody(response, (body) => withValueAt(body, error.code, String(valueAt(body, error.code)).toLowerCase())),
      ),
    },
    ...identified,
  ];
}

function toPage(response: HttpResponse): HttpResponse {
  const length = headerOf(response.headers, 'content-length');
  const headers = { ...response.headers, 'content-type': 'text/html; charset=utf-8' };
  return {
    status: response.status,
    headers: length === undefined ? headers : { ...headers, 'content-length': undefined },
    body: `<!doctype html><title>${response.status}</title><h1>Request failed</h1>`,
  };
}
