/** Reads of operations without annotations: what their bodies list, and whether their responses depend on what is asked. */

import { isArray, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { isReplyTo, isSuccess, type Reply } from './call.ts';
import { furtherValues } from './find-values.ts';
import type { RoundContext } from './round-context.ts';

/** The last path parameter of an operation, unless the contract lists its values. */
export function identifyingParameter({ path, parameters }: Operation): Parameter | undefined {
  const inPath = parameters.filter((parameter) => parameter.in === 'path' && parameter.allowed.length === 0);
  return inPath.toSorted((left, right) => path.indexOf(`{${right.name}}`) - path.indexOf(`{${left.name}}`))[0];
}

/** Successful reads by up to two values of a path parameter. The second is one that a list has shown. */
export async function readKnown(context: RoundContext, operation: Operation, parameter: Parameter): Promise<readonly Reply[]> {
  const first = await context.ask({ operation });
  const values = first.call.values ?? {};
  const [second] = furtherValues(
    { replies: context.session.replies, operations: context.contract.operations },
    operation,
    parameter,
    values,
  );
  if (second === undefined || !isSuccess(first)) return [first].filter(isSuccess);
  return [first, await context.ask({ operation, values: { ...values, [parameter.key]: second } })].filter(isSuccess);
}

/**
 * True if different requests to an operation got different bodies. Otherwise it may be a mock that always shows the same example, of which nothing can be said
 * that depends on parameters.
 */
export function dependsOnRequest({ replies }: RoundContext, operation: Operation): boolean {
  const own = replies.filter((reply) => isReplyTo(reply, operation) && isSuccess(reply) && reply.body !== undefined);
  const [first] = own;
  return own.some(({ request, response }) => request.target !== first?.request.target && response.body !== first?.response.body);
}

/** The only list of objects in a body, at most two levels deep; none if there are several. */
export function listIn(body: Json | undefined): readonly JsonObject[] | undefined {
  const lists = listsWithin(body, 2).filter((list) => list.every(isObject));
  const filled = lists.filter((list) => list.length > 0);
  return (filled.length > 1 ? undefined : (filled[0] ?? lists[0])) as readonly JsonObject[] | undefined;
}

function listsWithin(value: Json | undefined, depth: number): readonly (readonly Json[])[] {
  if (isArray(value)) return [value];
  return depth === 0 || !isObject(value) ? [] : Object.values(value).flatMap((member) => listsWithin(member, depth - 1));
}
