/** Conditional reads (RFC 9110 §13): tags, requests that carry them, and what answers to the same request have in common. */

import type { Place } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { Call } from './call.ts';
import { sampleOf } from './detail.ts';
import type { Lab } from './lab.ts';
import { isSuccess, type Reply, tagOf } from './reply.ts';
import { callForRecord } from './sample.ts';

/** What data without a success that has a usable tag lacks. */
export const taggedSuccess = 'something that can be read, with a well-formed tag';

/** Whether an operation documents that a read can be answered with 304. */
export function isConditional(operation: Operation): boolean {
  return (
    operation.responses.has('304') &&
    operation.parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'if-none-match')
  );
}

/** The tag of a success that can be sent back; `undefined` when there is none, or when it is malformed, which is another law's business. */
export function readTagged(reply: Reply): string | undefined {
  const tag = isSuccess(reply) ? tagOf(reply)?.trim() : undefined;
  return tag !== undefined && /^(?:W\/)?"[\u0021\u0023-\u007E\u0080-\u00FF]*"$/.test(tag) ? tag : undefined;
}

/** The same request for a client that holds what has this tag. */
export function withTag(call: Call, tag: string): Call {
  return { ...call, headers: { ...call.headers, 'if-none-match': tag } };
}

/** The part of a tag that counts when tags are compared weakly (RFC 9110 §8.8.3.2). */
export function opaqueOf(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/** A tag that no server can have given out. */
export const foreignTag = '"touchstone-no-such-tag"';

/** What a run asks of conditional reads: calls that should succeed, of a single read for records that differ from each other. */
export async function conditionalCalls(lab: Lab, operation: Operation, number: number): Promise<readonly Call[]> {
  const list = lab.listOf(operation);
  if (list === undefined || (operation.resource?.by.size ?? 0) === 0) return [{ operation }];
  return sampleOf(lab, await lab.universe(list), operation)
    .slice(0, number)
    .flatMap((record) => callForRecord(operation, record) ?? []);
}

/** Where an operation says that its successes have a tag. */
export function tagPlace(operation: Operation): Place | undefined {
  const rule = operation.responses.get('200')?.headers.find(({ name, required }) => required && name.toLowerCase() === 'etag');
  return rule?.parameter.place;
}
