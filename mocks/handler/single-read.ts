/** Makes the bodies of single reads: finds the record or resource, and prints it in its envelope. Checks neither keys nor parameters. */

import type { Resource, Visibility } from '../../core/annotations/annotations.ts';
import { isObject, type JsonObject, printJson } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { schemasAt } from '../../core/openapi/schema-facts.ts';
import type { RequestReading } from '../../core/parameters/read-request.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Dataset } from '../data/dataset.ts';
import { createStoreOf, type StoreOf } from '../data/stores/create-list-store.ts';
import { type FieldValue, hasAll } from '../data/stores/list-store.ts';
import type { KeyHolder } from '../key-ring.ts';
import { envelopeOf, fillAround, frameOf } from './envelope.ts';
import { createFit } from './fit-record-to-schema.ts';
import type { ServedApi } from './served-api.ts';

/** Result of a single read: a body, or the kind of response for a record that is absent or hidden from the caller. */
type SingleReadResult = { readonly kind: 'body'; readonly body: Buffer } | { readonly kind: Visibility['hidden'] };

/** A single read of a served API, compiled once. */
export type SingleRead = (reading: RequestReading, holder: KeyHolder, dataset: Dataset) => SingleReadResult;

/** Compiles a single read. A resource with the name of a collection is a record of it; any other resource exists once per tenant. */
export function createSingleRead(api: ServedApi, operation: Operation, resource: Resource): SingleRead {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const { closed, operations } = api.contract;
  const envelope = envelopeOf(api, operation);
  const [before, after] = fillAround(frameOf(envelope, [resource.at]), []);
  const constants = valueAt(envelope, resource.at);
  const fitRecord = createFit(closed, schemasAt(closed, schema, resource.at));
  const collection = operations.map((other) => other.collection).find((candidate) => candidate?.name === resource.name);
  const storeOf = collection === undefined ? unlistedStores(resource.name) : createStoreOf(api.contract, collection);
  const nameOf = (role: string): string => api.contract.scopes.find((scope) => scope.role === role)?.name ?? role;
  return (reading, holder, dataset) => {
    const record =
      resource.by.size > 0
        ? findRecord(storeOf, dataset, resource, reading, holder)
        : dataset.resource(holder.tenant, resource.name, resource.view, { ...holder, scopes: holder.scopes.map(nameOf) });
    if (record === undefined) return { kind: 'absent' };
    if (collection?.visible !== undefined && !collection.query.isVisible(record)) return { kind: collection.visible.hidden };
    const fitted = fitRecord(record);
    const shown = isObject(constants) && isObject(fitted) ? { ...constants, ...fitted } : fitted;
    return { kind: 'body', body: Buffer.from(`${before}${printJson(shown)}${after}`) };
  };
}

/** The record whose fields equal all sent parameters; `undefined` without parameters. */
function findRecord(
  storeOf: StoreOf,
  dataset: Dataset,
  { by }: Resource,
  reading: RequestReading,
  holder: KeyHolder,
): JsonObject | undefined {
  const fieldValues: FieldValue[] = [];
  for (const [parameter, field] of by) {
    const value = reading.values.get(parameter);
    if (value !== undefined) fieldValues.push({ field, value });
  }
  return fieldValues.length === 0 ? undefined : storeOf(dataset, holder.tenant).find(fieldValues);
}

/** Stores for records without a list; a read searches them one by one. */
function unlistedStores(name: string): StoreOf {
  return (dataset, tenant) => {
    const records = dataset.records(tenant, name);
    return {
      page: () => ({ records: [], more: false }),
      count: () => 0,
      find: (fieldValues) => records.find((record) => hasAll(record, fieldValues)),
    };
  };
}
