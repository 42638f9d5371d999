import { nearest } from '../../core/did-you-mean.ts';
import type { JsonObject } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { plainDocument } from '../../core/openapi/plain-openapi-document.ts';
import type { KeysState, ServedContract, ServedState } from './control-bodies.ts';
import { ControlError, clipText, controlPath, type Endpoint, toJsonResponse } from './endpoint.ts';
import { readQueryMembers, textLike } from './read-members.ts';

/** State of the mock that the endpoints show. */
export interface ServedMock {
  readonly url: string;
  readonly seed: number;
  readonly contracts: readonly Contract[];
  readonly mutants: readonly { readonly id: string; readonly title: string }[];
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Creates the endpoints: `/__mock/` shows contracts and mutants, `/__mock/keys` the keys, `/__mock/openapi` each contract as a plain OpenAPI document. A reload
 * may change what `served` returns.
 */
export function descriptionEndpoints(served: () => ServedMock): readonly Endpoint[] {
  return [
    { path: '', methods: { GET: () => toJsonResponse(showServed(served())) } },
    { path: 'keys', methods: { GET: () => toJsonResponse({ keys: served().keys } satisfies KeysState) } },
    {
      path: 'openapi',
      methods: {
        GET: ({ query }) => {
          const { contract } = readQueryMembers(query, parameters, 'The OpenAPI document');
          return toJsonResponse(describeApi(served(), contract), 200, { 'access-control-allow-origin': '*' });
        },
      },
    },
  ];
}

/** Path at which tools look for an OpenAPI document. It is another name of `/__mock/openapi`. */
export const descriptionPath = '/openapi.json';

const parameters = { contract: textLike('NAME') };

/** Plain documents by contract, since a large one takes a moment to make. */
const documents = new WeakMap<Contract, JsonObject>();

function describeApi({ contracts, url }: ServedMock, name: string | undefined): JsonObject {
  const [firstContract, ...otherContracts] = contracts;
  const contract = name === undefined && otherContracts.length === 0 ? firstContract : contracts.find((each) => each.name === name);
  if (contract === undefined) throw new ControlError(404, explainContracts(contracts, name));
  const document = getOrCompute(documents, contract, () => plainDocument(contract));
  return { ...document, servers: [{ url }] };
}

function explainContracts(contracts: readonly Contract[], name: string | undefined): string {
  const names = contracts.map((contract) => contract.name);
  const suggestion = name === undefined ? undefined : nearest(name, names);
  const choices = (suggestion === undefined ? names : [suggestion]).map((each) => `${descriptionPath}?contract=${each}`).join(', ');
  const problem = name === undefined ? 'The mock serves several contracts' : `The mock serves no contract ${clipText(name)}`;
  return `${problem}; ask for ${choices}.`;
}

function showServed({ url, seed, contracts, mutants }: ServedMock): ServedState {
  const links = ['keys', 'openapi', 'clock', 'chaos', 'journal', 'client', 'pact', 'events', 'reset'].map((name) => [
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
