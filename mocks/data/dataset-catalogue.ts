/**
 * Datasets with generated content, for `choose-dataset.ts`. A new API gets content by a line here. It may name APIs, unlike the rest of
 * the mock.
 */

import { businessDataset } from './business/business-dataset.ts';
import type { DatasetProvider } from './dataset.ts';
import { wikiDataset } from './wiki/wiki-dataset.ts';

/** All dataset providers; the first one that serves a contract is used. */
export const datasetProviders: readonly DatasetProvider[] = [businessDataset, wikiDataset];
