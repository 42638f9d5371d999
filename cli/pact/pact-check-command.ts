import { type CheckPactsOptions, checkPacts } from '../../contracts/pact/check/check-pacts.ts';
import { answersFor, loadProfile, rejectUnusedAnswers } from '../../core/annotations/profile-file.ts';
import { UsageError } from '../../core/errors.ts';
import { memoize } from '../../core/memo.ts';
import { answerQuestions, type Contract } from '../../core/openapi/contract.ts';
import type { PactCheck } from '../../core/results/pact-check-result.ts';
import { renderPactCheckJson, reportOfCheck } from '../../reports/pact/pact-check-report.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { openContract, warnAbout, warnAboutSchemas } from '../open-contract.ts';
import { configOption, defaultConfigFile, readStateMeanings } from '../read-config.ts';
import { createReports } from '../report-option.ts';
import { readTerms, termOptions } from '../verify/verify-options.ts';
import { openPacts, providerContractOption, readRequired } from './open-pacts.ts';

const reports = createReports({ json: renderPactCheckJson, reportsOf: (result) => [reportOfCheck(result)] });

/** `touchstone pact check`: compares pacts with contracts, without a server. */
export const pactCheckCommand: CommandBody = {
  description: [
    'Compares pacts (Pact specification 1 to 4) with the contract of their provider: each request must be valid, and the contract must guarantee each expected response. A finding is impossible if no allowed response meets the expectation, and not-guaranteed if some do not. Without DIR, checks the pacts in contracts/pacts.',
    'Provider states of a known form are taken into account: with "a thing exists", the first page of the list of things has a record. The configuration gives other states a meaning; plain wordings are guessed. Exit code 1: an interaction that is not pending has a finding. Expectations that could not be compared are listed; with --require all, they make the exit code 4.',
  ],
  options: [
    ...providerContractOption,
    {
      ...configOption,
      summary: `Configuration file with the meanings of provider states. Default ${defaultConfigFile}, if it exists.`,
    },
    {
      name: 'profile',
      value: 'NAME|FILE',
      summary: 'Answers to the questions that the API documentation leaves open: the name of a profile, as for touchstone mock, or a file.',
    },
    {
      name: 'old',
      value: 'CONTRACT',
      summary: 'The contract before a change, to distinguish what the change breaks from mistakes in the pact.',
    },
    {
      name: 'require',
      value: 'COUNT',
      summary:
        'Minimum number of expectations that must be compared, or all. If fewer were compared and there are no findings, the exit code is 4. Default 0.',
    },
    ...termOptions.filter(({ name }) => name === 'waivers'),
    reports.option,
  ],
  examples: [
    { line: 'touchstone pact check', about: 'the pacts in contracts/pacts, each against the contract named after its provider' },
    { line: 'touchstone pact check build/pacts --api my-api.yaml', about: 'pacts against your own contract' },
    { line: 'touchstone pact check --profile profile.yaml', about: "with answers to the contract's open questions" },
    { line: 'touchstone pact check pacts --api new.yaml --old old.yaml', about: 'which expectations a change to the contract breaks' },
    {
      line: 'touchstone pact check pacts --report junit=pacts.xml --report markdown=pacts.md',
      about: 'reports for CI and for a pull request',
    },
  ],
  run: runPactCheck,
};

async function runPactCheck(args: Arguments, terminal: Terminal): Promise<number> {
  const requested = reports.read(args);
  const required = readRequired(args.values['require'], 0);
  const opened = openWithOld(args, terminal);
  const result = await checkWithProgress(opened, terminal);
  warnAboutSchemas(new Set((await opened).pairs.map(({ contract }) => contract)), terminal);
  const findings = result.count.impossible + result.count.notGuaranteed;
  const { total, notCompared } = result.expectations;
  const isEnough = total - notCompared >= (required === 'all' ? total : required);
  return reports.end(result, requested, findings > 0 ? 1 : isEnough ? 0 : 4, terminal);
}

/**
 * Reads the pacts with their contracts, and the earlier contract of `--old`.
 * @throws {UsageError} when the pacts need several contracts, since only one has an earlier version.
 */
async function openWithOld(args: Arguments, terminal: Terminal): Promise<CheckPactsOptions> {
  const { pairs, skipped } = await openPacts(args);
  warnAbout(new Set(pairs.map(({ contract }) => contract)), terminal);
  const states = await readStateMeanings(args.values['config']);
  const answer = await readProfile(args.values['profile'], [...new Set(pairs.map(({ contract }) => contract))]);
  const { waivers } = await readTerms({ ...args, values: { waivers: args.values['waivers'] } });
  const opened = { skipped, states, waivers, pairs: pairs.map(({ pact, contract }) => ({ pact, ...answer(contract) })) };
  const name = args.values['old'];
  if (name === undefined) return opened;
  if (new Set(opened.pairs.map(({ contract }) => contract)).size > 1)
    throw new UsageError(
      `--old ${name} is the earlier version of one contract, and the pacts need several; select one with --api CONTRACT`,
    );
  const { contract: old } = answer(await openContract(name, { strict: args.switches.has('strict') }));
  return { ...opened, pairs: opened.pairs.map((pair) => ({ ...pair, old })) };
}

/** A contract as a profile answers it, and without these answers; the contract alone without a profile. */
type AnsweredContract = Pick<CheckPactsOptions['pairs'][number], 'contract' | 'unanswered'>;

/** Returns a function that answers the questions of a contract by a profile. It answers each contract once, because a check caches by contract object. */
async function readProfile(name: string | undefined, contracts: readonly Contract[]): Promise<(contract: Contract) => AnsweredContract> {
  if (name === undefined) return (contract) => ({ contract });
  const profile = await loadProfile(name);
  rejectUnusedAnswers(profile, contracts);
  return memoize((contract: Contract) => ({ contract: answerQuestions(contract, answersFor(profile, contract)), unanswered: contract }));
}

/** Shows a message while the check runs, which may take some seconds. */
async function checkWithProgress(opened: Promise<CheckPactsOptions>, terminal: Terminal): Promise<PactCheck> {
  const isRewritable = terminal.columns !== undefined;
  if (isRewritable) terminal.error('Checking pacts …');
  try {
    return await checkPacts(await opened);
  } finally {
    if (isRewritable) terminal.error('\r\u001b[K');
  }
}
