/** Servers whose exchanges are written down for the mutation tests: the mock as it is, with each kind of fault, and the second server in odd states. */

import { laws } from '../../contracts/laws/catalogue.ts';
import { type Contract, loadContract } from '../../core/contract.ts';
import { contractFile } from '../../core/shipped.ts';
import { startMock } from '../../mocks/start.ts';
import { allFaults, faultsOfGroups, kindOf, sendersFor } from '../contracts/faults.ts';
import { busy, edges } from '../second/chaos.ts';
import { type SecondOptions, startSecondServer } from '../second/server.ts';

/** A server that runs. */
export interface Started extends AsyncDisposable {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}

/** A server that can be started, and the laws that judge it. */
export interface World {
  readonly name: string;
  readonly contract: Contract;
  readonly only: readonly string[];
  readonly start: () => Promise<Started>;
}

const apis = ['business', 'wiki'] as const;
type Api = (typeof apis)[number];

const contracts: Readonly<Record<Api, Contract>> = {
  business: await loadContract(contractFile('business')),
  wiki: await loadContract(contractFile('wiki')),
};

/** Every world. */
export function listWorlds(): readonly World[] {
  return [...apis.flatMap(listClean), ...listFaulty(), ...apis.flatMap(listOdd)];
}

/** One law each, so that a mutant meets the tests that are about it first. */
function listClean(api: Api): readonly World[] {
  const contract = contracts[api];
  const judged = laws.filter((law) => contract.operations.some((operation) => law.clause(operation, contract) !== undefined));
  return judged.map(({ id }) => ({ name: `${api} as it is, ${id}`, contract, only: [id], start: () => start(api) }));
}

/** The laws that a fault's own law depends on are there as well. */
function listFaulty(): readonly World[] {
  const groups = [...new Set(allFaults.map(({ law }) => law.split('/', 1)[0] ?? ''))];
  return faultsOfGroups(...groups).map((fault) => {
    const contract = contracts[fault.contract === 'wiki' ? 'wiki' : 'business'];
    const known = [fault.law, ...sendersFor(fault)].filter((id) => isAbout(id, contract));
    return { name: `${kindOf(fault)}`, contract, only: known, start: () => start(contract.name, fault.id) };
  });
}

function isAbout(id: string, contract: Contract): boolean {
  return laws.some((law) => law.id === id && contract.operations.some((operation) => law.clause(operation, contract) !== undefined));
}

/** Too little data, data of one instant, and data that changes under the run. */
function listOdd(api: Api): readonly World[] {
  const odd: readonly (readonly [string, Partial<SecondOptions>])[] = [
    ...(['none', 'one', 'two', 'same-instant'] as const).map((data) => [`with data ${data}`, { data }] as const),
    ['that changes at page edges', { chaos: edges }],
    ['that changes all the time', { chaos: busy }],
  ];
  return odd.map(([words, options]) => ({
    name: `${api} ${words}`,
    contract: contracts[api],
    only: [],
    start: () => startSecondServer({ api, ...options }),
  }));
}

async function start(contract: string, fault?: string): Promise<Started> {
  const mock = await startMock({ contracts: [contract], ...(fault === undefined ? {} : { faults: [fault] }) });
  const { url, keys, hiddenSlugs } = mock;
  return { url, keys, hidden: hiddenSlugs, [Symbol.asyncDispose]: mock.close };
}
