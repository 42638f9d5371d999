/**
 * Before the first check, looks for a reason why nothing can be judged: the target is absent, shows a login page or refuses the key. Also finds the carrier in
 * which the session sends keys.
 */

import { capitalize } from '../../core/capitalize.ts';
import { checkResponse } from '../../core/http/check-response.ts';
import { headerOf } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { documentsStatus, type Operation } from '../../core/openapi/operation.ts';
import { Blocked } from './evidence/blocked-operations.ts';
import type { Reply } from './evidence/call.ts';
import { BudgetSpent } from './evidence/request-session.ts';
import type { RoundContext } from './evidence/round-context.ts';

/** The operations that need no identifier of a record, lists first. */
function operationsWithoutIdentifier({ contract }: RoundContext): readonly Operation[] {
  const candidates = contract.operations.filter(
    (operation) => operation.method === 'GET' && !operation.parameters.some((each) => each.required),
  );
  const callable = candidates.filter((operation) => operation.rules.every((rule) => rule.rule !== 'exactly-one-of'));
  return callable.toSorted((left, right) => Number(right.collection !== undefined) - Number(left.collection !== undefined));
}

/** Asks a few operations. Resolves to a paragraph for the user if none can be judged, and to `undefined` if the run can start. */
export async function findObstacle(context: RoundContext): Promise<string | undefined> {
  const replies: Reply[] = [];
  let blocked: Blocked | undefined;
  for (const operation of operationsWithoutIdentifier(context)) {
    try {
      if (await reachesApi(context, operation, replies)) return undefined;
    } catch (error) {
      // A spent budget or an interruption is no fault of the target.
      if (error instanceof BudgetSpent) break;
      if (!(error instanceof Blocked)) throw error;
      blocked ??= error;
    }
  }
  const [first] = replies;
  return first === undefined ? blocked && explainBlocked(blocked) : explainReply(first);
}

/** Sends the key in each carrier until a reply comes from the API; the session then uses that carrier. */
async function reachesApi(context: RoundContext, operation: Operation, replies: Reply[]): Promise<boolean> {
  for (const carrier of carrierIndexes(operation)) {
    const reply = await context.ask({ operation, carrier });
    replies.push(reply);
    if (!isFromApi(context, reply)) continue;
    context.session.carrier = carrier;
    return true;
  }
  return false;
}

/** The indexes of the documented carriers: a target may read only one of them. */
function carrierIndexes({ security }: Operation): readonly number[] {
  const carrierCount = security.filter((alternative) => alternative.length > 0).length;
  return Array.from({ length: Math.max(1, carrierCount) }, (_, index) => index);
}

/** True for a reply from the API: JSON, or what the contract documents, that is neither a refused key, nor an undescribed 404, nor another redirect. */
function isFromApi({ contract }: RoundContext, reply: Reply): boolean {
  const { call, response, body } = reply;
  if (call.operation.security.length === 0 && response.status === 401) return body !== undefined;
  if (response.status === 401) return false;
  if (response.status >= 300 && response.status < 400) return documentsStatus(call.operation, response.status);
  // Another service has pages and JSON of its own for 404.
  if (response.status === 404)
    return documentsStatus(call.operation, 404) && body !== undefined && checkResponse(contract, reply).length === 0;
  return body !== undefined || isDescribed(contract, reply);
}

/** True for a response of a documented status and media type. */
function isDescribed(contract: Contract, reply: Reply): boolean {
  return checkResponse(contract, reply).every(({ part }) => part !== 'status' && part !== 'content-type');
}

/** Explains a target that gives no reply. The sentence begins with a capital, unless it begins with a name or an address. */
function explainBlocked({ message, advice }: Blocked): string {
  return `${/^[a-z]+ /.test(message) ? capitalize(message) : message}. Nothing was checked; ${advice}.`;
}

function explainReply({ call, request, response, body }: Reply): string {
  const requestText = `${request.method} ${request.target.split('?')[0] ?? ''}`;
  const { status } = response;
  if (status === 401 && call.operation.security.length > 0)
    return `The target rejects the key (401 for ${requestText}): it is wrong, expired, or for another environment. Nothing was checked; check the variable that --key full=VARIABLE names.`;
  if (status === 404)
    return `The target responds to ${requestText} with 404: the address may lack a path prefix, or it is another service. Nothing was checked; check --target.`;
  if (body === undefined && /html/i.test(headerOf(response.headers, 'content-type') ?? ''))
    return `The target responds to ${requestText} with a web page (${status}) instead of JSON: a login page, a proxy or a maintenance page is in front of the API. Nothing was checked; see what --target shows in a browser, and whether a gateway wants a --header.`;
  return `The target responds to ${requestText} with ${status} and no JSON, as to all other operations. Nothing was checked; check that --target is the API.`;
}
