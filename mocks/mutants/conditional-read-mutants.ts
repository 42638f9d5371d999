/**
 * Mutants of conditional reads: ETags that change too often or too seldom, and wrong responses with 304. `find-mutants.ts` lists them for each contract, when
 * mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` applies the chosen ones at each start and reload. Other mutants of responses
 * are in `response-mutants.ts`.
 */

import { type HttpRequest, type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import { matchesTag, strongTag } from '../handler/entity-tag.ts';
import { bodyOf, withHeader } from './change-exchange.ts';
import { createOperationMutant, createResponseMutant, type ServedMutant } from './mock-mutant.ts';
import { listFor, type ReadOperation, readsOf } from './select-operations.ts';

/** Lists the mutants of all operations with 304. */
export function conditionalReadMutants(contract: Contract): readonly ServedMutant[] {
  return readsOf(contract)
    .filter((operation) => operation.responses.has('304'))
    .flatMap((operation) => [...tagMutants(contract, operation), ...unchangedMutants(operation)]);
}

const ifNoneMatch = 'if-none-match';

/** Creates a mutant that makes its ETags in another way and compares `If-None-Match` with them. */
function tagMutant({ id }: Operation, kind: MutantKind, createTag: () => (response: HttpResponse) => string): ServedMutant {
  return createOperationMutant(kind, { operation: id }, () => {
    const makeTag = createTag();
    return async (request, next) => {
      const response = await next(withHeader(request, ifNoneMatch, undefined));
      if (response.status !== 200) return response;
      const etag = makeTag(response);
      const sentTag = headerOf(request.headers, ifNoneMatch);
      const isCurrent = sentTag !== undefined && matchesTag(sentTag, etag);
      return isCurrent ? notModified(etag) : { ...response, headers: { ...response.headers, etag } };
    };
  });
}

function notModified(etag: string): HttpResponse {
  return { status: 304, headers: { etag }, body: '' };
}

function tagMutants(contract: Contract, operation: ReadOperation): readonly ServedMutant[] {
  const version = listFor(contract, operation)?.collection.version;
  const { at: pointer, by } = operation.resource;
  const constant = tagMutant(operation, 'tag-constant', () => () => strongTag('constant'));
  const byVersion = tagMutant(
    operation,
    'tag-by-version',
    () => (response) => strongTag(String(valueAt(bodyOf(response), `${pointer}${version ?? ''}`))),
  );
  return [
    tagMutant(operation, 'tag-per-answer', () => {
      let responseCount = 0;
      return (response) => {
        responseCount += 1;
        return strongTag(`${responseCount} ${response.body}`);
      };
    }),
    ...(by.size === 0 ? [] : [constant]),
    ...(version === undefined ? [] : [byVersion]),
    createResponseMutant('tag-missing', { operation: operation.id }, ({ response }) => withTag(response, undefined)),
    createResponseMutant('tag-unquoted', { operation: operation.id }, ({ response }) =>
      withTag(response, headerOf(response.headers, 'etag')?.replaceAll('"', '')),
    ),
  ];
}

/** Replaces or removes the ETag of a success. */
function withTag(response: HttpResponse, etag: string | undefined): HttpResponse {
  const { etag: _, ...headers } = response.headers;
  return response.status === 200 ? { ...response, headers: etag === undefined ? headers : { ...headers, etag } } : response;
}

function unchangedMutants({ id, responses }: ReadOperation): readonly ServedMutant[] {
  const place = { operation: id };
  const invalidStatus = responses.has('422') ? 422 : 400;
  const hasIfNoneMatch = ({ headers }: HttpRequest): boolean => headerOf(headers, ifNoneMatch) !== undefined;
  return [
    createOperationMutant('unchanged-never', place, () => (request, next) => next(withHeader(request, ifNoneMatch, undefined))),
    createResponseMutant('unchanged-always', place, ({ request, response }) =>
      response.status === 200 && hasIfNoneMatch(request) ? notModified(headerOf(response.headers, 'etag') ?? '') : response,
    ),
    createResponseMutant('unchanged-other-tag', place, ({ response }) =>
      response.status === 304 ? notModified(strongTag('another')) : response,
    ),
    createResponseMutant('unchanged-as-empty-success', place, ({ response }) =>
      response.status === 304
        ? { ...response, status: 200, headers: { ...response.headers, 'content-type': 'application/json' } }
        : response,
    ),
    createResponseMutant('absent-as-unchanged', place, ({ request, response }) =>
      response.status === 404 && hasIfNoneMatch(request) ? notModified(strongTag('nothing')) : response,
    ),
    ...(responses.has(String(invalidStatus))
      ? [
          createResponseMutant('invalid-as-unchanged', place, ({ request, response }) =>
            response.status === invalidStatus && hasIfNoneMatch(request) ? notModified(strongTag('nothing')) : response,
          ),
        ]
      : []),
  ];
}
