/** Reads the pacts that `pact check` and `pact verify` name, and finds the contract of each. */

import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { nearest, UsageError } from '../../core/errors.ts';
import { type Contract, loadContract, readContract } from '../../core/openapi/contract.ts';
import type { Pact } from '../../core/pact/pact.ts';
import { type PactFiles, readPacts } from '../../core/pact/pact-folder.ts';
import { contractFile, listShipped, pactsFolder } from '../../core/shipped.ts';
import type { Arguments, OptionSpec } from '../command.ts';

/** The option that selects contracts. */
export const pactSourceOptions: readonly OptionSpec[] = [
  {
    name: 'api',
    value: 'CONTRACT',
    repeatable: true,
    summary:
      'The contract of the provider: a contract of this package by name, or an OpenAPI file (3.0 or 3.1). Default: the contract of this package with the name or title of the provider. Repeatable.',
  },
];

/** A pact and the contract of its provider. */
export interface PactWithContract {
  readonly pact: Pact;
  readonly contract: Contract;
}

/** The pacts to check or verify. */
export interface OpenedPacts {
  readonly pairs: readonly PactWithContract[];
  /** Files that are not read, each with the reason. */
  readonly skipped: PactFiles['skipped'];
}

/** The folder that is read if no path is given. */
const defaultFolder = 'contracts/pacts';

/**
 * Reads the pacts of the arguments, each with its contract.
 * @throws {UsageError} when there is no pact with an interaction, or no contract for one.
 * @throws {SpecError} for an invalid pact or contract file.
 */
export async function openPacts(given: Arguments): Promise<OpenedPacts> {
  const { pacts, skipped } = await readPacts(pathsOf(given.positionals));
  const named = given.lists['api'] ?? [];
  const names = named.length > 0 ? named : listShipped();
  const contracts = await Promise.all(names.map(openContract));
  const pairs: PactWithContract[] = [];
  const others: { file: string; reason: string }[] = [];
  for (const pact of pacts) {
    const contract = await findContract(pact, contracts, named);
    if (contract === undefined)
      others.push({ file: pact.file, reason: `its provider ${pact.provider} is not ${contracts.map(({ name }) => name).join(' or ')}` });
    else pairs.push({ pact, contract });
  }
  if (pairs.length > 0) return { pairs, skipped: [...skipped, ...others] };
  const providers = [...new Set(pacts.map(({ provider }) => provider))].join(', ');
  throw new UsageError(`no pact has the provider ${named.join(' or ')}: the providers are ${providers}; select their contracts with --api`);
}

function pathsOf(positionals: readonly string[]): readonly string[] {
  if (positionals.length > 0) return positionals;
  if (existsSync(defaultFolder)) return [defaultFolder];
  const shipped = pactsFolder();
  if (shipped !== undefined) return [near(shipped)];
  throw new UsageError(`there is no folder ${defaultFolder} here; name a folder of pacts, or a pact file`);
}

/** Loads a contract. Contracts of this package are valid; a user's file is checked. */
async function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? readContract : loadContract)(near(contractFile(name)));
}

/** Shortens paths below the current folder, since reports print them. */
function near(file: string): string {
  const path = relative('', file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** Finds a contract by the name of the provider. A single contract given with --api also fits a provider of another name. */
async function findContract(pact: Pact, contracts: readonly Contract[], named: readonly string[]): Promise<Contract | undefined> {
  const own = contracts.find((contract) => isNamed(contract, pact.provider));
  if (own !== undefined) return own;
  if (named.length === 0) throw new UsageError(explainUnknown(pact, contracts));
  const strangers = await Promise.all(listShipped().map(openContract));
  const isOther = strangers.some((contract) => isNamed(contract, pact.provider));
  return contracts.length === 1 && !isOther ? contracts[0] : undefined;
}

function isNamed({ name, title }: Contract, provider: string): boolean {
  const plain = (text: string): string => text.trim().toLowerCase();
  return [name, title].some((each) => plain(each) === plain(provider));
}

function explainUnknown({ file, provider }: Pact, contracts: readonly Contract[]): string {
  const known = contracts.flatMap(({ name, title }) => [name, title]);
  const meant = nearest(provider, known);
  const advice = meant === undefined ? `the contracts are ${known.join(', ')}.` : `is ${meant} meant?`;
  return `the pact ${file} has the provider ${provider}, but no contract has this name; ${advice} Select a contract with --api CONTRACT`;
}
