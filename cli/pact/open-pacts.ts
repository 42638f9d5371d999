/** Reads the pacts that a command names, and pairs each with the contract of its provider, when the command starts. Checks no interaction. */

import { existsSync } from 'node:fs';
import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Pact } from '../../core/pact/pact.ts';
import { type PactFiles, readPacts } from '../../core/pact/read-pacts.ts';
import { listShipped, pactsFolder } from '../../core/shipped-files.ts';
import type { Arguments, OptionSpec } from '../command.ts';
import { openContract, strictOption } from '../open-contract.ts';
import { readWholeNumber } from '../read-option-values.ts';
import { pathFromCurrentFolder } from '../relative-paths.ts';

/** The option that selects contracts. */
export const providerContractOption: readonly OptionSpec[] = [
  {
    name: 'api',
    value: 'CONTRACT',
    repeatable: true,
    summary:
      "The provider's contract: the name of a contract that comes with Touchstone, or an OpenAPI file (3.0 or 3.1). With a single file, the provider's name need not match. Default: the contract that comes with Touchstone whose name or title is the provider's name. Repeatable.",
  },
  strictOption,
];

/** A pact and the contract of its provider. */
export interface PactWithContract {
  readonly pact: Pact;
  readonly contract: Contract;
}

/** The pacts to check or verify. */
interface OpenedPacts {
  readonly pairs: readonly PactWithContract[];
  /** Files that are not checked or verified, each with the reason. */
  readonly skipped: PactFiles['skipped'];
}

/** Folder of pacts if the user names none. */
const defaultFolder = 'contracts/pacts';

/**
 * Reads the pacts of the arguments, each with its contract.
 * @throws {UsageError} when there is no pact with an interaction, or no contract for one.
 * @throws {SpecError} for an invalid pact or contract file.
 */
export async function openPacts(args: Arguments): Promise<OpenedPacts> {
  const { pacts, skipped } = await readPacts(pathsOf(args.positionals));
  const namedApis = args.lists['api'] ?? [];
  const contracts = await Promise.all(
    (namedApis.length > 0 ? namedApis : listShipped()).map((name) => openContract(name, { strict: args.switches.has('strict') })),
  );
  const providers = new Set(pacts.map(({ provider }) => provider));
  const pairs: PactWithContract[] = [];
  const withoutContract: { file: string; reason: string }[] = [];
  for (const pact of pacts) {
    const contract = await findContract(pact, contracts, namedApis, providers.size === 1);
    if (contract === undefined)
      withoutContract.push({
        file: pact.file,
        reason: `its provider ${pact.provider} is not ${contracts.map(({ name }) => name).join(' or ')}`,
      });
    else pairs.push({ pact, contract });
  }
  if (pairs.length > 0) return { pairs, skipped: [...skipped, ...withoutContract] };
  throw new UsageError(
    `no pact has the provider ${namedApis.join(' or ')}: the providers are ${[...providers].join(', ')}; select their contracts with --api`,
  );
}

function pathsOf(positionals: readonly string[]): readonly string[] {
  if (positionals.length > 0) return positionals;
  if (existsSync(defaultFolder)) return [defaultFolder];
  const shipped = pactsFolder();
  const example = shipped === undefined ? '' : ` (those of this package are in ${pathFromCurrentFolder(shipped)})`;
  throw new UsageError(`there is no folder ${defaultFolder} here; name a folder of pacts, or a pact file${example}`);
}

/**
 * Finds a contract by the name of the provider. A single contract selected with --api also fits a provider of another name. A name that belongs to a
 * contract of the package counts only if the pacts have several providers, or if the selected contract is of the package too.
 */
async function findContract(
  pact: Pact,
  contracts: readonly Contract[],
  namedApis: readonly string[],
  isOnlyProvider: boolean,
): Promise<Contract | undefined> {
  const contractOfSameName = contracts.find((contract) => isNamed(contract, pact.provider));
  if (contractOfSameName !== undefined) return contractOfSameName;
  if (namedApis.length === 0) throw new UsageError(explainUnknown(pact, contracts));
  if (contracts.length !== 1) return undefined;
  if (isOnlyProvider && !namedApis.some((name) => listShipped().includes(name))) return contracts[0];
  const shipped = await Promise.all(listShipped().map((each) => openContract(each)));
  const isShippedProvider = shipped.some((contract) => isNamed(contract, pact.provider));
  return isShippedProvider ? undefined : contracts[0];
}

/** Selects the pacts of a contract by the name of their provider. The only provider may have any name if there is only one contract. */
export function pactsOf(contract: Contract, pacts: readonly Pact[], isOnlyContract: boolean): readonly Pact[] {
  const named = pacts.filter(({ provider }) => isNamed(contract, provider));
  const isOnlyProvider = new Set(pacts.map(({ provider }) => provider)).size === 1;
  return named.length === 0 && isOnlyContract && isOnlyProvider ? pacts : named;
}

function isNamed({ name, title }: Contract, provider: string): boolean {
  const normalise = (text: string): string => text.trim().toLowerCase();
  return [name, title].some((each) => normalise(each) === normalise(provider));
}

function explainUnknown({ file, provider }: Pact, contracts: readonly Contract[]): string {
  const contractNames = contracts.flatMap(({ name, title }) => [name, title]);
  const advice = didYouMean(provider, contractNames, `the contracts are ${contractNames.join(', ')}.`);
  return `the pact ${file} has the provider ${provider}, but no contract has this name; ${advice} Select a contract with --api CONTRACT`;
}

/** Reads `--require`: a number, or all. */
export function readRequired(text: string | undefined, otherwise: number | 'all'): number | 'all' {
  if (text === undefined) return otherwise;
  return text === 'all' ? text : (readWholeNumber({ require: text }, 'require', 1, 1_000_000) ?? otherwise);
}
