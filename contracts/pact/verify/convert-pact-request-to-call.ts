/**
 * Converts a request that Pact sends to a call of the session, without Pact's own headers and the example key. `verify-in-rounds.ts` calls it for each request.
 * For each interaction, `prepare-request.ts`, `find-data-of-all-states.ts` and `compare-related-responses.ts` look up operations, and `prepare-request.ts`
 * also headers of keys. It sends nothing; `find-state-data.ts` takes a stand-in operation to ask a Touchstone mock.
 */

import { type HttpRequest, headerOf, splitTarget } from '../../../core/http/exchange.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Credential, Operation } from '../../../core/openapi/operation.ts';
import { routeTo } from '../../../core/openapi/route-request.ts';
import { decodeOrKeep } from '../../../core/parameters/query-string.ts';
import type { Call } from '../../verify/evidence/call-and-reply.ts';
import type { Caller } from '../../verify/evidence/callers-and-keys.ts';

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

/** Headers that Pact's client adds. They are not sent to the target. */
const pactHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|x-touchstone-interaction)$/;

/** The key to send, the way to send it, and additional headers. */
export interface Sender {
  /** Role of the key. */
  readonly as: Caller;
  /** Index of the security requirement that says how the key is sent. */
  readonly carrier: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Converts a request of Pact to a call, without its example key. */
export function callFromPact(contract: Contract, request: HttpRequest, { as, carrier, headers }: Sender): Call {
  const { operation, segments } = operationFor(contract, request.method, request.target);
  const credentials = operation.security.flat();
  const { query } = splitTarget(request.target);
  const raw = query === '' ? [] : query.split('&').filter((pair) => !isKeyPair(credentials, pair));
  const sent = Object.keys(request.headers).flatMap((name) => {
    const value = headerOf(request.headers, name);
    const isNotSent = pactHeaders.test(name) || isKeyHeader(credentials, name) || (name === 'accept' && value === '*/*');
    return value === undefined || isNotSent ? [] : [[name, value] as const];
  });
  return {
    operation,
    segments: Object.fromEntries(segments),
    raw,
    headers: { ...Object.fromEntries(sent), ...headers },
    as,
    ...(carrier === undefined ? {} : { carrier }),
  };
}

/** True if a header carries a key. */
export function isKeyHeader(credentials: readonly Credential[], name: string): boolean {
  return credentials.some((credential) => headerOfCredential(credential) === name);
}

/** Returns the header of a credential in lower case; `undefined` for a query parameter. */
export function headerOfCredential({ carrier }: Credential): string | undefined {
  if (carrier.in === 'query') return undefined;
  return carrier.in === 'header' ? carrier.name.toLowerCase() : carrier.in;
}

function isKeyPair(credentials: readonly Credential[], pair: string): boolean {
  const name = decodeOrKeep(pair.split('=', 1)[0] ?? '');
  return credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
}
