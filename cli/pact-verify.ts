/** `touchstone pact verify`: whether a server gives its consumers what their pacts say, and reports. */

import { type VerifyPactsOptions, verifyPacts } from '../contracts/pact/verify.ts';
import { printPlace } from '../core/errors.ts';
import type { PactVerification } from '../core/pact-verdict.ts';
import { createRedactor } from '../core/redaction.ts';
import { renderPactGithub } from '../reports/pact/verify-github.ts';
import { renderPactJson } from '../reports/pact/verify-json.ts';
import { renderPactJunit } from '../reports/pact/verify-junit.ts';
import { renderPactMarkdown } from '../reports/pact/verify-markdown.ts';
import { renderPactTerminal } from '../reports/pact/verify-terminal.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { openPacts } from './pact-files.ts';
import { createReports } from './pact-report.ts';
import { withPactTarget } from './pact-target.ts';
import { pactVerifyOptions, readPactVerifyOptions } from './pact-verify-options.ts';
import { createProgress } from './progress.ts';
import { type Ended, endWithReports } from './report-file.ts';
import { secretsIn, withoutKeys } from './verify-keys.ts';

const reports = createReports<PactVerification>({
  json: renderPactJson,
  junit: renderPactJunit,
  markdown: renderPactMarkdown,
  github: renderPactGithub,
});

/** The command. */
export const pactVerify: Command = {
  name: 'pact verify',
  positionals: '[DIR|FILE…]',
  summary: 'Verify a server against the pacts of its consumers.',
  description: [
    'Sends the request of each interaction to a running server and lets Pact judge the answer, with requests that only read and data that nobody prepared: provider states are facts, such as “a thing with status ready exists”, and are found out by reading the server. What it finds, such as a key, a tag or a cursor, takes the place of fromProviderState or of an example. An interaction whose facts are not there is not exercised, and says why.',
    'Besides what Pact compares, every answer must be about what was asked for: the record with that key as its list shows it, filters that hold, a page that goes on where the one before ended, a list that ends, the tag that was sent; what rests on several answers is read twice, and nothing is said where the data moved. Without DIR the pacts are those of contracts/pacts, or those that come with the package. It needs the package @pact-foundation/pact.',
    'A target that is verified often has a name in touchstone.config.yaml: --target NAME takes its address, its contract as --api, the variables of its keys and headers, its rate, budget and timeout; options that are given win, and what it says of laws means nothing here.',
    'Keys come from variables of the environment, and every output shows their names in place of the keys. HTTP_PROXY, HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS are obeyed. The report in JSON follows specs/pact-report.schema.json.',
  ],
  options: [...pactVerifyOptions, reports.option],
  examples: [
    {
      line: 'touchstone pact verify --target https://api.example.com --key full=FULL_KEY',
      about: 'all pacts of the folder contracts/pacts',
    },
    {
      line: 'touchstone pact verify pacts/shop.json --api my-api.yaml --target http://localhost:8080 --require all --report junit=pacts.xml',
      about: 'one pact, of a provider with a contract of its own; what is not exercised fails',
    },
    { line: "touchstone pact verify --target http://localhost:8080 --consumer shop --only '*next page*'", about: 'some interactions' },
    {
      line: 'touchstone pact verify pacts --target staging',
      about: 'a target of touchstone.config.yaml, and the pacts of the provider that it is',
    },
  ],
  run: runPactVerify,
};

async function runPactVerify(typed: Arguments, terminal: Terminal): Promise<number> {
  const given = await withPactTarget(typed, process.env);
  const files = reports.read(given.lists['report'] ?? []);
  const { pairs, skipped } = await openPacts(given);
  const options = readPactVerifyOptions(given, pairs, process.env);
  for (const { file, reason } of skipped) terminal.error(`Skipped ${file}: ${reason}.\n`);
  for (const { description, type, place } of pairs.flatMap(({ pact }) => pact.others))
    terminal.error(`Skipped ${printPlace(place)}: ${JSON.stringify(description)} is of the kind ${type}, and only HTTP is verified.\n`);
  // Results come clean already; what goes to a terminal passes here once more, whatever it is.
  const { clean } = createRedactor(secretsIn(options.keys ?? {}, options.headers ?? {}));
  const result = await withoutKeys(clean, () => follow(options, terminal, clean));
  const ending = {
    reports: files,
    render: reports.render(result),
    exitCode: result.exitCode,
    summary: (end: Ended) => clean(renderPactTerminal(result, { ...end, decorated: terminal.decorated })),
  };
  return endWithReports(ending, terminal);
}

/** Runs, and tells of it on standard error, so that standard output holds the summary alone. */
async function follow(options: VerifyPactsOptions, terminal: Terminal, clean: (text: string) => string): Promise<PactVerification> {
  const consumers = [...new Set(options.pairs.map(({ pact }) => pact.consumer))];
  const progress = createProgress({
    title: `the pacts of ${consumers.join(', ')}`,
    print: (text) => terminal.error(clean(text)),
    columns: terminal.columns,
  });
  try {
    return await verifyPacts({ ...options, interrupted: terminal.interrupted, tell: progress.hear });
  } finally {
    progress.end();
  }
}
