/** Looks for an obstacle before a run: a target that is absent, asks for a login or refuses the key has no violations. */

import { headerOf } from '../../core/http/exchange.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { Blocked } from './engine/blocked-operations.ts';
import type { Reply } from './engine/call.ts';
import type { RunContext } from './engine/run-context.ts';
import { BudgetSpent } from './engine/session.ts';

/** The operations that can be asked without knowing any record: lists first, since they tell most. */
function operationsWithoutIdentifier({ contract }: RunContext): readonly Operation[] {
  const free = contract.operations.filter((operation) => operation.method === 'GET' && !operation.parameters.some((each) => each.required));
  const plain = free.filter((operation) => operation.rules.every((rule) => rule.rule !== 'exactly-one-of'));
  return plain.toSorted((left, right) => Number(right.collection !== undefined) - Number(left.collection !== undefined));
}

/** Asks a few operations; resolves to one paragraph when none of them can be judged, and to `undefined` when the run can go on. */
export async function findObstacle(context: RunContext): Promise<string | undefined> {
  const replies: Reply[] = [];
  let blocked: Blocked | undefined;
  for (const operation of operationsWithoutIdentifier(context)) {
    try {
      if (await answersForApi(context, operation, replies)) return undefined;
    } catch (error) {
      // A budget that ends here, or a user who stops here, is no mutant of the target: what was seen until then is all there is.
      if (error instanceof BudgetSpent) break;
      if (!(error instanceof Blocked)) throw error;
      blocked ??= error;
    }
  }
  const [first] = replies;
  if (first === undefined) return blocked === undefined ? undefined : `${capital(blocked.message)}. Nothing was judged; ${blocked.advice}.`;
  return explain(first);
}

/** Asks an operation by each carrier until one of the answers says something about the API; that carrier is kept. */
async function answersForApi(context: RunContext, operation: Operation, replies: Reply[]): Promise<boolean> {
  for (const carrier of carriersOf(operation)) {
    const reply = await context.ask({ operation, carrier });
    replies.push(reply);
    if (!isAnswer(reply)) continue;
    context.session.carrier = carrier;
    return true;
  }
  return false;
}

/** Every documented carrier of a key may be the only one that is read. */
function carriersOf({ security }: Operation): readonly number[] {
  const ways = security.filter((alternative) => alternative.length > 0).length;
  return Array.from({ length: Math.max(1, ways) }, (_, index) => index);
}

/** An answer that says something about the API: JSON, and not that the key is refused, where one is needed. */
function isAnswer({ call, response, body }: Reply): boolean {
  if (call.operation.security.length === 0 && response.status === 401) return body !== undefined;
  if (response.status === 401 || (response.status >= 300 && response.status < 400)) return false;
  return body !== undefined && response.status !== 404;
}

function explain({ call, request, response, body }: Reply): string {
  const where = `${request.method} ${request.target.split('?')[0] ?? ''}`;
  const { status } = response;
  if (status === 401 && call.operation.security.length > 0)
    return `The target refuses the key (401 at ${where}): it is wrong, expired, or for another environment. Nothing was judged; check the variable that --key full=VARIABLE names.`;
  if (status === 404)
    return `The target knows no ${where} (404): the address may lack a path prefix, or it is another service. Nothing was judged; check --target.`;
  if (body === undefined && /html/i.test(headerOf(response.headers, 'content-type') ?? ''))
    return `The target answers ${where} with a web page (${status}) in place of JSON: a login page, a proxy or a maintenance page is in front of the API. Nothing was judged; see what --target shows in a browser, and whether a gateway wants a --header.`;
  return `The target answers ${where} with ${status} and no JSON, as every other operation that was asked. Nothing was judged; check that --target is the API.`;
}

/** A name or an address stays as it is. */
function capital(text: string): string {
  return !/^[a-z]+ /.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
