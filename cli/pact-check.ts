/** `touchstone pact check`: checks pacts against contracts, without a server. */

import { checkPacts } from '../contracts/pact/check.ts';
import type { PactCheck } from '../core/pact-check.ts';
import { renderPactCheck } from '../reports/pact/check-terminal.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { pactCheckReports } from './pact-check-report.ts';
import { type OpenedPacts, openPacts, pactSourceOptions } from './pact-files.ts';
import { type Ended, endWithReports } from './report-file.ts';

/** The command. */
export const pactCheckCommand: Command = {
  name: 'pact check',
  positionals: '[DIR|FILE…]',
  summary: 'Check pacts against contracts, without a server.',
  description: [
    'Compares what consumers ask and expect in their pacts (Pact specification 2 to 4) with the contract of the provider. Each request must be one that the contract understands, and whatever is expected of an answer must be promised: what no allowed answer meets is impossible, and what some allowed answers do not meet is unpromised. Each finding comes with its line in the pact and in the contract, and where there is one with an answer that the contract allows and the pact refuses.',
    'Without DIR, the pacts in contracts/pacts of the current folder are checked, or those of this package. What provider states say counts as promised, as far as they have the forms that pact verify knows: "a thing exists" fills the first page of a list. The exit code is 1 when anything is found, but for interactions that are pending. The report in JSON follows specs/pact-check-report.schema.json.',
  ],
  options: [...pactSourceOptions, pactCheckReports.option],
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
  const files = pactCheckReports.read(given.lists['report'] ?? []);
  const result = await follow(openPacts(given), terminal);
  const findings = result.count.impossible + result.count.unpromised;
  const ending = {
    reports: files,
    render: pactCheckReports.render(result),
    exitCode: findings > 0 ? 1 : 0,
    summary: ({ reports }: Ended) => renderPactCheck(result, { decorated: terminal.decorated, reports }),
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
