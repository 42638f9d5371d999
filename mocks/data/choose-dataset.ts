/** The content of the contracts that a mock serves: which dataset belongs to which, how large it is, and what of it nobody may see. */

import { nearest, UsageError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { valueAt } from '../../core/pointer.ts';
import { datasetNow, type ServedApi } from '../handler/served-api.ts';
import { type ChangingDataset, type Dataset, unchanging } from './dataset.ts';
import { datasetProviders } from './dataset-catalogue.ts';
import { createExampleDataset } from './example-dataset.ts';
import { Recent } from './history/recently-used.ts';

/** Largest number of records of a collection. */
const largestSize = 1_000_000;

/** Datasets are pure, so mocks with the same seed and profile share one; few are kept, since a dataset of another seed is seldom wanted twice. */
const datasets = new Recent<string, ChangingDataset>(8);

/** The dataset of a contract, with the gaps that its profile asks for; without one of its own, what its examples show. Sizes of other contracts' collections are not looked at. */
export function createDataset(contract: Contract, seed: number, sizes: Readonly<Record<string, number>> = {}): ChangingDataset {
  const source = datasetProviders.find((each) => each.serves(contract));
  if (source === undefined) return unchanging(createExampleDataset(contract));
  const own = Object.fromEntries(
    Object.entries(sizes).filter(([name]) => contract.collections.some((collection) => collection.name === name)),
  );
  const key = JSON.stringify([contract.title, seed, own, contract.profile]);
  const dataset = datasets.get(key) ?? source.create(contract, { seed, sizes: own });
  datasets.set(key, dataset);
  return dataset;
}

/**
 * Makes sure that every size is one, and that there is a dataset to grow.
 * @throws {UsageError} for a name that is no collection of the contracts, or of one without a dataset, and for a number that is no size.
 */
export function checkSizes(sizes: Readonly<Record<string, number>>, contracts: readonly Contract[]): void {
  const grown = contracts.filter((contract) => datasetProviders.some((source) => source.serves(contract)));
  const names = grown.flatMap((contract) => contract.collections.map((collection) => collection.name));
  for (const [name, size] of Object.entries(sizes)) {
    if (!names.includes(name)) throw new UsageError(explainName(name, names, contracts));
    if (!Number.isInteger(size) || size < 0 || size > largestSize)
      throw new UsageError(`the size ${name}=${size} is no number of records; write a whole number from 0 to ${largestSize}`);
  }
}

function explainName(name: string, names: readonly string[], contracts: readonly Contract[]): string {
  const meant = nearest(name, names);
  const isExampleOnly = contracts.some((contract) => contract.collections.some((collection) => collection.name === name));
  if (isExampleOnly)
    return `the size of ${name} cannot be chosen: its contract has no content but its examples; give it records with --data`;
  const advice = meant === undefined ? `; collections are ${names.join(', ') || 'none'}` : `; is ${meant} meant?`;
  return `the size of ${name} cannot be chosen: no contract that is served has a collection of that name${advice}`;
}

/** So many hidden records are told at most: whoever checks that they stay hidden needs some of them, not a million. */
const hiddenMost = 1000;

/** The keys of records that no caller may see, such as slugs. */
export function listHidden(api: ServedApi): readonly string[] {
  const dataset = datasetNow(api);
  return api.contract.operations.flatMap(({ collection }) => {
    if (collection?.visible === undefined) return [];
    const hidden: string[] = [];
    for (const tenant of dataset.tenants)
      for (const record of outlinesOf(dataset, tenant, collection.name)) {
        if (hidden.length === hiddenMost) return hidden;
        if (!collection.query.isVisible(record)) hidden.push(String(valueAt(record, collection.key)));
      }
    return hidden;
  });
}

/** The records of a collection as lists see them: as much of them as is cheap. */
function* outlinesOf(dataset: Dataset, tenant: string, collection: string): Generator<JsonObject> {
  const { nowMs } = dataset;
  const history = nowMs === undefined ? undefined : dataset.history?.(tenant, collection);
  if (history === undefined || nowMs === undefined) {
    yield* dataset.records(tenant, collection);
    return;
  }
  const count = history.countUntil(nowMs);
  for (let index = 0; index < count; index += 1) {
    const { instants, outline } = history.life(index);
    const changes = instants.findLastIndex((instant) => instant <= nowMs);
    if (changes >= 0) yield outline(changes);
  }
}
