import { type ReplayOptions, replay } from '../../contracts/verify/replay-counterexamples.ts';
import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { createRedactor } from '../../core/redaction/redact-secrets.ts';
import type { CheckResult, RunResult } from '../../core/results/run-result.ts';
import { listShipped } from '../../core/shipped-files.ts';
import { renderTerminal } from '../../reports/render-terminal.ts';
import { reportOfReplay } from '../../reports/verify/replay-report.ts';
import { urlOption, withConfig } from '../apply-config.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { readAllHeaders, readCertificate, readKeys, secretsIn, withoutKeys } from '../credentials.ts';
import { openWithWarnings } from '../open-contract.ts';
import { configOption } from '../read-config.ts';
import { loadEarlierRuns, type Runs } from './load-earlier-runs.ts';
import { readNumbers, verifyOptions } from './verify-options.ts';

/** Options shared with `verify`. */
const sharedOptions: ReadonlySet<string> = new Set([
  'key',
  'header',
  'hidden',
  'budget',
  'rate',
  'timeout',
  'show-personal',
  'header-command',
  'cert',
  'client-key',
  'strict',
]);

/** `touchstone replay`: sends the counterexamples of a report again, and reports which violations persist. */
export const replayCommand: CommandBody = {
  description: [
    'Repeats the requests behind the violations in a JSON report of verify, and checks the same rules again. Each violation still stands, is gone, or cannot be checked because its data or the server is no longer there. RULE is the id of a rule; * matches anything.',
    'The target and the seed come from the report; keys are given as for verify, or by a named target. Exit code 0: every violation is gone; 1: at least one still stands; 3: at least one cannot be checked.',
  ],
  options: [
    {
      name: 'target',
      value: 'URL',
      summary: 'The server: a URL, or the name of a target in touchstone.config.yaml. Default: the target in the report.',
    },
    configOption,
    urlOption,
    {
      name: 'contract',
      value: 'NAME',
      summary: 'The contract. Default: the contract of the report. If the report has several, NAME chooses one.',
    },
    { name: 'operation', value: 'ID', summary: 'Replay only the violations of this operation.' },
    ...verifyOptions.filter(({ name }) => sharedOptions.has(name)),
    { name: 'json', summary: 'Print the result as JSON.' },
  ],
  examples: [
    { line: 'touchstone replay report.json --key full=FULL_KEY', about: 'all violations' },
    { line: "touchstone replay report.json 'paging/*' --target http://localhost:8080", about: 'some violations, on another server' },
  ],
  run: runReplay,
};

async function runReplay(given: Arguments, terminal: Terminal): Promise<number> {
  const [file, rule, ...rest] = given.positionals;
  if (file === undefined || rest.length > 0)
    throw new UsageError('touchstone replay needs one report and at most one rule; write touchstone replay REPORT.json [RULE]');
  // The positionals of a replay are no contracts, and the settings of a target never replace them.
  const { args, note } = await withConfig(given, process.env, given.values['target']);
  if (note !== undefined) terminal.error(`${note}\n`);
  const report = chooseRun(await loadEarlierRuns(file), file, args.values['contract']);
  const violatedChecks = chooseViolations(report, rule, args.values['operation']);
  const [contract] = (await openWithWarnings([args.values['contract'] ?? contractOf(report)], args, terminal)) as [Contract];
  const keys = readKeys(args.lists['key'] ?? [], contract, process.env);
  const headers = await readAllHeaders(args, process.env);
  const { clean } = createRedactor(secretsIn(keys, headers));
  if (violatedChecks.length === 0) {
    terminal.out(`${file} has no violation, so there is nothing to replay. Exit code 0.\n`);
    return 0;
  }
  const options: ReplayOptions = {
    ...readNumbers(args.values),
    contract,
    checks: violatedChecks,
    target: args.values['target'] ?? report.target,
    seed: report.seed,
    keys,
    headers,
    certificate: readCertificate(args.values),
    hidden: args.lists['hidden'] ?? [],
    showPersonal: args.switches.has('show-personal'),
    environment: process.env,
    interrupted: terminal.interrupted,
  };
  const result = await withoutKeys(clean, () => replay(options));
  warnOfVersion(contract, report, terminal);
  terminal.out(
    clean(
      args.switches.has('json')
        ? `${printJson(result, 2)}\n`
        : renderTerminal(reportOfReplay(result), { decorated: terminal.decorated, exitCode: result.exitCode }),
    ),
  );
  return result.exitCode;
}

/** Selects the run of a contract. A report of a single run has only one, whatever contract replaces its own. */
function chooseRun(runs: Runs, file: string, contract: string | undefined): RunResult {
  const [first, ...others] = runs;
  const runsOfContract = runs.filter((each) => each.contract.name === contract);
  if (others.length === 0) return first;
  const [run, ...furtherRuns] = runsOfContract;
  if (run !== undefined && furtherRuns.length === 0) return run;
  const names = runs.map((each) => `${each.contract.name} at ${each.target}`);
  throw new UsageError(
    runsOfContract.length > 1
      ? `${file} has several runs of ${contract}; write the report of one run, with --report json=FILE`
      : `${file} has the runs of ${names.join(' and ')}; choose one with --contract NAME`,
  );
}

/** Selects violations by rule and operation. */
function chooseViolations(report: RunResult, pattern = '*', operation: string | undefined = undefined): readonly CheckResult[] {
  const violated = report.checks.filter(({ verdict }) => verdict === 'violated');
  const selected = violated.filter(
    (check) => matchesPattern(pattern, check.rule) && (operation === undefined || check.operation === operation),
  );
  if (selected.length > 0 || (pattern === '*' && operation === undefined)) return selected;
  const violatedNames = violated.map((check) => `${check.rule} in ${check.operation}`);
  const selection = `${pattern}${operation === undefined ? '' : ` in ${operation}`}`;
  const advice = didYouMean(
    selection,
    violated.map((check) => (operation === undefined ? check.rule : `${check.rule} in ${check.operation}`)),
    `it has ${violatedNames.length === 0 ? 'none' : violatedNames.join(', ')}`,
  );
  throw new UsageError(`the report has no violation of ${selection}; ${advice}`);
}

/** Returns the name of a contract of the package, or the file of another contract. */
function contractOf({ contract, checks }: RunResult): string {
  if (listShipped().includes(contract.name)) return contract.name;
  const file = checks.flatMap(({ counterexample }) => counterexample?.clause.file ?? [])[0];
  if (file !== undefined) return file;
  throw new UsageError(`the report does not name the file of the contract ${contract.name}; name it with --contract`);
}

function warnOfVersion({ name, version }: Contract, report: RunResult, terminal: Terminal): void {
  if (report.contract.version === version && report.contract.name === name) return;
  terminal.error(
    `The report is of ${report.contract.name} ${report.contract.version}, but this run uses ${name} ${version}. Differences may be due to changes in the contract.\n`,
  );
}
