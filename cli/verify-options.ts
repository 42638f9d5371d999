/** The options of `touchstone verify`, and what a run is made with after they have been read. */

import { isAbsolute, relative } from 'node:path';
import { budgets, type VerifyOptions } from '../contracts/verify.ts';
import { type Contract, loadContract, readContract } from '../core/contract.ts';
import { UsageError } from '../core/errors.ts';
import { contractFile, listShipped } from '../core/shipped.ts';
import { type Arguments, type OptionSpec, wholeNumber } from './command.ts';
import { type Environment, readHeaders, readKeys } from './verify-keys.ts';

/** The options, in the order of the help. */
export const verifyOptions: readonly OptionSpec[] = [
  { name: 'target', value: 'URL', summary: 'The server to judge; may end with a path that stands before every path of the contract.' },
  {
    name: 'key',
    value: 'ROLE=ENV_VAR',
    repeatable: true,
    summary:
      'The variable of the environment that holds a key. Roles: full, other (another tenant), expired, without:SCOPE, and any further tenant, such as one that has nothing. May be given several times.',
  },
  {
    name: 'hidden',
    value: 'KEY',
    repeatable: true,
    summary: 'The key of a record that exists and that the caller must never see. May be given several times.',
  },
  {
    name: 'only',
    value: 'GLOB',
    repeatable: true,
    summary: 'Judge only the laws or operations whose id matches; * stands for anything. May be given several times.',
  },
  {
    name: 'skip',
    value: 'GLOB',
    repeatable: true,
    summary: 'Leave out the laws or operations whose id matches. May be given several times.',
  },
  { name: 'seed', value: 'NUMBER', summary: 'Chooses what is chosen at random; the same seed asks the same of the same data. Default 1.' },
  {
    name: 'budget',
    value: 'NUMBER',
    summary: `The most requests that are sent. Default ${budgets.full}, or ${budgets.quick} with --quick.`,
  },
  {
    name: 'rate',
    value: 'N/s',
    summary: 'The most requests in a second, or in a minute as N/min. Default 2/s, and no limit for a target on this machine.',
  },
  { name: 'timeout', value: 'MS', summary: 'How long one answer may take, in milliseconds. Default 10000.' },
  { name: 'quick', summary: 'Few requests rather than much evidence.' },
  {
    name: 'header',
    value: 'NAME=ENV_VAR',
    repeatable: true,
    summary:
      'A header that a gateway in front of the target wants, its value in a variable of the environment. May be given several times.',
  },
  { name: 'report', value: 'json=FILE', repeatable: true, summary: 'Write the whole result to a file. May be given several times.' },
  { name: 'show-personal', summary: 'Show personal fields, which are otherwise hidden.' },
];

/** Options of a run whose contract has been loaded. */
export type LoadedOptions = VerifyOptions & { readonly contract: Contract };

/**
 * Reads the arguments.
 * @throws {UsageError} for a value that cannot be used.
 * @throws {SpecError} for a mistake in the contract file.
 */
export async function readVerifyOptions(given: Arguments, environment: Environment): Promise<LoadedOptions> {
  const [name, ...rest] = given.positionals;
  // What stands too much on the line may be a key, so it is counted and not repeated.
  if (name === undefined || rest.length > 0)
    throw new UsageError(
      `touchstone verify judges by one contract, and ${rest.length === 0 ? 'none is' : `${rest.length + 1} are`} named; name a file, or one of ${listShipped().join(', ')}`,
    );
  const target = given.values['target'];
  if (target === undefined) throw new UsageError('touchstone verify needs to know the server: --target URL');
  const numbers = readNumbers(given.values);
  // Contracts of the package were checked when it was made; a file of the user's may hold any mistake.
  const contract = await (listShipped().includes(name) ? readContract : loadContract)(nearFile(contractFile(name)));
  return {
    contract,
    target,
    ...numbers,
    keys: readKeys(given.lists['key'] ?? [], contract, environment),
    headers: readHeaders(given.lists['header'] ?? [], environment),
    hidden: given.lists['hidden'] ?? [],
    only: given.lists['only'] ?? [],
    skip: given.lists['skip'] ?? [],
    quick: given.switches.has('quick'),
    showPersonal: given.switches.has('show-personal'),
    environment,
  };
}

/** Places of the contract are printed in every report; those below the folder where we are read better from here. */
function nearFile(file: string): string {
  const near = relative('', file);
  return near.startsWith('..') || isAbsolute(near) ? file : near;
}

function readNumbers(values: Arguments['values']): Pick<VerifyOptions, 'seed' | 'budget' | 'rate' | 'timeoutMs'> {
  const { seed, budget, rate, timeout } = values;
  return {
    ...(seed === undefined ? {} : { seed: wholeNumber('seed', seed, 0, Number.MAX_SAFE_INTEGER) }),
    ...(budget === undefined ? {} : { budget: wholeNumber('budget', budget, 1, 1_000_000) }),
    ...(timeout === undefined ? {} : { timeoutMs: wholeNumber('timeout', timeout, 1, 600_000) }),
    ...(rate === undefined ? {} : { rate: readRate(rate) }),
  };
}

/** Requests in a second, from `2`, `2/s`, `0.5/s` or `30/min`. */
function readRate(text: string): number {
  const [, digits = '', unit = 's'] = /^(\d+(?:\.\d+)?)(?:\/(s|min))?$/.exec(text) ?? [];
  const rate = Number(digits) / (unit === 'min' ? 60 : 1);
  if (digits !== '' && rate > 0 && rate <= 1000) return rate;
  throw new UsageError(`--rate ${text} is not a rate; write requests in a second or a minute, such as 2/s or 30/min, of at most 1000/s`);
}
