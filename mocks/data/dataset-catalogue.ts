/**
 * Datasets with generated content. `create-dataset.ts` searches them when it creates a dataset or checks sizes, at each start and reload and for `touchstone
 * diff`. A new API gets content by a line here; the content itself is in `business-dataset.ts` and `wiki-dataset.ts`.
 */

import { businessDataset } from './business/business-dataset.ts';
import type { DatasetProvider } from './dataset.ts';
import { wikiDataset } from './wiki/wiki-dataset.ts';

/** All dataset providers; the first one that serves a contract is used. */
export const datasetProviders: readonly DatasetProvider[] = [businessDataset, wikiDataset];
