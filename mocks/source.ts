/** The contract files that a mock serves: opened once, closed by a profile, and checked to go together. */

import { type Contract, loadContract, readContract, resolveContract } from '../core/contract.ts';
import { UsageError } from '../core/errors.ts';
import type { Profile } from '../core/profile.ts';
import { contractFile, listShipped } from '../core/shipped.ts';
import type { Engine } from './prism.ts';

/** A contract as its file says it and as a profile closes it, with the Prism for its file. */
export interface Source {
  readonly written: Contract;
  readonly contract: Contract;
  readonly engine: () => Promise<Engine>;
}

/**
 * Opens contracts by name or file; without names, all that come with the package.
 * @throws {UsageError} for a name that is no contract, two contracts with the same path, or a wrong profile.
 * @throws {SpecError} for a mistake in a contract file.
 */
export async function openSources(names: readonly string[] = listShipped(), profile: Profile = {}): Promise<readonly Source[]> {
  // A program in JavaScript has no compiler that tells it.
  if (!Array.isArray(names)) throw new UsageError(`contracts: ${JSON.stringify(names)} is no list; write contracts: ['NAME'] for one`);
  if (names.length === 0)
    throw new UsageError('no contract is named, so there is nothing to serve; name one, or none of the option for all');
  const sources = nameApart(await Promise.all(names.map((name) => openContract(name, profile))));
  rejectUnknownAnswers(sources, profile);
  rejectSharedPaths(sources.map((source) => source.contract));
  return sources;
}

/** What does not depend on a profile. */
type File = Pick<Source, 'written' | 'engine'> & { readonly resolved: Map<string, Contract> };

/** The contracts of the package do not change while a process runs, so hundreds of mocks share them. */
const shared = new Map<string, Promise<File>>();

async function openContract(name: string, profile: Profile): Promise<Source> {
  const { written, engine, resolved } = await openFile(name);
  const answers = Object.entries(profile).filter(([question]) => written.questions.has(question));
  const key = JSON.stringify(answers.toSorted());
  const contract = resolved.get(key) ?? resolveContract(written, Object.fromEntries(answers));
  resolved.set(key, contract);
  return { written, contract, engine };
}

function openFile(name: string): Promise<File> {
  const file = contractFile(name);
  if (!listShipped().includes(name)) return readFile(file, loadContract);
  const opened = shared.get(file) ?? readFile(file, readContract);
  shared.set(file, opened);
  return opened;
}

async function readFile(file: string, read: typeof loadContract): Promise<File> {
  const written = await read(file);
  let engine: Promise<Engine> | undefined;
  return {
    written,
    resolved: new Map(),
    engine: () => {
      engine ??= import('./prism.ts').then(({ createEngine }) => createEngine(file));
      return engine;
    },
  };
}

/** Two files of one name in different folders are told apart by a number. */
function nameApart(sources: readonly Source[]): readonly Source[] {
  return sources.map((source, index) => {
    const earlier = sources.slice(0, index).filter((other) => other.contract.name === source.contract.name).length;
    return earlier === 0 ? source : { ...source, contract: { ...source.contract, name: `${source.contract.name}-${earlier + 1}` } };
  });
}

function rejectUnknownAnswers(sources: readonly Source[], profile: Profile): void {
  for (const question of Object.keys(profile)) {
    if (sources.some(({ contract }) => contract.questions.has(question))) continue;
    const known = [...new Set(sources.flatMap(({ contract }) => [...contract.questions.keys()]))];
    throw new UsageError(`the profile answers ${question}, and no contract asks that; questions are ${known.join(', ')}`);
  }
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
