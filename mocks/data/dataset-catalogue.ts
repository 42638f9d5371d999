import { businessDataset } from './business/business-dataset.ts';
import type { DatasetProvider } from './dataset.ts';
import { wikiDataset } from './wiki/wiki-dataset.ts';

/** All dataset providers; the first one that serves a contract is used. A new API gets generated data by a line here. */
export const datasetProviders: readonly DatasetProvider[] = [businessDataset, wikiDataset];
