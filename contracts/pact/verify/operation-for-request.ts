import { splitTarget } from '../../../core/http/exchange.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { routeTo } from '../../../core/openapi/route-request.ts';

/** Returns the operation of a request, or a stand-in for an undocumented one. */
export function operationFor(
  contract: Contract,
  method: string,
  target: string,
): { readonly operation: Operation; readonly segments: ReadonlyMap<string, string> } {
  const route = routeTo(contract.operations, method, target);
  if (route.kind === 'operation') return route;
  return { operation: undocumentedOperation(contract, method, splitTarget(target).path), segments: new Map() };
}

/**
 * Creates a stand-in for an operation that the contract does not have.
 * @throws {TypeError} when the contract has no operation at all, which loading it refuses.
 */
export function undocumentedOperation(contract: Contract, method: string, path: string): Operation {
  const [first] = contract.operations;
  if (first === undefined) throw new TypeError(`${contract.name} has no operation`);
  const nothing = { parameters: [], rules: [], responses: new Map(), collection: undefined, resource: undefined };
  return { ...first, ...nothing, id: `${method} ${path}`, method, path };
}
