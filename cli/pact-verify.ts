/** `touchstone pact verify`: whether a server gives its consumers what their pacts say, and reports. */

import { pactBudget, type VerifyPactsOptions, verifyPacts } from '../contracts/pact/verify/verify-pacts.ts';
import { printPlace, UsageError } from '../core/errors.ts';
import type { PactVerification } from '../core/pact/verify-result.ts';
import { createRedactor } from '../core/redaction.ts';
import { itemsOfPacts, reportOfPacts } from '../reports/pact-verify.ts';
import { renderPactJson } from '../reports/pact-verify-json.ts';
import { renderTerminal } from '../reports/terminal.ts';
import { type Arguments, type Command, type OptionSpec, type Terminal, wholeNumber } from './command.ts';
import { withConfig } from './config.ts';
import { openPacts, type PactWithContract, pactSourceOptions } from './pact-files.ts';
import { createReports } from './pact-report.ts';
import { createProgress } from './progress.ts';
import { type Ended, endWithReports } from './report-file.ts';
import { type Environment, readHeaders, readKeys, secretsIn, withoutKeys } from './verify-keys.ts';
import { readNumbers, verifyOptions } from './verify-options.ts';

/** The options, in the order of the help. */
const pactVerifyOptions: readonly OptionSpec[] = [
  {
    name: 'target',
    value: 'URL',
    summary:
      'The server to verify: an address, which may end with a path that stands before every path of the contract, or the name of a target in touchstone.config.yaml, of which the contract, keys, headers, rate, budget and timeout are taken.',
  },
  ...shared('config'),
  ...pactSourceOptions,
  ...shared('key'),
  { name: 'consumer', value: 'NAME', repeatable: true, summary: 'Verify only the pacts of a consumer. May be given several times.' },
  {
    name: 'only',
    value: 'GLOB',
    repeatable: true,
    summary: 'Verify only interactions whose description matches; * stands for anything. May be given several times.',
  },
  {
    name: 'require',
    value: 'COUNT',
    summary: 'How many interactions have to be exercised, or all: with fewer, the exit code is 4, whatever comes of them. Default 1.',
  },
  {
    name: 'state-change-url',
    value: 'URL',
    summary:
      'Where the provider can be asked for states that reading does not show, by the protocol of Pact: POST with action, state and params.',
  },
  { name: 'budget', value: 'NUMBER', summary: `The most requests that are sent. Default ${pactBudget}.` },
  ...shared('rate', 'timeout', 'header', 'show-personal'),
];
const reports = createReports(renderPactJson, reportOfPacts, itemsOfPacts);

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
    summary: (end: Ended) => clean(renderTerminal(reportOfPacts(result), { ...end, decorated: terminal.decorated })),
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

/** What requires, selects and reports laws in the configuration does none of it for interactions. */
const numbers = ['rate', 'budget', 'timeout'] as const;

/**
 * Completes arguments whose `--target` is a name of the configuration, as `touchstone verify` does it.
 * @throws {UsageError} when there is no such target, or no configuration.
 * @throws {SpecError} for a mistake in the file, and for a variable that it names and that is not set.
 */
async function withPactTarget(given: Arguments, environment: Environment): Promise<Arguments> {
  // The words of this command line name pacts, and those of a completed one the contract.
  const { given: complete } = await withConfig({ ...given, positionals: [] }, environment);
  const named = numbers.flatMap((name) => (complete.values[name] === undefined ? [] : [[name, complete.values[name]] as const]));
  return {
    ...given,
    values: { ...given.values, ...Object.fromEntries(named), target: complete.values['target'] },
    lists: {
      ...given.lists,
      api: given.lists['api'] ?? complete.positionals,
      key: complete.lists['key'] ?? [],
      header: complete.lists['header'] ?? [],
    },
  };
}

/** Options that mean the same as for `touchstone verify`. */
function shared(...names: readonly string[]): readonly OptionSpec[] {
  return names.flatMap((name) => verifyOptions.filter((option) => option.name === name));
}

/**
 * Reads the arguments.
 * @throws {UsageError} for a value that cannot be used.
 */
function readPactVerifyOptions(given: Arguments, pairs: readonly PactWithContract[], environment: Environment): VerifyPactsOptions {
  const target = given.values['target'];
  if (target === undefined)
    throw new UsageError('touchstone pact verify needs to know the server: --target URL, or --target NAME of touchstone.config.yaml');
  const { seed: _, ...numbers } = readNumbers(given.values);
  const consumers = given.lists['consumer'] ?? [];
  const stateChangeUrl = given.values['state-change-url'];
  return {
    pairs,
    target,
    ...numbers,
    keys: readAllKeys(given.lists['key'] ?? [], ofConsumers(pairs, consumers), environment),
    headers: readHeaders(given.lists['header'] ?? [], environment),
    only: given.lists['only'] ?? [],
    consumers,
    require: readRequired(given.values['require']),
    ...(stateChangeUrl === undefined ? {} : { stateChangeUrl: readUrl(stateChangeUrl) }),
    showPersonal: given.switches.has('show-personal'),
    environment,
  };
}

/** A consumer that nobody knows is told of later, so its name chooses nothing here. */
function ofConsumers(pairs: readonly PactWithContract[], consumers: readonly string[]): readonly PactWithContract[] {
  const own = pairs.filter(({ pact }) => consumers.includes(pact.consumer));
  return own.length === 0 ? pairs : own;
}

/** Pacts of several providers may be verified at one address; keys are for those of them that want some. */
function readAllKeys(values: readonly string[], pairs: readonly PactWithContract[], environment: Environment): ReturnType<typeof readKeys> {
  return readKeys(values, [...new Set(pairs.map(({ contract }) => contract))], environment);
}

function readRequired(text: string | undefined): number | 'all' {
  if (text === 'all') return 'all';
  return text === undefined ? 1 : wholeNumber('require', text, 1, 1_000_000);
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return text;
  throw new UsageError('--state-change-url is no address; write one that begins with http:// or https://');
}
