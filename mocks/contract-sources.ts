/** The contract files that a mock serves: opened once, closed by a profile, and checked to go together. */

import type { Profile } from '../core/annotations/profile.ts';
import { answersFor, loadProfile, rejectLeftovers } from '../core/annotations/profile-file.ts';
import { UsageError } from '../core/errors.ts';
import { type Contract, loadContract, readContract, resolveContract } from '../core/openapi/contract.ts';
import { contractFile, listProfiles, listShipped } from '../core/shipped.ts';

/** A contract as its file says it and as a profile closes it. */
export interface ContractSource {
  readonly written: Contract;
  readonly contract: Contract;
  /** Whether the file comes with the package. */
  readonly isShipped: boolean;
}

/**
 * Opens contracts by name or file; without names, all that come with the package.
 * @throws {UsageError} for a name that is no contract, two contracts with the same path, or a wrong profile.
 * @throws {SpecError} for a mistake in a contract file.
 */
export async function openSources(
  names: readonly string[] = listShipped(),
  profile: Profile | string = {},
): Promise<readonly ContractSource[]> {
  // A program in JavaScript has no compiler that tells it.
  if (!Array.isArray(names)) throw new UsageError(`contracts: ${JSON.stringify(names)} is no list; write contracts: ['NAME'] for one`);
  if (names.length === 0)
    throw new UsageError('no contract is named, so there is nothing to serve; name one, or none of the option for all');
  const answers = typeof profile === 'string' ? await answersOfFile(profile) : answersOfObject(profile);
  const opened = await Promise.all(names.map((name) => openContract(name, answers.answersFor)));
  answers.rejectLeftovers(opened.map(({ written }) => written));
  const sources = nameApart(opened);
  rejectSharedPaths(sources.map((source) => source.contract));
  return sources;
}

/** The files that sources were read from, those that they refer to included; what comes with the package does not change, and is left out. */
export function listFiles(sources: readonly ContractSource[]): readonly string[] {
  const own = sources.filter(({ isShipped }) => !isShipped);
  return own.flatMap(({ written }) => [...written.document.files.keys()]);
}

/** The file of a profile of one's own; one of the package does not change. */
export function listProfileFiles(profile: Profile | string | undefined): readonly string[] {
  return typeof profile === 'string' && !listProfiles().includes(profile) ? [profile] : [];
}

/** What does not depend on a profile. */
type File = Pick<ContractSource, 'written' | 'isShipped'> & { readonly resolved: Map<string, Contract> };

/** The contracts of the package do not change while a process runs, so hundreds of mocks share them. */
const shared = new Map<string, Promise<File>>();

async function openContract(name: string, answersFor: Answers['answersFor']): Promise<ContractSource> {
  const { written, isShipped, resolved } = await openFile(name);
  const answers = answersFor(written);
  const key = JSON.stringify(Object.entries(answers).toSorted());
  const contract = resolved.get(key) ?? resolveContract(written, answers);
  resolved.set(key, contract);
  return { written, contract, isShipped };
}

function openFile(name: string): Promise<File> {
  const file = contractFile(name);
  if (!listShipped().includes(name)) return readFile(file, false);
  const opened = shared.get(file) ?? readFile(file, true);
  shared.set(file, opened);
  return opened;
}

async function readFile(file: string, isShipped: boolean): Promise<File> {
  // The contracts of the package are known to be good.
  const written = await (isShipped ? readContract : loadContract)(file);
  return { written, isShipped, resolved: new Map() };
}

/** Two files of one name in different folders are told apart by a number. */
function nameApart(sources: readonly ContractSource[]): readonly ContractSource[] {
  return sources.map((source, index) => {
    const earlier = sources.slice(0, index).filter((other) => other.contract.name === source.contract.name).length;
    return earlier === 0 ? source : { ...source, contract: { ...source.contract, name: `${source.contract.name}-${earlier + 1}` } };
  });
}

/** A profile, wherever it comes from: what it answers a contract, and what of it concerns none. */
interface Answers {
  readonly answersFor: (written: Contract) => Profile;
  readonly rejectLeftovers: (written: readonly Contract[]) => void;
}

async function answersOfFile(nameOrFile: string): Promise<Answers> {
  const profile = await loadProfile(nameOrFile);
  return {
    answersFor: (written) => answersFor(profile, written),
    rejectLeftovers: (written) => rejectLeftovers(profile, written),
  };
}

function answersOfObject(profile: Profile): Answers {
  return {
    answersFor: ({ questions }) => Object.fromEntries(Object.entries(profile).filter(([question]) => questions.has(question))),
    rejectLeftovers: (written) => {
      const known = [...new Set(written.flatMap(({ questions }) => [...questions.keys()]))];
      const unknown = Object.keys(profile).find((question) => !known.includes(question));
      if (unknown === undefined) return;
      throw new UsageError(`the profile answers ${unknown}, and no contract asks that; questions are ${known.join(', ')}`);
    },
  };
}

function rejectSharedPaths(contracts: readonly Contract[]): void {
  const files = contracts.map((contract) => contract.document.file);
  const twice = files.find((file, index) => files.indexOf(file) < index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice; name it once`);
  const owners = new Map<string, Contract>();
  for (const contract of contracts) {
    for (const path of new Set(contract.operations.map((operation) => operation.path.replaceAll(/\{[^}]*\}/g, '{}')))) {
      const owner = owners.get(path);
      if (owner !== undefined) {
        throw new UsageError(
          `${owner.document.file} and ${contract.document.file} both have the path ${path}; serve one of them, or each on a port of its own`,
        );
      }
      owners.set(path, contract);
    }
  }
}
