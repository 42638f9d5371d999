/**
 * Chooses the data of a contract when the content of a mock is built: generated records if there is a generator for it, otherwise its examples. Own data of
 * users is added later.
 */

import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { planWorld } from '../world/plan-world.ts';
import { type ChangingDataset, unchanging } from './dataset.ts';
import { datasetProviders } from './dataset-catalogue.ts';
import { createExampleDataset } from './example-dataset.ts';

/** Maximum number of records of a collection. */
const maxSize = 1_000_000;

/** Cache of datasets. They are pure functions, so mocks with the same seed and profile share one. Few are kept, because other seeds are seldom repeated. */
const datasets = new RecentCache<string, ChangingDataset>(8);

/** True if the package has a generator of data for a contract, whose records clients cannot change. */
export function hasGenerator(contract: Contract): boolean {
  return datasetProviders.some((provider) => provider.serves(contract));
}

/** Creates the dataset of a contract. `sizes` may name collections of other contracts, which are ignored. */
export function createDataset(contract: Contract, seed: number, sizes: Readonly<Record<string, number>> = {}): ChangingDataset {
  const provider = datasetProviders.find((candidate) => candidate.serves(contract));
  if (provider === undefined) return unchanging(createExampleDataset(contract));
  const ownSizes = Object.fromEntries(
    Object.entries(sizes).filter(([name]) => contract.collections.some((collection) => collection.name === name)),
  );
  const key = printJson([contract.title, seed, ownSizes, contract.profile]);
  return getOrCompute(datasets, key, () => provider.create(contract, { seed, sizes: ownSizes }));
}

/**
 * Checks the option `sizes`.
 * @throws {UsageError} for an unknown collection, a collection without generated content, or an invalid number.
 */
export function checkSizes(sizes: Readonly<Record<string, number>>, contracts: readonly Contract[]): void {
  const generatedContracts = contracts.filter((contract) => datasetProviders.some((provider) => provider.serves(contract)));
  const generated = generatedContracts.flatMap((contract) => contract.collections.map((collection) => collection.name));
  // Inferring takes long, so only a name that no generator has asks for it.
  const isGenerated = Object.keys(sizes).every((name) => generated.includes(name));
  const names = isGenerated ? generated : [...generated, ...contracts.flatMap(madeNames)];
  for (const [name, size] of Object.entries(sizes)) {
    if (!names.includes(name)) throw new UsageError(explainName(name, names, contracts));
    if (!Number.isInteger(size) || size < 0 || size > maxSize)
      throw new UsageError(`the size ${name}=${size} is not a number of records; write a whole number from 0 to ${maxSize}`);
  }
}

/** The names of the collections whose records the mock makes, since no example has any. */
function madeNames(contract: Contract): readonly string[] {
  const { tenants, records } = createExampleDataset(contract);
  return planWorld(contract).collections.flatMap(({ name }) => (records(tenants[0] ?? '', name).length === 0 ? [name] : []));
}

function explainName(name: string, names: readonly string[], contracts: readonly Contract[]): string {
  const isExampleOnly = contracts.some((contract) => contract.collections.some((collection) => collection.name === name));
  if (isExampleOnly)
    return `the size of ${name} cannot be chosen: its records are the contract's examples; give it other records with --data`;
  const advice = didYouMean(name, names, `collections are ${names.join(', ') || 'none'}`);
  return `the size of ${name} cannot be chosen: no served contract has this collection; ${advice}`;
}
