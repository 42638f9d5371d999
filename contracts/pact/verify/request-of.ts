/** The requests of interactions as calls: to which operation each goes, which key it shows where, and what else it says. */

import type { Contract } from '../../../core/contract.ts';
import { type HttpRequest, headerOf, splitTarget } from '../../../core/exchange.ts';
import { type Credential, type Operation, routeTo } from '../../../core/operation.ts';
import { decodeOrKeep } from '../../../core/style.ts';
import type { Call, Caller } from '../../call.ts';

/** The operation of a request; one of its own for a request that the contract does not know, which shows keys as the others do. */
export function operationOf(
  contract: Contract,
  method: string,
  target: string,
): { readonly operation: Operation; readonly segments: ReadonlyMap<string, string> } {
  const route = routeTo(contract.operations, method, target);
  if (route.kind === 'operation') return route;
  return { operation: foreignOperation(contract, method, splitTarget(target).path), segments: new Map() };
}

/**
 * An operation that the contract does not have.
 * @throws {TypeError} when the contract has none at all, which loading it refuses.
 */
export function foreignOperation(contract: Contract, method: string, path: string): Operation {
  const [first] = contract.operations;
  if (first === undefined) throw new TypeError(`${contract.name} has no operation`);
  const nothing = { parameters: [], rules: [], responses: new Map(), collection: undefined, resource: undefined };
  return { ...first, ...nothing, id: `${method} ${path}`, method, path };
}

/** The header by which a request of Pact is known to belong to an interaction; it stays here. */
export const numberHeader = 'x-touchstone-interaction';

/** Fields of Pact's client that say nothing of the consumer. */
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|x-touchstone-interaction)$/;

/** Who asks, how the key is shown, and what is added to a request. */
export interface Sender {
  readonly as: Caller;
  readonly carrier: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request of Pact as a call, its example of a key taken out. */
export function callOf(contract: Contract, request: HttpRequest, { as, carrier, headers }: Sender): Call {
  const { operation, segments } = operationOf(contract, request.method, request.target);
  const credentials = operation.security.flat();
  const { query } = splitTarget(request.target);
  const raw = query === '' ? [] : query.split('&').filter((pair) => !isKeyPair(credentials, pair));
  const own = Object.keys(request.headers).flatMap((name) => {
    const value = headerOf(request.headers, name);
    const isOurs = ownHeaders.test(name) || isKeyHeader(credentials, name) || (name === 'accept' && value === '*/*');
    return value === undefined || isOurs ? [] : [[name, value] as const];
  });
  return {
    operation,
    segments: Object.fromEntries(segments),
    raw,
    headers: { ...Object.fromEntries(own), ...headers },
    as,
    ...(carrier === undefined ? {} : { carrier }),
  };
}

/** The same call with other values of some parameters of its query. */
export function withQuery(call: Call, changes: Readonly<Record<string, string>>): Call {
  const rest = (call.raw ?? []).filter((piece) => !Object.hasOwn(changes, decodeOrKeep(piece.split('=', 1)[0] ?? '')));
  const changed = Object.entries(changes).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  return { ...call, raw: [...rest, ...changed] };
}

/** Which of the documented ways of showing a key a request uses; `undefined` for none of them. */
export function carrierIn(operation: Operation, headers: ReadonlySet<string>, query: ReadonlySet<string>): number | undefined {
  const ways = operation.security.filter((alternative) => alternative.length > 0);
  const found = ways.findIndex((alternative) =>
    alternative.every(({ carrier }) => {
      if (carrier.in === 'query') return query.has(carrier.name);
      return headers.has(
        carrier.in === 'authorization' ? 'authorization' : carrier.in === 'cookie' ? 'cookie' : carrier.name.toLowerCase(),
      );
    }),
  );
  return found < 0 ? undefined : found;
}

/** Whether a header carries a key. */
export function isKeyHeader(credentials: readonly Credential[], name: string): boolean {
  return credentials.some(({ carrier }) => {
    if (carrier.in === 'query') return false;
    return name === (carrier.in === 'authorization' ? 'authorization' : carrier.in === 'cookie' ? 'cookie' : carrier.name.toLowerCase());
  });
}

function isKeyPair(credentials: readonly Credential[], pair: string): boolean {
  const name = decodeOrKeep(pair.split('=', 1)[0] ?? '');
  return credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
}
