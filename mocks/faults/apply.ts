/** Putting faults into a served API. */

import { editContract } from '../../core/contract.ts';
import { UsageError } from '../../core/errors.ts';
import type { Middleware } from '../middleware.ts';
import type { ServedApi } from '../served-api.ts';
import type { Fault } from './fault.ts';

/** A served API with faults, and what stands around its answers because of them. */
export interface FaultyApi {
  readonly api: ServedApi;
  readonly around: Middleware | undefined;
}

/**
 * The API with the faults that belong to its contract, in the order in which they are given.
 * @throws {UsageError} when two faults change the same place of the contract, so that they cannot stand together.
 */
export function applyFaults(api: ServedApi, faults: readonly Fault[]): FaultyApi {
  const edited = faults.reduce((current, fault) => applyEdits(current, fault, faults), api);
  const served = faults.reduce((current, fault) => fault.serve?.(current) ?? current, edited);
  const layers = faults.flatMap((fault) => fault.around?.(served) ?? []);
  return { api: served, around: layers.length === 0 ? undefined : layers.reduce(stack) };
}

function applyEdits(api: ServedApi, fault: Fault, all: readonly Fault[]): ServedApi {
  if (fault.edits === undefined) return api;
  try {
    return { ...api, contract: editContract(api.contract, fault.edits) };
  } catch (cause) {
    const others = all.filter((other) => other !== fault).map((other) => other.id);
    if (others.length === 0) throw cause;
    throw new UsageError(`the fault ${fault.id} cannot stand together with ${others.join(', ')}; start a mock for each`, { cause });
  }
}

function stack(inner: Middleware, outer: Middleware): Middleware {
  return (request, next) => outer(request, (changed) => inner(changed, next));
}
