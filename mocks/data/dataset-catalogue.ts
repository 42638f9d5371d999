/** Datasets with generated content, which `create-dataset.ts` searches. A new API gets content by a line here. */

import { businessDataset } from './business/business-dataset.ts';
import type { DatasetProvider } from './dataset.ts';
import { wikiDataset } from './wiki/wiki-dataset.ts';

/** All dataset providers; the first one that serves a contract is used. */
export const datasetProviders: readonly DatasetProvider[] = [businessDataset, wikiDataset];
