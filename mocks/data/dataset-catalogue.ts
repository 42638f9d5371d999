/** The datasets that exist. A new API gets content by a line here. */

import { businessDataset } from './business/business-dataset.ts';
import type { DatasetProvider } from './dataset.ts';
import { wikiDataset } from './wiki/wiki-dataset.ts';

/** Every source of content; the first that serves a contract is used. */
export const datasetProviders: readonly DatasetProvider[] = [businessDataset, wikiDataset];
