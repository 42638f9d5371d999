/** `touchstone replay`: sends the counterexamples of a report again and says which of them still stand. */

import { type ReplayOptions, replay } from '../../contracts/verify/replay-counterexamples.ts';
import { nearest, UsageError } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { createRedactor } from '../../core/redaction/redaction.ts';
import { matchesPattern } from '../../core/results/rule-id.ts';
import type { CheckResult, RunResult } from '../../core/results/run-result.ts';
import { listShipped } from '../../core/shipped.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { reportOfReplay } from '../../reports/verify/replay-report.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { openContract } from '../contract-source.ts';
import { readHeaders, readKeys, secretsIn, withoutKeys } from './verify-keys.ts';
import { readNumbers, verifyOptions } from './verify-options.ts';
import { readVerifyReport } from './verify-reports.ts';

/** Options that mean the same as those of `verify`. */
const shared: ReadonlySet<string> = new Set(['key', 'header', 'hidden', 'budget', 'rate', 'timeout', 'show-personal']);

/** The command. */
export const replayCommand: Command = {
  name: 'replay',
  positionals: 'REPORT.json [RULE]',
  summary: 'Send the counterexamples of a report again, and tell which still stand.',
  description: [
    'Reads a report that verify wrote as JSON, sends the requests of its counterexamples again, shows both answers, and lets the rule judge anew. A counterexample still stands when its rule is violated at the operation, is gone when the rule holds there, and cannot be told when the data that showed it is not there any more or the target is not available. RULE is an identifier, or a pattern with * for several.',
    'The target and the seed are those of the report. Keys come from variables of the environment, under the names that the report shows. Exit code 1: one still stands; 3: one cannot be told; 0: all are gone.',
  ],
  options: [
    { name: 'target', value: 'URL', summary: 'The server to ask; that of the report unless it is given.' },
    { name: 'contract', value: 'NAME', summary: 'The contract to judge by; that of the report unless it is given.' },
    { name: 'operation', value: 'ID', summary: 'Only the counterexamples at this operation.' },
    ...verifyOptions.filter(({ name }) => shared.has(name)),
    { name: 'json', summary: 'Print the result as JSON.' },
  ],
  examples: [
    { line: 'touchstone replay report.json --key full=FULL_KEY', about: 'everything that was found' },
    { line: "touchstone replay report.json 'paging/*' --target http://localhost:8080", about: 'some of it, at another server' },
  ],
  run: runReplay,
};

async function runReplay(given: Arguments, terminal: Terminal): Promise<number> {
  const [file, rule, ...rest] = given.positionals;
  if (file === undefined || rest.length > 0)
    throw new UsageError('touchstone replay needs one report and at most one rule: touchstone replay REPORT.json [RULE]');
  const report = await readVerifyReport(file);
  const rules = chooseViolations(report, rule, given.values['operation']);
  const contract = await openContract(given.values['contract'] ?? contractOf(report));
  const keys = readKeys(given.lists['key'] ?? [], contract, process.env);
  const headers = readHeaders(given.lists['header'] ?? [], process.env);
  const { clean } = createRedactor(secretsIn(keys, headers));
  if (rules.length === 0) {
    terminal.out(`${file} has no violation, so there is nothing to send again. Exit code 0.\n`);
    return 0;
  }
  const options: ReplayOptions = {
    ...readNumbers(given.values),
    contract,
    checks: rules,
    target: given.values['target'] ?? report.target,
    seed: report.seed,
    keys,
    headers,
    hidden: given.lists['hidden'] ?? [],
    showPersonal: given.switches.has('show-personal'),
    environment: process.env,
    interrupted: terminal.interrupted,
  };
  const result = await withoutKeys(clean, () => replay(options));
  warnOfVersion(contract, report, terminal);
  terminal.out(
    clean(
      given.switches.has('json')
        ? `${JSON.stringify(result, undefined, 2)}\n`
        : renderTerminal(reportOfReplay(result), { decorated: terminal.decorated, exitCode: result.exitCode }),
    ),
  );
  return result.exitCode;
}

/** The violations that are meant. */
function chooseViolations(report: RunResult, pattern = '*', operation: string | undefined = undefined): readonly CheckResult[] {
  const violated = report.checks.filter(({ verdict }) => verdict === 'violated');
  const chosen = violated.filter((rule) => matchesPattern(pattern, rule.rule) && (operation === undefined || rule.operation === operation));
  if (chosen.length > 0 || (pattern === '*' && operation === undefined)) return chosen;
  const found = violated.map((rule) => `${rule.rule} at ${rule.operation}`);
  const asked = `${pattern}${operation === undefined ? '' : ` at ${operation}`}`;
  const meant = nearest(
    asked,
    violated.map((rule) => (operation === undefined ? rule.rule : `${rule.rule} at ${rule.operation}`)),
  );
  const advice = meant === undefined ? `it has ${found.length === 0 ? 'none' : found.join(', ')}` : `is ${meant} meant?`;
  throw new UsageError(`the report has no violation of ${asked}; ${advice}`);
}

/** A contract of the package by its name, and any other by the file that the report names. */
function contractOf({ contract, checks: rules }: RunResult): string {
  if (listShipped().includes(contract.name)) return contract.name;
  const file = rules.flatMap(({ counterexample }) => counterexample?.clause.file ?? [])[0];
  if (file !== undefined) return file;
  throw new UsageError(`the report does not say where the contract ${contract.name} is; name its file by --contract`);
}

function warnOfVersion({ name, version }: Contract, report: RunResult, terminal: Terminal): void {
  if (report.contract.version === version && report.contract.name === name) return;
  terminal.error(
    `The report is about ${report.contract.name} ${report.contract.version}, and ${name} ${version} was judged by: what changed between them may be the reason of a difference.\n`,
  );
}
