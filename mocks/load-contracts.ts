/**
 * Loads contracts by name or file when a mock, proxy or command starts, and on each reload; answers their open questions by a profile, and refuses two
 * contracts with the same path.
 */

import type { Profile } from '../core/annotations/apply-profile.ts';
import { answersFor, loadProfile, rejectUnusedAnswers } from '../core/annotations/profile-file.ts';
import { UsageError } from '../core/errors.ts';
import { printJson } from '../core/json.ts';
import { getOrCompute } from '../core/memo.ts';
import { type Contract, type LoadOptions, loadContract, loadUncheckedContract, resolveContract } from '../core/openapi/contract.ts';
import { contractFile, listProfiles, listShipped } from '../core/shipped-files.ts';

/** A contract as written, and with its open questions answered by the profile. */
export interface MockContract {
  readonly written: Contract;
  readonly contract: Contract;
  /** True for a contract of the package. */
  readonly isShipped: boolean;
}

/**
 * Loads contracts by name or file; without names, all contracts of the package.
 * @throws {UsageError} for an unknown contract, two contracts with the same path, or an invalid profile.
 * @throws {SpecError} for a mistake in a contract file.
 */
export async function loadContractsByName(
  names: readonly string[] = listShipped(),
  profile: Profile | string = {},
  options: LoadOptions = {},
): Promise<readonly MockContract[]> {
  // For callers in JavaScript, which have no compiler to check the type.
  if (!Array.isArray(names)) throw new UsageError(`contracts: ${printJson(names)} is not a list; write, for example, contracts: ['NAME']`);
  if (names.length === 0)
    throw new UsageError('contracts is an empty list, so there is nothing to serve; name a contract, or omit the option for all');
  const answers = typeof profile === 'string' ? await answersOfFile(profile) : answersOfObject(profile);
  const contracts = await Promise.all(names.map((name) => loadWithAnswers(name, answers.answersFor, options)));
  answers.rejectUnusedAnswers(contracts.map(({ written }) => written));
  const distinctContracts = withDistinctNames(contracts);
  rejectSharedPaths(distinctContracts.map(({ contract }) => contract));
  return distinctContracts;
}

/** Lists the files of the contracts and their references. Files of the package never change and are not listed. */
export function listContractFiles(contracts: readonly MockContract[]): readonly string[] {
  const ownContracts = contracts.filter(({ isShipped }) => !isShipped);
  return ownContracts.flatMap(({ written }) => [...written.document.texts.keys()]);
}

/** Lists the file of a user's profile. Profiles of the package never change and are not listed. */
export function listProfileFiles(profile: Profile | string | undefined): readonly string[] {
  return typeof profile === 'string' && !listProfiles().includes(profile) ? [profile] : [];
}

/** A contract file as read, with a cache of its contract under each profile. */
type ContractFile = Pick<MockContract, 'written' | 'isShipped'> & { readonly contractByAnswers: Map<string, Contract> };

/** Cache of the package's contracts, which all mocks of a process share. */
const shippedFiles = new Map<string, Promise<ContractFile>>();

async function loadWithAnswers(name: string, chooseAnswers: Answers['answersFor'], options: LoadOptions): Promise<MockContract> {
  const { written, isShipped, contractByAnswers } = await loadFileOnce(name, options);
  const answers = chooseAnswers(written);
  const key = printJson(Object.entries(answers).toSorted());
  // Without questions, the contract as written is the resolved one, and its schemas are compiled already.
  const resolve = (): Contract => (written.questions.size === 0 ? written : resolveContract(written, answers));
  const contract = getOrCompute(contractByAnswers, key, resolve);
  return { written, contract, isShipped };
}

function loadFileOnce(name: string, options: LoadOptions): Promise<ContractFile> {
  const file = contractFile(name);
  if (!listShipped().includes(name)) return loadFile(file, false, options);
  return getOrCompute(shippedFiles, file, () => loadFile(file, true, options));
}

async function loadFile(file: string, isShipped: boolean, options: LoadOptions): Promise<ContractFile> {
  // Contracts of the package are valid and need no check.
  const written = await (isShipped ? loadUncheckedContract(file) : loadContract(file, undefined, options));
  return { written, isShipped, contractByAnswers: new Map() };
}

/** Numbers contracts of the same name from different folders. */
function withDistinctNames(contracts: readonly MockContract[]): readonly MockContract[] {
  return contracts.map((loaded, index) => {
    const sameNameCount = contracts.slice(0, index).filter((other) => other.contract.name === loaded.contract.name).length;
    return sameNameCount === 0
      ? loaded
      : { ...loaded, contract: { ...loaded.contract, name: `${loaded.contract.name}-${sameNameCount + 1}` } };
  });
}

/** A profile from a file or an object: its answers for a contract, and its unknown questions. */
interface Answers {
  readonly answersFor: (written: Contract) => Profile;
  readonly rejectUnusedAnswers: (written: readonly Contract[]) => void;
}

async function answersOfFile(nameOrFile: string): Promise<Answers> {
  const profile = await loadProfile(nameOrFile);
  return {
    answersFor: (written) => answersFor(profile, written),
    rejectUnusedAnswers: (written) => rejectUnusedAnswers(profile, written),
  };
}

function answersOfObject(profile: Profile): Answers {
  return {
    answersFor: ({ questions }) => Object.fromEntries(Object.entries(profile).filter(([question]) => questions.has(question))),
    rejectUnusedAnswers: (written) => {
      const questionIds = [...new Set(written.flatMap(({ questions }) => [...questions.keys()]))];
      const unknownQuestion = Object.keys(profile).find((question) => !questionIds.includes(question));
      if (unknownQuestion === undefined) return;
      throw new UsageError(
        `the profile answers ${unknownQuestion}, but no contract has this question; questions are ${questionIds.join(', ')}`,
      );
    },
  };
}

function rejectSharedPaths(contracts: readonly Contract[]): void {
  const files = contracts.map((contract) => contract.document.file);
  const repeatedFile = files.find((file, index) => files.indexOf(file) < index);
  if (repeatedFile !== undefined) throw new UsageError(`${repeatedFile} is named twice; name it once`);
  const owners = new Map<string, Contract>();
  for (const contract of contracts) {
    for (const path of new Set(contract.operations.map((operation) => operation.path.replaceAll(/\{[^}]*\}/g, '{}')))) {
      const owner = owners.get(path);
      if (owner !== undefined) {
        throw new UsageError(
          `${owner.document.file} and ${contract.document.file} both have the path ${path}; serve only one of them, or each on its own port`,
        );
      }
      owners.set(path, contract);
    }
  }
}
