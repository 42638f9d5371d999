import { pactBudget, type VerifyPactsOptions, verifyPacts } from '../../contracts/pact/verify/verify-pacts.ts';
import { formatLocation, UsageError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { createRedactor } from '../../core/redaction/redact-secrets.ts';
import type { PactVerification } from '../../core/results/pact-verify-result.ts';
import { renderPactVerifyJson, reportOfPacts } from '../../reports/pact/pact-verify-report.ts';
import { withConfig } from '../apply-config.ts';
import type { Arguments, CommandBody, OptionSpec, Terminal } from '../command.ts';
import { type KeyEnvironment, readHeaders, readKeys, secretsIn, withoutKeys } from '../credentials.ts';
import { warnAbout, warnAboutSchemas } from '../open-contract.ts';
import { readStateMeanings } from '../read-config.ts';
import { createReports } from '../report-option.ts';
import { createProgress } from '../verify/print-progress.ts';
import { readNumbers, verifyOptions } from '../verify/verify-options.ts';
import { openPacts, type PactWithContract, providerContractOption, readRequired } from './open-pacts.ts';

/** The options, in the order of the help. */
const pactVerifyOptions: readonly OptionSpec[] = [
  {
    name: 'target',
    value: 'URL',
    summary: 'The server: a URL, which may have a path prefix, or the name of a target in touchstone.config.yaml.',
  },
  ...shared('config', 'url'),
  ...providerContractOption,
  ...shared('key'),
  { name: 'consumer', value: 'NAME', repeatable: true, summary: 'Verify only the pacts of this consumer. Repeatable.' },
  {
    name: 'only',
    value: 'GLOB',
    repeatable: true,
    summary: 'Verify only interactions whose description matches; * matches anything. Repeatable.',
  },
  {
    name: 'require',
    value: 'COUNT',
    summary: 'Minimum number of interactions that must be exercised, or all. With fewer, the exit code is 4. Default all.',
  },
  {
    name: 'state-change-url',
    value: 'URL',
    summary: 'URL to which states that cannot be found by reading are posted, as the Pact protocol describes (action, state and params).',
  },
  { name: 'budget', value: 'NUMBER', summary: `Maximum number of requests. Default ${pactBudget}.` },
  ...shared('rate', 'timeout', 'header', 'show-personal'),
];
const reports = createReports({ json: renderPactVerifyJson, reportsOf: (result) => [reportOfPacts(result)] });

/** `touchstone pact verify`: verifies a running server against pacts. */
export const pactVerifyCommand: CommandBody = {
  description: [
    'Sends the request of each interaction to a running server, and lets Pact compare the response. Sends only read requests, and needs no prepared data: provider states such as “a thing with status ready exists” are found by reading from the server. If a state is not found, the interaction is not exercised, and the exit code is 4 unless --require asks for fewer interactions. Needs the package @pact-foundation/pact.',
    'Also checks what an example cannot express: the response is the requested record, filters hold, pages continue where the previous one ended, and a 304 repeats the ETag. touchstone verify checks complete lists. Without DIR, verifies the pacts in contracts/pacts.',
    'A target in touchstone.config.yaml supplies the URL, contract, keys, headers, rate, budget and timeout; options on the command line take precedence.',
    'Keys come from environment variables, and all output shows $NAME in their place. HTTP_PROXY, HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS apply.',
  ],
  options: [...pactVerifyOptions, reports.option],
  examples: [
    {
      line: 'touchstone pact verify --target https://api.example.com --key full=FULL_KEY',
      about: 'all pacts in contracts/pacts',
    },
    {
      line: 'touchstone pact verify pacts/shop.json --api my-api.yaml --target http://localhost:8080 --require all --report junit=pacts.xml',
      about: 'one pact against your own contract; every interaction must be exercised',
    },
    { line: "touchstone pact verify --target http://localhost:8080 --consumer shop --only '*next page*'", about: 'some interactions' },
    {
      line: 'touchstone pact verify pacts --target staging',
      about: 'a target from touchstone.config.yaml, with the pacts for its provider',
    },
  ],
  run: runPactVerify,
};

async function runPactVerify(typedArgs: Arguments, terminal: Terminal): Promise<number> {
  const args = await withPactTarget(typedArgs, process.env);
  const requested = reports.read(args);
  const { pairs, skipped } = await openPacts(args);
  warnAbout(new Set(pairs.map(({ contract }) => contract)), terminal);
  const states = await readStateMeanings(args.values['config']);
  const options = { ...readPactVerifyOptions(args, pairs, process.env), states };
  for (const { file, reason } of skipped) terminal.error(`Skipped ${file}: ${reason}.\n`);
  for (const { description, type, place } of pairs.flatMap(({ pact }) => pact.others))
    terminal.error(
      `Skipped ${formatLocation(place)}: ${printJson(description)} has the type ${type}, but only HTTP interactions are verified.\n`,
    );
  // The result is redacted already. Redacting the output too costs little and guards against mistakes.
  const { clean } = createRedactor(secretsIn(options.keys ?? {}, options.headers ?? {}));
  const result = await withoutKeys(clean, () => verifyWithProgress(options, terminal, clean));
  warnAboutSchemas(new Set(pairs.map(({ contract }) => contract)), terminal);
  return reports.end(result, requested, result.exitCode, { ...terminal, out: (text) => terminal.out(clean(text)) });
}

/** Runs the verification with progress on standard error, so standard output has only the summary. */
async function verifyWithProgress(
  options: VerifyPactsOptions,
  terminal: Terminal,
  clean: (text: string) => string,
): Promise<PactVerification> {
  const consumers = [...new Set(options.pairs.map(({ pact }) => pact.consumer))];
  const progress = createProgress({
    title: `the pacts of ${consumers.join(', ')}`,
    print: (text) => terminal.error(clean(text)),
    columns: terminal.columns,
  });
  try {
    return await verifyPacts({ ...options, interrupted: terminal.interrupted, onEvent: progress.onEvent });
  } finally {
    progress.end();
  }
}

/** Settings of a configured target that apply to pacts. The others are about the rules of `verify`. */
const numberOptions = ['rate', 'budget', 'timeout'] as const;

/**
 * Completes the arguments if `--target` is the name of a configured target.
 * @throws {UsageError} when there is no such target, or no configuration.
 * @throws {SpecError} for a mistake in the file, or an environment variable that is not set.
 */
async function withPactTarget(args: Arguments, environment: KeyEnvironment): Promise<Arguments> {
  // Positional arguments of this command are pacts; those of a target are contracts.
  const { args: completeArgs } = await withConfig({ ...args, positionals: [] }, environment, args.values['target']);
  const named = numberOptions.flatMap((name) =>
    completeArgs.values[name] === undefined ? [] : [[name, completeArgs.values[name]] as const],
  );
  return {
    ...args,
    values: { ...args.values, ...Object.fromEntries(named), target: completeArgs.values['target'] },
    lists: {
      ...args.lists,
      api: args.lists['api'] ?? completeArgs.positionals,
      key: completeArgs.lists['key'] ?? [],
      header: completeArgs.lists['header'] ?? [],
    },
  };
}

/** Options shared with `touchstone verify`. */
function shared(...names: readonly string[]): readonly OptionSpec[] {
  return names.flatMap((name) => verifyOptions.filter((option) => option.name === name));
}

/**
 * Reads the arguments.
 * @throws {UsageError} for an invalid value.
 */
function readPactVerifyOptions(args: Arguments, pairs: readonly PactWithContract[], environment: KeyEnvironment): VerifyPactsOptions {
  const target = args.values['target'];
  if (target === undefined)
    throw new UsageError('touchstone pact verify needs a server: --target URL, or --target NAME with a target in touchstone.config.yaml');
  const { seed: _, ...numbers } = readNumbers(args.values);
  const consumers = args.lists['consumer'] ?? [];
  const stateChangeUrl = args.values['state-change-url'];
  return {
    pairs,
    target,
    ...numbers,
    keys: readAllKeys(args.lists['key'] ?? [], ofConsumers(pairs, consumers), environment),
    headers: readHeaders(args.lists['header'] ?? [], environment),
    only: args.lists['only'] ?? [],
    consumers,
    require: readRequired(args.values['require'], 'all'),
    ...(stateChangeUrl === undefined ? {} : { stateChangeUrl: readUrl(stateChangeUrl) }),
    showPersonal: args.switches.has('show-personal'),
    environment,
  };
}

/** Selects pacts by consumer; all of them if none fits, since an unknown consumer is reported later. */
function ofConsumers(pairs: readonly PactWithContract[], consumers: readonly string[]): readonly PactWithContract[] {
  const selected = pairs.filter(({ pact }) => consumers.includes(pact.consumer));
  return selected.length === 0 ? pairs : selected;
}

/** Reads the keys of every contract, since one server may have several providers. */
function readAllKeys(
  values: readonly string[],
  pairs: readonly PactWithContract[],
  environment: KeyEnvironment,
): ReturnType<typeof readKeys> {
  return readKeys(values, [...new Set(pairs.map(({ contract }) => contract))], environment);
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return text;
  throw new UsageError('--state-change-url is not a URL; write one that starts with http:// or https://');
}
