/** The mutants of the mock, runs of rules against a mock with some of them, and the problems of the resulting reports. */

import { rules } from '../../contracts/verify/rules/rule-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { CheckResult, RunResult } from '../../core/results/run-result.ts';
import { contractFile } from '../../core/shipped-files.ts';
import type { MockMutant } from '../../mocks/mutants/mock-mutant.ts';
import { listMockMutants } from '../../mocks/start-mock.ts';
import { openContract } from './exchange-judge.ts';
import { type Judging, judgeMock } from './judged-servers.ts';

/** Every mutant at every operation. */
export const allMutants: readonly MockMutant[] = await listMockMutants();

/** Contract and kind of a mutant, as test/campaigns/results/mutant-matrix.md writes them. */
export function kindOf({ id, contract }: Pick<MockMutant, 'id' | 'contract'>): string {
  return `${contract} ${id.split(':', 1)[0] ?? id}`;
}

/** The operation of a mutant; the name of the contract for a mutant of the whole API. */
function operationOf({ id }: Pick<MockMutant, 'id'>): string {
  return id.split(':', 2)[1]?.split('.', 1)[0] ?? '';
}

/** A mutant of each rule that judges the wiki, whose runs are short, and of one rule in each other group. */
export function mutantsOfRules(): readonly MockMutant[] {
  const wiki = allMutants.filter(({ contract }) => contract === 'wiki');
  const groupOf = ({ rule }: MockMutant): string => rule.split('/', 1)[0] ?? rule;
  const others = allMutants.filter((mutant) => !wiki.some((each) => groupOf(each) === groupOf(mutant)));
  const firstBy = (keyOf: (mutant: MockMutant) => string, mutants: readonly MockMutant[]): readonly MockMutant[] => [
    ...new Map(mutants.toReversed().map((mutant) => [keyOf(mutant), mutant])).values(),
  ];
  return [...firstBy(({ rule }) => rule, wiki), ...firstBy(groupOf, others)];
}

/** Judges a mock with mutants of one contract. Leaves out the ids of rules that do not apply to the contract. */
export async function judgeMutants(name: string, mutants: readonly Pick<MockMutant, 'id'>[], judging: Judging = {}): Promise<RunResult> {
  const contract = judging.contract ?? (await openContract(contractFile(name)));
  const only = (judging.only ?? []).filter((pattern) => isKnown(contract, pattern));
  return await judgeMock(name, { mutants: mutants.map(({ id }) => id) }, { ...judging, contract, only });
}

/** Complaints about a mutant that the rule it names should report, with as few other requests as possible. */
export async function judgeByNamedRule(mutant: MockMutant): Promise<readonly string[]> {
  const { rule, contract } = mutant;
  const { operations } = await openContract(contractFile(contract));
  const place = operationOf(mutant);
  // Such a mutant shows only if another operation works.
  const isEverywhere = place === contract || rule === 'details/views';
  const result = await judgeMutants(contract, [mutant], {
    only: [rule],
    // The rules response/* read the answers to other rules, so a quick run is enough. Only a full run provokes an error of the server.
    quick: rule.startsWith('response/') && rule !== 'response/no-server-error',
    skip: isEverywhere ? [] : operations.map(({ id }) => id).filter((id) => id !== place),
    ...(isEverywhere || /^(keys|tenancy|conditional)\//.test(rule) ? {} : { roles: ['full'] }),
  });
  return [
    ...(result.exitCode === 1
      ? []
      : [`the run ends with ${result.exitCode}${result.unavailable === undefined ? '' : `: ${result.unavailable}`}`]),
    ...complaintsOf(result, mutant),
  ];
}

function complaintsOf(result: RunResult, mutant: MockMutant): readonly string[] {
  const of = operationOf(mutant);
  const violations = result.checks.filter(
    ({ rule: id, verdict, operation }) => id === mutant.rule && verdict === 'violated' && (of === operation || of === mutant.contract),
  );
  const diagnosis = diagnoses.get(kindOf(mutant));
  const isWritten = diagnosis === undefined || !isFirst(mutant) || violations[0]?.diagnosis === `The server behaves as if ${diagnosis}`;
  return [
    ...(violations.length > 0 ? [] : [`${mutant.rule} does not report ${mutant.id}`]),
    ...violations.flatMap((each) => missingEvidence(each).map((part) => `the report of ${mutant.id} lacks ${part}`)),
    ...(isWritten ? [] : [`${mutant.id} is diagnosed as ${violations[0]?.diagnosis}; expected: … ${diagnosis}`]),
  ];
}

/** True for the first mutant of its kind. Diagnoses name operations and parameters, so only the first ones are recorded below. */
function isFirst(mutant: MockMutant): boolean {
  return allMutants.find((each) => kindOf(each) === kindOf(mutant)) === mutant;
}

/** Diagnosis of the first mutant of a kind, after “It behaves as if”. */
export const diagnoses: ReadonlyMap<string, string> = new Map([
  ['business missing-key-accepted', 'a request without a key is accepted'],
  ['business empty-key-accepted', 'an empty key is accepted'],
  ['business unknown-key-accepted', 'a key that was never issued is accepted'],
  ['business expired-key-accepted', 'an expired key is accepted'],
  ['business carrier-ignored', 'a key in the header X-SERVICE-API-Key is ignored'],
  ['business scope-unchecked', 'a key without the scope identity is accepted'],
  ['business unchanged-before-key', 'with no key, a current tag gets 304'],
  ['business foreign-record-shown', 'id finds the records of every tenant'],
  ['business foreign-record-told', "another tenant's record gets a different response from one that does not exist"],
  ['business foreign-record-unchanged', "another tenant's record gets 304 when its tag is sent"],
  ['business foreign-records-listed', 'the list contains the records of all tenants'],
  ['business foreign-records-filtered', 'the list contains the records of all tenants when a filter is sent'],
  ['business first-tenant-for-all', 'a key reads the record of another tenant'],
  ['business foreign-cursor-accepted', "another tenant's cursor continues with that tenant's records"],
  ['business tag-missing', 'a successful response has no ETag'],
  ['business unchanged-never', 'the header If-None-Match is ignored'],
  ['business unchanged-other-tag', 'a 304 has a tag other than the current one'],
  ['business unchanged-always', 'any If-None-Match gets 304'],
  ['business tag-constant', 'all records have the same tag'],
  ['business tag-by-version', 'the tag depends only on the time of the last change'],
  ['business tag-per-answer', 'each response has a new tag, although the content is unchanged'],
  ['business absent-as-unchanged', 'a record that does not exist gets 304 when If-None-Match is sent'],
  ['business invalid-as-unchanged', 'an invalid identifier gets 304 when If-None-Match is sent'],
]);

function isKnown(contract: Contract, id: string): boolean {
  return rules.some((rule) => rule.id === id && contract.operations.some((operation) => rule.clause(operation, contract) !== undefined));
}

/** A command, or the reason why a request has none: its cursor happens to hold a part of a key. */
const isCommandOrReason = /^(curl |# GET \S+[?&]cursor=.+ holds a key in another encoding)/;

/** Missing parts of the evidence of a violation; empty if the evidence is complete. */
function missingEvidence({ diagnosis, counterexample }: CheckResult): readonly string[] {
  if (counterexample === undefined) return ['a counterexample'];
  const { clause, curl, exchanges, expected, actual } = counterexample;
  const isPlace = /\.openapi\.yaml$/.test(clause.file) && clause.line > 0;
  return [
    ...(isPlace ? [] : ['a clause of the contract']),
    ...(curl.length > 0 && curl.length === exchanges.length && curl.every((line) => isCommandOrReason.test(line)) ? [] : ['curl lines']),
    ...(expected !== '' && actual !== '' ? [] : ['what was expected, and what came']),
    ...(diagnosis === undefined || diagnosis.startsWith('The server behaves as if ') ? [] : ['a diagnosis that reads well']),
  ];
}
