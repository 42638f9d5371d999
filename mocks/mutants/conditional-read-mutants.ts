/**
 * Mutants of conditional reads that `mock --mutant` serves: ETags that change too often or too seldom, and wrong responses with 304. Only operations with a
 * documented 304 have them.
 */

import { type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { statusOf } from '../../core/openapi/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import { matchesTag, strongTag } from '../handler/entity-tag.ts';
import { bodyOf, withHeader } from './change-exchange.ts';
import { type Deviation, type ListedMutant, onRequest, onResponse, operationMutants } from './mock-mutant.ts';
import { listFor, type ReadOperation, readsOf } from './select-operations.ts';

/** Lists the mutants of all operations with 304. */
export function conditionalReadMutants(contract: Contract): readonly ListedMutant[] {
  return readsOf(contract)
    .filter((operation) => operation.responses.has('304'))
    .flatMap((operation) => [...tagMutants(operation, listFor(contract, operation)?.collection.version), ...unchangedMutants(operation)]);
}

const ifNoneMatch = 'if-none-match';

function tagMutants({ id, resource }: ReadOperation, version: string | undefined): readonly ListedMutant[] {
  return operationMutants(
    { operation: id },
    {
      'tag-per-answer': withTags(() => {
        let responseCount = 0;
        return (response) => {
          responseCount += 1;
          return strongTag(`${responseCount} ${response.body}`);
        };
      }),
      'tag-constant': resource.by.size > 0 && withTags(() => () => strongTag('constant')),
      'tag-by-version':
        version !== undefined && withTags(() => (response) => strongTag(String(valueAt(bodyOf(response), `${resource.at}${version}`)))),
      'tag-missing': onResponse(200, ({ response }) => withHeader(response, 'etag', undefined)),
      'tag-unquoted': onResponse(200, ({ response }) =>
        withHeader(response, 'etag', headerOf(response.headers, 'etag')?.replaceAll('"', '')),
      ),
    },
  );
}

/** Makes ETags in another way, and compares `If-None-Match` with them. */
function withTags(createTag: () => (response: HttpResponse) => string): Deviation {
  return {
    around: () => {
      const makeTag = createTag();
      return async (request, next) => {
        const response = await next(withHeader(request, ifNoneMatch, undefined));
        if (response.status !== 200) return response;
        const etag = makeTag(response);
        const sentTag = headerOf(request.headers, ifNoneMatch);
        const isCurrent = sentTag !== undefined && matchesTag(sentTag, etag);
        return isCurrent ? notModified(etag) : withHeader(response, 'etag', etag);
      };
    },
  };
}

function unchangedMutants(operation: ReadOperation): readonly ListedMutant[] {
  const invalid = statusOf(operation, 'invalid');
  return operationMutants(
    { operation: operation.id },
    {
      'unchanged-never': onRequest((request) => withHeader(request, ifNoneMatch, undefined)),
      'unchanged-always': unchangedInsteadOf(200, (response) => headerOf(response.headers, 'etag') ?? ''),
      'unchanged-other-tag': onResponse(304, () => notModified(strongTag('another'))),
      'unchanged-as-empty-success': onResponse(304, ({ response }) => ({
        ...withHeader(response, 'content-type', 'application/json'),
        status: 200,
      })),
      'absent-as-unchanged': unchangedInsteadOf(404, () => strongTag('nothing')),
      'invalid-as-unchanged': operation.responses.has(String(invalid)) && unchangedInsteadOf(invalid, () => strongTag('nothing')),
    },
  );
}

/** Answers requests with `If-None-Match` with 304, in place of a status. */
function unchangedInsteadOf(status: number, tagOf: (response: HttpResponse) => string): Deviation {
  return onResponse(status, ({ request, response }) =>
    headerOf(request.headers, ifNoneMatch) === undefined ? response : notModified(tagOf(response)),
  );
}

function notModified(etag: string): HttpResponse {
  return { status: 304, headers: { etag }, body: '' };
}
