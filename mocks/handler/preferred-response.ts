/**
 * Gives a documented response in place of the mock's own: the one that the header Prefer asks for, or the documented body of a failure whose format no
 * annotation defines.
 */

import { isObject, type Json } from '../../core/json.ts';
import { responseFor } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { Call } from './call.ts';
import { challenge, withReason } from './error-response.ts';
import { makeDocumentedResponse } from './make-documented-response.ts';
import { printPreference } from './prefer-header.ts';
import type { DraftResponse } from './prepare-response.ts';
import { chooseByPreference } from './prism/engine.ts';
import { toPrismOperation } from './prism/http-operation.ts';

/** The preferred documented response, or the reason why there is none as a clause; `undefined` without a preference for one. */
export async function preferredResponse(call: Call): Promise<DraftResponse | string | undefined> {
  const { api, operation, preference } = call;
  const { code, example, dynamic = false, problem } = preference;
  if (problem !== undefined) return problem;
  if (code === undefined && example === undefined && !dynamic) return undefined;
  const chosen = chooseByPreference(toPrismOperation(operation), preference);
  if (typeof chosen === 'string')
    return `${chosen.replace(/\.$/, '')}; ${operation.id} documents ${[...operation.responses.keys()].join(', ')}`;
  const draft = await makeDocumentedResponse(call, chosen, dynamic);
  const headers = {
    ...draft.headers,
    ...(draft.status === 401 ? challenge(api, operation) : {}),
    'preference-applied': printPreference(preference),
  };
  return { ...draft, headers, body: dynamic ? draft.body : withNewRequestId(call, draft.body) };
}

/** An example with a new request id, as every response has its own. */
function withNewRequestId({ api }: Call, body: DraftResponse['body']): DraftResponse['body'] {
  const pointer = api.contract.error?.request;
  if (pointer === undefined || Buffer.isBuffer(body) || !isObject(body) || valueAt(body, pointer) === undefined) return body;
  return withValueAt(body, pointer, api.nextRequestId());
}

/** A failure with its documented body, if it has one whose format `x-api` does not define. The body keeps the message of the failure. */
export async function withDocumentedBody(call: Call, draft: DraftResponse): Promise<DraftResponse> {
  const { api, operation } = call;
  const { status } = draft;
  if (api.contract.error !== undefined || status < 400 || (responseFor(operation, status)?.content.size ?? 0) === 0) return draft;
  const chosen = chooseByPreference(toPrismOperation(operation), { code: status });
  if (typeof chosen === 'string') return draft;
  const reason = isObject(draft.body as Json) ? String(valueAt(draft.body as Json, '/detail') ?? '') : '';
  const documented = await makeDocumentedResponse(call, chosen, false, (value) => withReason(value, reason));
  const { 'content-type': _type, ...headers } = draft.headers;
  return { ...documented, headers: { ...documented.headers, ...headers } };
}
