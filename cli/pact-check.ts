/** `touchstone pact check`: checks pacts against contracts, without a server. */

import { checkPacts } from '../contracts/pact/check/check-pacts.ts';
import type { PactCheck } from '../core/pact/check-result.ts';
import { itemsOfCheck, reportOfCheck } from '../reports/pact-check.ts';
import { renderPactCheckJson } from '../reports/pact-check-json.ts';
import { renderTerminal } from '../reports/terminal.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { type OpenedPacts, openPacts, pactSourceOptions } from './pact-files.ts';
import { createReports } from './pact-report.ts';
import { type Ended, endWithReports } from './report-file.ts';

const reports = createReports(renderPactCheckJson, reportOfCheck, itemsOfCheck);

/** The command. */
export const pactCheckCommand: Command = {
  name: 'pact check',
  positionals: '[DIR|FILE…]',
  summary: 'Check pacts against contracts, without a server.',
  description: [
    'Compares what consumers ask and expect in their pacts (Pact specification 2 to 4) with the contract of the provider. Each request must be one that the contract understands, and whatever is expected of an answer must be promised: what no allowed answer meets is impossible, and what some allowed answers do not meet is not guaranteed. Each finding comes with its line in the pact and in the contract, and where there is one with an answer that the contract allows and the pact refuses.',
    'Without DIR, the pacts in contracts/pacts of the current folder are checked, or those of this package. What provider states say counts as promised, as far as they have the forms that pact verify knows: "a thing exists" fills the first page of a list. The exit code is 1 when anything is found, but for interactions that are pending. The report in JSON follows specs/pact-check-report.schema.json.',
  ],
  options: [...pactSourceOptions, reports.option],
  examples: [
    { line: 'touchstone pact check', about: 'the pacts of the current folder, each by the contract that has the name of its provider' },
    { line: 'touchstone pact check build/pacts --api my-api.yaml', about: 'pacts about a contract of your own' },
    {
      line: 'touchstone pact check pacts --report junit=pacts.xml --report markdown=pacts.md',
      about: 'reports for a build and for a pull request',
    },
  ],
  run: runPactCheck,
};

async function runPactCheck(given: Arguments, terminal: Terminal): Promise<number> {
  const files = reports.read(given.lists['report'] ?? []);
  const result = await follow(openPacts(given), terminal);
  const findings = result.count.impossible + result.count.notGuaranteed;
  const ending = {
    reports: files,
    render: reports.render(result),
    exitCode: findings > 0 ? 1 : 0,
    summary: (end: Ended) => renderTerminal(reportOfCheck(result), { ...end, decorated: terminal.decorated }),
  };
  return endWithReports(ending, terminal);
}

/** A check of many pacts takes some seconds. */
async function follow(opened: Promise<OpenedPacts>, terminal: Terminal): Promise<PactCheck> {
  const isRewritable = terminal.columns !== undefined;
  if (isRewritable) terminal.error('Checking pacts …');
  try {
    return await checkPacts(await opened);
  } finally {
    if (isRewritable) terminal.error('\r\u001b[K');
  }
}
