/**
 * Lays a user's own records, envelope fields and resources over a dataset, in place of its content or in addition to it, when the content of a mock is built.
 * They must have been checked before.
 */

import { type JsonObject, printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { ChangingDataset, Dataset } from '../dataset.ts';
import type { OwnCollection, OwnContent, OwnResource } from './parse-own-data-file.ts';

/** Content in which every tenant has only the given records of a collection. */
export function contentOfRecords(tenants: readonly string[], collection: string, records: readonly JsonObject[]): OwnContent {
  const collectionContent = { records: records.map((record) => ({ record, path: [] })), extend: false, head: undefined };
  return new Map(tenants.map((tenant) => [tenant, { collections: new Map([[collection, collectionContent]]), resources: new Map() }]));
}

/** Adds the contents of files to a dataset, in order; the last one wins. Own records exist at every instant. */
export function addOwnData(
  base: ChangingDataset,
  contract: Pick<Contract, 'collections'>,
  contents: readonly OwnContent[],
): ChangingDataset {
  return contents.reduce((dataset, content) => withOwnContent(dataset, contract, content), base);
}

function withOwnContent(base: ChangingDataset, contract: Pick<Contract, 'collections'>, content: OwnContent): ChangingDataset {
  const keys = new Map(contract.collections.map(({ name, key }) => [name, key]));
  // Datasets must return the same array for the same arguments.
  const extendedRecords = new WeakMap<readonly JsonObject[], Map<OwnCollection, readonly JsonObject[]>>();
  const replacedRecords = new Map<OwnCollection, readonly JsonObject[]>();
  const collectionOf = (tenant: string, name: string): OwnCollection | undefined => content.get(tenant)?.collections.get(name);
  const recordsOf = (dataset: Dataset, tenant: string, name: string): readonly JsonObject[] => {
    const ownCollection = collectionOf(tenant, name);
    if (ownCollection?.records === undefined) return dataset.records(tenant, name);
    if (!ownCollection.extend)
      return getOrCompute(replacedRecords, ownCollection, () => (ownCollection.records ?? []).map(({ record }) => record));
    const baseRecords = dataset.records(tenant, name);
    const recordsByCollection = getOrCompute(extendedRecords, baseRecords, () => new Map<OwnCollection, readonly JsonObject[]>());
    return getOrCompute(recordsByCollection, ownCollection, () => addRecords(baseRecords, ownCollection, keys.get(name) ?? ''));
  };
  const withOwnContentAt = (dataset: Dataset): Dataset => ({
    ...(dataset.nowMs === undefined ? {} : { nowMs: dataset.nowMs }),
    tenants: base.tenants,
    records: (tenant, name) => recordsOf(dataset, tenant, name),
    // The history of a collection with own records would lack them, so such a collection has none.
    ...(dataset.history === undefined
      ? {}
      : {
          history: (tenant: string, name: string) =>
            collectionOf(tenant, name)?.records === undefined ? dataset.history?.(tenant, name) : undefined,
        }),
    head: (tenant, name) => collectionOf(tenant, name)?.head?.record ?? dataset.head(tenant, name),
    resource: (tenant, name, view, caller) => {
      const ownResource = content.get(tenant)?.resources.get(name);
      return ownResource === undefined ? dataset.resource(tenant, name, view, caller) : showOwn(ownResource, view);
    },
  });
  const extendedDatasets = new WeakMap<Dataset, Dataset>();
  return {
    tenants: base.tenants,
    at: (nowMs) => {
      const baseDataset = base.at(nowMs);
      return getOrCompute(extendedDatasets, baseDataset, () => withOwnContentAt(baseDataset));
    },
  };
}

/** Adds own records, which replace records with the same key. */
function addRecords(baseRecords: readonly JsonObject[], ownCollection: OwnCollection, key: string): readonly JsonObject[] {
  const records = (ownCollection.records ?? []).map(({ record }) => record);
  const identities = new Set(records.map((record) => printJson(valueAt(record, key))));
  return [...baseRecords.filter((record) => !identities.has(printJson(valueAt(record, key)))), ...records];
}

function showOwn(ownResource: OwnResource, view: string | undefined): JsonObject | undefined {
  return ownResource === 'none' ? undefined : ownResource.get(view)?.record;
}
