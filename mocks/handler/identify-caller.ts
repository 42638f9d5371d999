/** Identifies the caller of a request by its key. It refuses nobody. */

import type { Credential, Operation } from '../../core/openapi/operation.ts';
import type { ChangingDataset } from '../data/dataset.ts';
import type { KeyHolder, KeyRing } from '../key-ring.ts';
import type { Identification, ReceivedRequest } from './call.ts';
import { judgeCredentials } from './prism/judge-credentials.ts';

/**
 * Finds the holder of the key of a request, and the scopes that the operation requires and the key lacks.
 * If the request has keys in several carriers, the first documented one counts.
 */
export function identify(operation: Operation, request: ReceivedRequest): Identification {
  const { keys, dataset, world } = request.api;
  if (operation.security.length === 0) return { kind: 'caller', holder: anybody(dataset), lacking: [] };
  if (keys.acceptsAny) return identifyByForm(operation, request);
  for (const alternative of operation.security) {
    if (alternative.length === 0) return { kind: 'caller', holder: anybody(dataset), lacking: [] };
    const sent = alternative.map(request.keys.at);
    if (sent.every((key) => key !== undefined)) {
      const holders = sent.map((key) => keys.holderOf(key) ?? (world?.world.principals.has(key) === true ? firstHolder(keys) : undefined));
      const identification = toIdentification(holders, alternative);
      return identification.kind === 'caller' && hasOtherKey(operation, request, sent)
        ? { ...identification, hasTwoKeys: true }
        : identification;
    }
  }
  return { kind: 'stranger', key: 'missing', reason: `No key was sent. Send one as ${describeCarriers(operation)}.` };
}

/** Accepts every credential of the documented form, as Prism does. */
function identifyByForm(operation: Operation, request: ReceivedRequest): Identification {
  const violation = judgeCredentials(operation, request);
  if (violation !== undefined) return { kind: 'stranger', key: 'missing', ...violation };
  const { keys, dataset } = request.api;
  return { kind: 'caller', holder: firstHolder(keys) ?? anybody(dataset), lacking: [] };
}

/** Who a login acts for, and any credential where all are accepted. */
function firstHolder(keys: KeyRing): KeyHolder | undefined {
  const [key] = keys.byRole.values();
  return key === undefined ? undefined : keys.holderOf(key);
}

/** True if a carrier of the operation has a key that is not in the list. */
function hasOtherKey({ security }: Operation, { keys }: ReceivedRequest, sent: readonly (string | undefined)[]): boolean {
  return security.some((alternative) =>
    alternative.some((credential) => {
      const key = keys.at(credential);
      return key !== undefined && !sent.includes(key);
    }),
  );
}

/** Checks the keys of one alternative: all of them are required (OpenAPI 3.1 §4.8.30), and they must have the same holder. */
function toIdentification([holder, ...others]: readonly (KeyHolder | undefined)[], alternative: readonly Credential[]): Identification {
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
