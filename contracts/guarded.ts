/** Operations that need a key: which of them a run looks at, and how a key of one's own is sent to them. */

import type { Operation } from '../core/operation.ts';
import { type Call, nobody } from './call.ts';
import type { Lab } from './lab.ts';
import { needsKey } from './sample.ts';

/** What is lacking where a run with few requests does not look. */
export const roomInQuickRun = 'room in a quick run';

/** The operation whose keys stand for all others where one is enough: a list, which needs nothing to be known. */
export function firstGuarded({ contract }: Lab): Operation | undefined {
  const guarded = contract.operations.filter((operation) => operation.method === 'GET' && needsKey(operation));
  return guarded.find((operation) => operation.collection !== undefined) ?? guarded[0];
}

/** Whether a run looks at an operation for a law about all operations alike. */
export function isLookedAt(lab: Lab, operation: Operation): boolean {
  return !lab.quick || firstGuarded(lab)?.id === operation.id;
}

/** The call with a key that is in no keyring, in the first documented carrier; `undefined` when that takes no single key. */
export function withKey(call: Call, key: string): Call | undefined {
  const credentials = call.operation.security.find((alternative) => alternative.length > 0);
  const [credential, ...others] = credentials ?? [];
  if (credential === undefined || others.length > 0) return undefined;
  const { carrier } = credential;
  const asNobody = { ...call, as: nobody };
  if (carrier.in === 'query')
    return { ...asNobody, raw: [...(call.raw ?? []), `${encodeURIComponent(carrier.name)}=${encodeURIComponent(key)}`] };
  if (carrier.in === 'authorization' && carrier.word === 'Basic') return undefined;
  const [name, text] =
    carrier.in === 'authorization'
      ? ['authorization', `${carrier.word} ${key}`]
      : carrier.in === 'header'
        ? [carrier.name, key]
        : ['cookie', `${carrier.name}=${key}`];
  return { ...asNobody, headers: { ...call.headers, [name]: text } };
}
