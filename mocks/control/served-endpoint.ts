/** `/__mock/` and `/__mock/keys`: what the mock serves, and the keys that open it. */

import type { Contract } from '../../core/openapi/contract.ts';
import { controlPath, type Endpoint, toJson } from './control-endpoint.ts';
import type { KeysState, ServedContract, ServedState } from './control-message.ts';

/** Sources of the endpoints. */
export interface ServedMock {
  readonly url: string;
  readonly seed: number;
  readonly contracts: readonly Contract[];
  readonly mutants: readonly { readonly id: string; readonly title: string }[];
  readonly keys: Readonly<Record<string, string>>;
}

/** The endpoints. */
export function servedEndpoints(mock: () => ServedMock): readonly Endpoint[] {
  return [
    { path: '', methods: { GET: () => toJson(showServed(mock())) } },
    { path: 'keys', methods: { GET: () => toJson({ keys: mock().keys } satisfies KeysState) } },
  ];
}

function showServed({ url, seed, contracts, mutants }: ServedMock): ServedState {
  const links = ['keys', 'clock', 'chaos', 'journal', 'pact', 'events', 'reset'].map((name) => [name, `${url}${controlPath}${name}`]);
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
