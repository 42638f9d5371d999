/** Faults of conditional reads: tags that say too much or too little, and 304 where it is not true. */

import type { Contract } from '../../core/contract.ts';
import { type HttpRequest, type HttpResponse, headerOf } from '../../core/exchange.ts';
import type { Operation } from '../../core/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import { matchesTag, strongTag } from '../entity-tag.ts';
import type { Middleware } from '../middleware.ts';
import type { ServedApi } from '../served-api.ts';
import { type FaultDraft, listFor, type ReadOperation, readsOf } from './fault.ts';
import { at, bodyOf, withHeader } from './request-edit.ts';

/** Faults of each conditional read. */
export function conditionalFaults(contract: Contract): readonly FaultDraft[] {
  return readsOf(contract)
    .filter((operation) => operation.responses.has('304'))
    .flatMap((operation) => [...tagFaults(contract, operation), ...unchangedFaults(operation), ...failureFaults(operation)]);
}

const field = 'if-none-match';

/** A service that makes its tags otherwise, and compares what it is sent with those. */
function tagged(
  operation: Operation,
  kind: string,
  law: string,
  title: string,
  createTag: () => (response: HttpResponse, api: ServedApi) => string,
): FaultDraft {
  return {
    kind,
    place: operation.id,
    law,
    title,
    around: (api) => {
      const makeTag = createTag();
      return at(api, operation.id, async (request, next) => {
        const response = await next(withHeader(request, field, undefined));
        if (response.status !== 200) return response;
        const etag = makeTag(response, api);
        const sent = headerOf(request.headers, field);
        const isCurrent = sent !== undefined && matchesTag(sent, etag);
        return isCurrent ? unchanged(etag) : { ...response, headers: { ...response.headers, etag } };
      });
    },
  };
}

function unchanged(etag: string): HttpResponse {
  return { status: 304, headers: { etag }, body: '' };
}

function tagFaults(contract: Contract, operation: ReadOperation): readonly FaultDraft[] {
  const version = listFor(contract, operation)?.collection.version;
  const { at: pointer, by } = operation.resource;
  return [
    tagged(operation, 'tag-per-answer', 'conditional/stable', 'Each answer has another tag, although nothing has changed.', () => {
      let answers = 0;
      return (response) => {
        answers += 1;
        return strongTag(`${answers} ${response.body}`);
      };
    }),
    ...(by.size === 0
      ? []
      : [
          tagged(operation, 'tag-constant', 'conditional/per-content', 'All records have the same tag.', () => () => strongTag('constant')),
        ]),
    ...(version === undefined
      ? []
      : [
          tagged(
            operation,
            'tag-by-version',
            'conditional/per-content',
            `The tag follows from ${version} alone, so that records which changed together share it.`,
            () => (response) => strongTag(String(valueAt(bodyOf(response), `${pointer}${version}`))),
          ),
        ]),
    answering(operation, 'tag-missing', 'conditional/tag', 'A success has no ETag.', (_request, response) =>
      withHeader200(response, undefined),
    ),
    answering(operation, 'tag-unquoted', 'response/headers', 'The ETag has no quotes.', (_request, response) =>
      withHeader200(response, headerOf(response.headers, 'etag')?.replaceAll('"', '')),
    ),
  ];
}

function withHeader200(response: HttpResponse, etag: string | undefined): HttpResponse {
  const { etag: _, ...headers } = response.headers;
  return response.status === 200 ? { ...response, headers: etag === undefined ? headers : { ...headers, etag } } : response;
}

function answering(
  operation: Operation,
  kind: string,
  law: string,
  title: string,
  change: (request: HttpRequest, response: HttpResponse) => HttpResponse,
): FaultDraft {
  return {
    kind,
    place: operation.id,
    law,
    title,
    around: (api) => at(api, operation.id, async (request, next) => change(request, await next(request))),
  };
}

function unchangedFaults(operation: Operation): readonly FaultDraft[] {
  return [
    {
      kind: 'unchanged-never',
      place: operation.id,
      law: 'conditional/unchanged',
      title: 'If-None-Match is ignored.',
      around: (api) => at(api, operation.id, (request, next) => next(withHeader(request, field, undefined))),
    },
    answering(operation, 'unchanged-always', 'conditional/changed', 'Any If-None-Match is answered with 304.', (request, response) =>
      response.status === 200 && headerOf(request.headers, field) !== undefined
        ? unchanged(headerOf(response.headers, 'etag') ?? '')
        : response,
    ),
    answering(
      operation,
      'unchanged-other-tag',
      'conditional/bare',
      'A 304 carries another tag than the one that it confirms.',
      (_request, response) => (response.status === 304 ? unchanged(strongTag('another')) : response),
    ),
    answering(
      operation,
      'unchanged-as-empty-success',
      'conditional/unchanged',
      'What has not changed is answered with an empty 200 instead of 304.',
      (_request, response) =>
        response.status === 304
          ? { ...response, status: 200, headers: { ...response.headers, 'content-type': 'application/json' } }
          : response,
    ),
  ];
}

/** A 304 where there is an error to tell. */
function failureFaults(operation: ReadOperation): readonly FaultDraft[] {
  const hides =
    (status: number): ((api: ServedApi) => Middleware) =>
    (api) =>
      at(api, operation.id, async (request, next) => {
        const response = await next(request);
        return response.status === status && headerOf(request.headers, field) !== undefined ? unchanged(strongTag('nothing')) : response;
      });
  const invalid = operation.responses.has('422') ? 422 : 400;
  const common = { place: operation.id, law: 'conditional/failures' };
  return [
    { ...common, kind: 'absent-as-unchanged', title: 'With If-None-Match, what does not exist is 304.', around: hides(404) },
    ...(operation.responses.has(String(invalid))
      ? [{ ...common, kind: 'invalid-as-unchanged', title: 'With If-None-Match, an invalid identifier is 304.', around: hides(invalid) }]
      : []),
  ];
}
