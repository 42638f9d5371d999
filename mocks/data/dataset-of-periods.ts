/** The frame of a generated dataset: its periods, each made when a request first needs it, and its content at an instant. Makes no records itself. */

import type { JsonObject } from '../../core/json.ts';
import { getOrCompute, memoize } from '../../core/memo.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import type { ChangingDataset, CollectionHistory, Dataset, DatasetCaller } from './dataset.ts';
import { type Period, periodAt, periodOf } from './four-year-periods.ts';
import { listRecords } from './timeline.ts';

/** Content of a period. Tenants, collections and resources are those of the dataset. */
export interface PeriodContent {
  /** Creates the history of a collection. Called once for each. */
  readonly history: (tenant: string, collection: string) => CollectionHistory;
  /** Returns the fields beside the items of a list response. Equal fields are the same object, so that they are serialized once. */
  readonly head?: (tenant: string, collection: string) => JsonObject | undefined;
  /** Returns a resource that exists at most once per tenant. */
  readonly resource?: (
    nowMs: number,
    tenant: string,
    name: string,
    view: string | undefined,
    caller: DatasetCaller,
  ) => JsonObject | undefined;
}

/** Maximum number of periods that a dataset keeps in memory, since clients may request any instant (`Mock-Clock`). */
const maxPeriods = 4;

/** Creates the content of all times from that of the periods. */
export function createGeneratedDatasets(tenants: readonly string[], createPeriod: (period: Period) => PeriodContent): ChangingDataset {
  const periods = new RecentCache<number, PeriodContent>(maxPeriods);
  const contentAt = (nowMs: number): PeriodContent =>
    getOrCompute(periods, periodAt(nowMs).number, (number) => {
      const content = createPeriod(periodOf(number));
      const histories = memoize((tenant: string) => memoize((collection: string) => content.history(tenant, collection)));
      return { ...content, history: (tenant, collection) => histories(tenant)(collection) };
    });
  // Cache of the last instant, since the clock usually stands still.
  let lastDataset: Dataset | undefined;
  return {
    tenants,
    at: (nowMs) => {
      if (lastDataset?.nowMs !== nowMs) lastDataset = datasetAt(tenants, contentAt(nowMs), nowMs);
      return lastDataset;
    },
  };
}

function datasetAt(tenants: readonly string[], { history, head, resource }: PeriodContent, nowMs: number): Dataset {
  const listOf = memoize((tenant: string) => memoize((collection: string) => listRecords(history(tenant, collection), nowMs)));
  return {
    nowMs,
    tenants,
    records: (tenant, collection) => listOf(tenant)(collection),
    history,
    head: (tenant, collection) => head?.(tenant, collection),
    resource: (tenant, name, view, caller) => resource?.(nowMs, tenant, name, view, caller),
  };
}
