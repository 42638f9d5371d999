/** The options of `touchstone pact verify`, and what a run is made with after they have been read. */

import { pactBudget, type VerifyPactsOptions } from '../contracts/pact/verify.ts';
import { UsageError } from '../core/errors.ts';
import { type Arguments, type OptionSpec, wholeNumber } from './command.ts';
import { type JudgedPact, pactSourceOptions } from './pact-files.ts';
import { type Environment, readHeaders, readKeys } from './verify-keys.ts';
import { readNumbers, verifyOptions } from './verify-options.ts';

/** Options that mean the same as for `touchstone verify`. */
function shared(...names: readonly string[]): readonly OptionSpec[] {
  return names.flatMap((name) => verifyOptions.filter((option) => option.name === name));
}

/** The options, in the order of the help. */
export const pactVerifyOptions: readonly OptionSpec[] = [
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

/**
 * Reads the arguments.
 * @throws {UsageError} for a value that cannot be used.
 */
export function readPactVerifyOptions(given: Arguments, pairs: readonly JudgedPact[], environment: Environment): VerifyPactsOptions {
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
function ofConsumers(pairs: readonly JudgedPact[], consumers: readonly string[]): readonly JudgedPact[] {
  const own = pairs.filter(({ pact }) => consumers.includes(pact.consumer));
  return own.length === 0 ? pairs : own;
}

/** Pacts of several providers may be verified at one address; keys are for those of them that want some. */
function readAllKeys(values: readonly string[], pairs: readonly JudgedPact[], environment: Environment): ReturnType<typeof readKeys> {
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
