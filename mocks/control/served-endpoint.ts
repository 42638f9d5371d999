/**
 * `/__mock/` shows the contracts and mutants that the mock serves, `/__mock/keys` its keys. `control-handler.ts` includes both endpoints once; their methods
 * run per request.
 */

import type { Contract } from '../../core/openapi/contract.ts';
import { controlPath, type Endpoint, toJsonAnswer } from './control-endpoint.ts';
import type { KeysState, ServedContract, ServedState } from './control-message.ts';

/** State of the mock that the endpoints show. */
export interface ServedMock {
  readonly url: string;
  readonly seed: number;
  readonly contracts: readonly Contract[];
  readonly mutants: readonly { readonly id: string; readonly title: string }[];
  readonly keys: Readonly<Record<string, string>>;
}

/** Creates the endpoints. A reload may change what `served` returns. */
export function servedEndpoints(served: () => ServedMock): readonly Endpoint[] {
  return [
    { path: '', methods: { GET: () => toJsonAnswer(showServed(served())) } },
    { path: 'keys', methods: { GET: () => toJsonAnswer({ keys: served().keys } satisfies KeysState) } },
  ];
}

function showServed({ url, seed, contracts, mutants }: ServedMock): ServedState {
  const links = ['keys', 'clock', 'chaos', 'journal', 'client', 'pact', 'events', 'reset'].map((name) => [
    name,
    `${url}${controlPath}${name}`,
  ]);
  return {
    scope: 'this process',
    url,
    seed,
    contracts: contracts.map((contract) => showContract(contract, url)),
    mutants: mutants.map(({ id, title }) => ({ id, title })),
    links: Object.fromEntries(links),
  };
}

function showContract({ name, title, version, operations }: Contract, url: string): ServedContract {
  return { name, title, version, url, operations: operations.map(({ id, method, path }) => ({ id, method, path })) };
}
