/** Identifies the caller of a request by its key. It refuses nobody. */

import type { HttpRequest } from '../../core/http/exchange.ts';
import { keyIn } from '../../core/http/key-of-request.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import type { ChangingDataset } from '../data/dataset.ts';
import type { KeyHolder, KeyRing } from '../key-ring.ts';
import { judgeCredentials } from './prism/judge-credentials.ts';

/** The holder of a key with the scopes that it lacks, or a stranger: a caller without a valid key. */
export type Identification =
  | {
      readonly kind: 'caller';
      readonly holder: KeyHolder;
      readonly lacking: readonly string[];
      /** True if the request has another key in another carrier. */
      readonly hasTwoKeys?: boolean;
    }
  | {
      readonly kind: 'stranger';
      readonly reason: string;
      readonly key: KeyProblem;
      /** The schemes that would help, for the header WWW-Authenticate. */
      readonly challenges?: string[];
    };

/** The problem with the key of a stranger. */
export type KeyProblem = 'missing' | 'unknown' | 'expired';

/**
 * Finds the holder of the key of a request, and the scopes that the operation requires and the key lacks.
 * If the request has keys in several carriers, the first documented one counts.
 */
export function identify(operation: Operation, request: HttpRequest, keys: KeyRing, dataset: ChangingDataset): Identification {
  if (operation.security.length === 0) return { kind: 'caller', holder: anybody(dataset), lacking: [] };
  if (keys.isOpen) return identifyByForm(operation, request, keys, dataset);
  for (const alternative of operation.security) {
    if (alternative.length === 0) return { kind: 'caller', holder: anybody(dataset), lacking: [] };
    const sent = alternative.map((credential) => keyIn(request, credential));
    if (sent.every((key) => key !== undefined)) {
      const identification = toIdentification(sent, alternative, keys);
      return identification.kind === 'caller' && hasOtherKey(operation, request, sent)
        ? { ...identification, hasTwoKeys: true }
        : identification;
    }
  }
  return { kind: 'stranger', key: 'missing', reason: `No key was sent. Send one as ${describeCarriers(operation)}.` };
}

/** Accepts every credential of the documented form, as Prism does. */
function identifyByForm(operation: Operation, request: HttpRequest, keys: KeyRing, dataset: ChangingDataset): Identification {
  const violation = judgeCredentials(operation, request);
  if (violation !== undefined) return { kind: 'stranger', key: 'missing', ...violation };
  const holder = [...keys.byRole.values()].map((key) => keys.holderOf(key))[0] ?? anybody(dataset);
  return { kind: 'caller', holder, lacking: [] };
}

/** True if a carrier of the operation has a key that is not in the list. */
function hasOtherKey(operation: Operation, request: HttpRequest, sent: readonly (string | undefined)[]): boolean {
  for (const alternative of operation.security) {
    for (const credential of alternative) {
      const key = keyIn(request, credential);
      if (key !== undefined && !sent.includes(key)) return true;
    }
  }
  return false;
}

/** Checks the keys of one alternative: all of them are required (OpenAPI 3.1 §4.8.30), and they must have the same holder. */
function toIdentification(sent: readonly string[], alternative: readonly Credential[], keys: KeyRing): Identification {
  const [holder, ...others] = sent.map((key) => keys.holderOf(key));
  if (holder === undefined || others.some((other) => other !== holder))
    return { kind: 'stranger', key: 'unknown', reason: 'This key is not valid.' };
  if (holder.expired) return { kind: 'stranger', key: 'expired', reason: 'This key has expired.' };
  const lacking: string[] = [];
  for (const { scopes } of alternative) for (const scope of scopes) if (!holder.scopes.includes(scope)) lacking.push(scope);
  return { kind: 'caller', holder, lacking };
}

/** The caller of an operation without security: the first tenant. */
function anybody(dataset: ChangingDataset): KeyHolder {
  return { role: 'anybody', tenant: dataset.tenants[0] ?? '', scopes: [], expired: false };
}

function describeCarriers(operation: Operation): string {
  return operation.security.map((alternative) => alternative.map(describeCarrier).join(' together with ')).join(' or as ');
}

function describeCarrier({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `"Authorization: ${carrier.word} KEY"` : `the ${carrier.in} ${carrier.name}`;
}
