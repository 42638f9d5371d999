/** Which pacts the commands on pacts read, and by which contract each is judged. */

import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { type Contract, loadContract, readContract } from '../core/contract.ts';
import { nearest, UsageError } from '../core/errors.ts';
import type { Pact } from '../core/pact/pact.ts';
import { type PactFiles, readPacts } from '../core/pact/pact-folder.ts';
import { contractFile, listShipped, pactsFolder } from '../core/shipped.ts';
import type { Arguments, OptionSpec } from './command.ts';

/** The options that choose contracts. */
export const pactSourceOptions: readonly OptionSpec[] = [
  {
    name: 'api',
    value: 'CONTRACT',
    repeatable: true,
    summary:
      'The contract of the provider: the name of one of this package, or an OpenAPI file (3.0 or 3.1). By default the contract of the package that has the name or the title of the provider. May be given several times.',
  },
];

/** A pact and the contract of its provider. */
export interface PactWithContract {
  readonly pact: Pact;
  readonly contract: Contract;
}

/** What the arguments name. */
export interface OpenedPacts {
  readonly pairs: readonly PactWithContract[];
  /** Files that are not judged, each with the reason. */
  readonly skipped: PactFiles['skipped'];
}

/** The folder that is read when it is there and none is named. */
const defaultFolder = 'contracts/pacts';

/**
 * Reads the pacts that the arguments name, and finds the contract of each.
 * @throws {UsageError} when there is no pact, or none with an interaction, or no contract for one.
 * @throws {SpecError} for a mistake in a pact or in a contract file.
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
  throw new UsageError(`no pact is about ${named.join(', ')}: the providers are ${providers}; name their contracts with --api`);
}

function pathsOf(positionals: readonly string[]): readonly string[] {
  if (positionals.length > 0) return positionals;
  if (existsSync(defaultFolder)) return [defaultFolder];
  const shipped = pactsFolder();
  if (shipped !== undefined) return [near(shipped)];
  throw new UsageError(`there is no folder ${defaultFolder} here; name a folder of pacts, or a pact file`);
}

/** Contracts of the package were checked when it was made; a file of the user's may hold any mistake. */
async function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? readContract : loadContract)(near(contractFile(name)));
}

/** Places are printed in every report; those below the folder where we are read better from here. */
function near(file: string): string {
  const path = relative('', file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** A provider may be called by other people as they like, so a single contract that is named takes every pact that belongs to no other. */
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
  const advice = meant === undefined ? `contracts are ${known.join(', ')}.` : `is ${meant} meant?`;
  return `the pact ${file} is about the provider ${provider}, and no contract has this name; ${advice} Name another with --api CONTRACT`;
}
