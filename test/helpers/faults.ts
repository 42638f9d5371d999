/** The mutants of the mock (faults), runs of rules against a mock that has some of them, and what is wrong with their reports. */

import { laws } from '../../contracts/laws/catalogue.ts';
import type { Contract } from '../../core/contract.ts';
import { contractFile } from '../../core/shipped.ts';
import type { LawResult, RunResult } from '../../core/verdict.ts';
import type { Fault } from '../../mocks/faults/fault.ts';
import { listMockFaults } from '../../mocks/start.ts';
import { openContract } from './exchange-judge.ts';
import { type Judging, judgeMock } from './judged-servers.ts';

/** Every fault of every place. */
export const allFaults: readonly Fault[] = await listMockFaults();

/** Contract and kind of a fault, as docs/faults.md writes them. */
export function kindOf({ id, contract }: Pick<Fault, 'id' | 'contract'>): string {
  return `${contract} ${id.split(':', 1)[0] ?? id}`;
}

/** The operation that a fault is at; the name of the contract for one that is everywhere. */
function operationOf({ id }: Pick<Fault, 'id'>): string {
  return id.split(':', 2)[1]?.split('.', 1)[0] ?? '';
}

/** For each rule its first mutant, and further kinds at other operations of the same contract, where a run sees them at no cost. */
export function mutantsByRule(): ReadonlyMap<string, readonly Fault[]> {
  const byRule = new Map<string, Fault[]>();
  for (const fault of allFaults) {
    const [first, ...others] = byRule.get(fault.law) ?? [];
    if (first === undefined) byRule.set(fault.law, [fault]);
    else if ([first, ...others].every((each) => areApart(each, fault))) byRule.set(fault.law, [first, ...others, fault]);
  }
  return byRule;
}

/** Whether one mock can have both, so that each is seen by itself. */
function areApart(one: Fault, other: Fault): boolean {
  const [first, second] = [one, other].map(operationOf);
  return (
    one.contract === other.contract && kindOf(one) !== kindOf(other) && ![second, one.contract].includes(first) && second !== one.contract
  );
}

/** Judges a mock with faults of one contract. Patterns of rules that have nothing to say of it are left out. */
export async function judgeFaults(name: string, faults: readonly Pick<Fault, 'id'>[], judging: Judging = {}): Promise<RunResult> {
  const contract = judging.contract ?? (await openContract(contractFile(name)));
  const only = (judging.only ?? []).filter((pattern) => isKnown(contract, pattern));
  return await judgeMock(name, { faults: faults.map(({ id }) => id) }, { ...judging, contract, only });
}

/** What the rules that mutants name make of them: one rule, and mutants that are apart. Nothing else is asked that can be left out. */
export async function judgeByNamedRule(faults: readonly [Fault, ...Fault[]]): Promise<readonly string[]> {
  const [{ law, contract }] = faults;
  const { operations } = await openContract(contractFile(contract));
  const places = faults.map(operationOf);
  // What one operation lets through shows where others do not.
  const isEverywhere = places.includes(contract) || law === 'details/views';
  const result = await judgeFaults(contract, faults, {
    only: [law],
    // These look at what the other rules ask, which is much; only a whole run asks what it takes for an error of the server.
    quick: law.startsWith('response/') && law !== 'response/no-server-error',
    skip: isEverywhere ? [] : operations.map(({ id }) => id).filter((id) => !places.includes(id)),
    ...(isEverywhere || /^(keys|tenancy|conditional)\//.test(law) ? {} : { roles: ['full'] }),
  });
  return [
    ...(result.exitCode === 1
      ? []
      : [`the run ends with ${result.exitCode}${result.unavailable === undefined ? '' : `: ${result.unavailable}`}`]),
    ...faults.flatMap((fault) => complaintsOf(result, fault)),
  ];
}

function complaintsOf(result: RunResult, fault: Fault): readonly string[] {
  const of = operationOf(fault);
  const violations = result.laws.filter(
    ({ id, verdict, operation }) => id === fault.law && verdict === 'violated' && (of === operation || of === fault.contract),
  );
  const diagnosis = diagnoses.get(kindOf(fault));
  const isWritten = diagnosis === undefined || !isFirst(fault) || violations[0]?.diagnosis === `It behaves as if ${diagnosis}`;
  return [
    ...(violations.length > 0 ? [] : [`${fault.law} does not report ${fault.id}`]),
    ...violations.flatMap((each) => lacksOf(each).map((part) => `the report of ${fault.id} lacks ${part}`)),
    ...(isWritten ? [] : [`${fault.id} is diagnosed as ${violations[0]?.diagnosis}; expected: … ${diagnosis}`]),
  ];
}

/** Whether a fault is the first of its kind: diagnoses name operations and parameters, and are written down for the first place. */
function isFirst(fault: Fault): boolean {
  return allFaults.find((each) => kindOf(each) === kindOf(fault)) === fault;
}

/** What a rule says of the first mutant of a kind, behind “It behaves as if”. */
export const diagnoses: ReadonlyMap<string, string> = new Map([
  ['business missing-key-accepted', 'a request without a key were enough'],
  ['business empty-key-accepted', 'an empty key were enough'],
  ['business unknown-key-accepted', 'a key that was never issued were enough'],
  ['business expired-key-accepted', 'an expired key were enough'],
  ['business carrier-ignored', 'a key in the header X-SERVICE-API-Key were not read'],
  ['business scope-unchecked', 'a key without the scope identity were enough'],
  ['business unchanged-before-key', 'a current tag were enough with no key'],
  ['business foreign-record-shown', "everybody's records could be read by id"],
  ['business foreign-record-told', 'a record of another tenant were answered otherwise than one that does not exist'],
  ['business foreign-record-unchanged', 'the tag of a foreign record were enough'],
  ['business foreign-records-listed', 'the list were of all tenants'],
  ['business foreign-records-filtered', 'filters widened the list to all tenants'],
  ['business first-tenant-for-all', 'an answer could be that of another tenant'],
  ['business foreign-cursor-accepted', 'a cursor opened the list of the one that it was made for'],
  ['business tag-missing', 'successes had no tag'],
  ['business unchanged-never', 'If-None-Match were not read'],
  ['business unchanged-other-tag', 'a 304 showed another tag than the current one'],
  ['business unchanged-always', 'every conditional read were answered with 304'],
  ['business tag-constant', 'all records had one tag'],
  ['business tag-by-version', 'the tag were made of the moment of the last change alone'],
  ['business tag-per-answer', 'each answer had a tag of its own'],
  ['business absent-as-unchanged', 'a record that does not exist had not changed'],
  ['business invalid-as-unchanged', 'a tag were looked at before the request'],
]);

function isKnown(contract: Contract, id: string): boolean {
  return laws.some((law) => law.id === id && contract.operations.some((operation) => law.clause(operation, contract) !== undefined));
}

/** What is missing from the evidence of a violation; empty when whoever has the fault can find it by the report alone. */
function lacksOf({ diagnosis, counterexample }: LawResult): readonly string[] {
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
