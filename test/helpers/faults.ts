/** The faults of the mock, one place for each kind, and runs of laws against a mock that has one. */

import { laws } from '../../contracts/laws/catalogue.ts';
import { verify } from '../../contracts/verify.ts';
import { type Contract, loadContract } from '../../core/contract.ts';
import { contractFile, listShipped } from '../../core/shipped.ts';
import type { LawResult, RunResult } from '../../core/verdict.ts';
import type { Fault } from '../../mocks/faults/fault.ts';
import { listMockFaults, startMock } from '../../mocks/start.ts';

/** The contracts of the package, as written. */
const contracts: ReadonlyMap<string, Contract> = new Map(
  await Promise.all(listShipped().map(async (name) => [name, await loadContract(contractFile(name))] as const)),
);

/** Every fault of every place. */
export const allFaults: readonly Fault[] = await listMockFaults();

/** Contract and kind of a fault, as docs/faults.md writes them. */
export function kindOf({ id, contract }: Pick<Fault, 'id' | 'contract'>): string {
  return `${contract} ${id.split(':', 1)[0] ?? id}`;
}

/** The first fault of each kind that names a law of these groups. */
export function faultsOfGroups(...groups: readonly string[]): readonly Fault[] {
  const firsts = [...new Map(allFaults.toReversed().map((fault) => [kindOf(fault), fault])).values()].toReversed();
  return firsts.filter(({ law }) => groups.some((group) => law.startsWith(`${group}/`)));
}

/** Judges a mock with a fault, by the laws that match these patterns and have something to say of its contract, or by all laws. */
export async function judgeFault({ id, contract: name }: Pick<Fault, 'id' | 'contract'>, only?: readonly string[]): Promise<RunResult> {
  const contract = contracts.get(name);
  if (contract === undefined) throw new Error(`${name} is no contract of the package`);
  await using mock = await startMock({ contracts: [name], faults: [id] });
  const keys = Object.fromEntries(Object.entries(mock.keys).map(([role, value]) => [role, { variable: variableOf(role), value }]));
  const options = { contract, target: mock.url, keys, hidden: mock.hiddenSlugs };
  return await verify({ ...options, ...(only === undefined ? {} : { only: only.filter((pattern) => isKnown(contract, pattern)) }) }).result;
}

function variableOf(role: string): string {
  return `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`;
}

function isKnown(contract: Contract, id: string): boolean {
  return laws.some((law) => law.id === id && contract.operations.some((operation) => law.clause(operation, contract) !== undefined));
}

/** The laws that send what shows a fault, where the law that it names only looks at what others asked for. */
export function sendersFor(fault: Fault): readonly string[] {
  const kind = fault.id.split(':', 1)[0] ?? '';
  return senders[kind] ?? (fault.law.startsWith('response/') ? failing : []);
}

/** Laws that bring about failures. */
const failing: readonly string[] = ['keys/missing', 'keys/scopes', 'details/absent', 'details/identifier', 'pages/numbers'];

const senders: Readonly<Record<string, readonly string[]>> = {
  'odd-text-error': ['details/hostile', 'search/narrows'],
  'invalid-as-error': ['paging/limit-bounds'],
  'damaged-cursor-error': ['paging/damaged-cursor'],
  'provider-secret-shown': ['keys/carriers'],
  'provider-reference-shown': ['details/agree'],
  'tag-unquoted': ['conditional/tag'],
  // That both bounds are inclusive otherwise is what tells it from a bound that is not.
  'single-day-empty': ['ranges/inclusive', 'ranges/one-sided'],
};

/** What the named law says of a fault, once for each operation where it finds it. */
export function violationsOf(result: RunResult, law: string): readonly LawResult[] {
  return result.laws.filter((each) => each.id === law && each.verdict === 'violated');
}

/** What is missing from the evidence of a violation; empty when whoever has the fault can find it by the report alone. */
export function lacksOf({ diagnosis, counterexample }: LawResult): readonly string[] {
  if (counterexample === undefined) return ['a counterexample'];
  const { clause, curl, exchanges, expected, actual } = counterexample;
  const isPlace = /\.openapi\.yaml$/.test(clause.file) && clause.line > 0;
  return [
    ...(isPlace ? [] : ['a clause of the contract']),
    ...(curl.length > 0 && curl.length === exchanges.length && curl.every((line) => line.startsWith('curl ')) ? [] : ['curl lines']),
    ...(expected !== '' && actual !== '' ? [] : ['what was expected, and what came']),
    ...(diagnosis === undefined || diagnosis.startsWith('It behaves as if ') ? [] : ['a diagnosis that reads well']),
  ];
}
