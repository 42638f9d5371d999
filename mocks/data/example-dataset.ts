/** The data of an API without a generator: the examples of its contract. It never changes, whatever the clock shows. */

import type { Collection } from '../../core/annotations/annotations.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../core/json.ts';
import { type Contract, resolveContract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { constantsOf } from '../../core/openapi/schema-facts.ts';
import { fromPointer, valueAt } from '../../core/pointer.ts';
import type { Dataset } from './dataset.ts';

/**
 * Creates the dataset of an API without generated content, from the examples of its contract. Collections have the records of list examples, completed by the
 * examples of single reads; resources have their first example.
 * Examples are written for the default answers to open questions, so the contract is resolved with these, without the mock's profile.
 * All examples belong to the first tenant. If keys have tenants, a second tenant has no records.
 */
export function createExampleDataset(served: Contract): Dataset {
  const contract = resolveContract(served);
  const collections = new Map(contract.collections.map((collection) => [collection.name, exampleRecords(contract, collection.name)]));
  const tenants = contract.tenancy ? ['full', 'other'] : ['full'];
  const noRecords: readonly JsonObject[] = [];
  return {
    tenants,
    records: (tenant, collection) => (tenant === tenants[0] ? (collections.get(collection) ?? noRecords) : noRecords),
    head: (_tenant, collection) => headOf(contract, collection),
    resource: (tenant, name, view) => (tenant === tenants[0] ? singleOf(contract, name, view) : undefined),
  };
}

function exampleRecords(contract: Contract, name: string): readonly JsonObject[] {
  const recordsByKey = new Map<string, JsonObject>();
  for (const operation of contract.operations) {
    const { collection, resource } = operation;
    const at = collection?.name === name ? collection.items : resource?.name === name && resource.by.size > 0 ? resource.at : undefined;
    const key = contract.collections.find((candidate) => candidate.name === name)?.key ?? '';
    for (const record of at === undefined ? [] : recordsAt(operation, at)) {
      const identity = printJson(valueAt(record, key) ?? null);
      recordsByKey.set(identity, { ...recordsByKey.get(identity), ...record });
    }
  }
  return [...recordsByKey.values()];
}

function recordsAt(operation: Operation, at: string): readonly JsonObject[] {
  return successExamples(operation).flatMap((example) => {
    const value = valueAt(example, at);
    return [value].flat().filter(isObject);
  });
}

/** Returns the envelope fields of the list's first example that are neither constant nor made for each page. */
function headOf(contract: Contract, name: string): JsonObject | undefined {
  const operation = contract.operations.find((each) => each.collection?.name === name);
  const collection = operation?.collection;
  if (operation === undefined || collection?.head === undefined) return undefined;
  const [example] = successExamples(operation);
  const head = valueAt(example, collection.head);
  const listKey = fromPointer(collection.items)[fromPointer(collection.head).length];
  if (!isObject(head)) return undefined;
  const envelope = valueAt(constantsOf(contract.closed, schemaOfSuccess(operation.responses) ?? true), collection.head);
  const isConstant = (key: string): boolean => isObject(envelope) && Object.hasOwn(envelope, key);
  return Object.fromEntries(Object.entries(head).filter(([key]) => key !== listKey && key !== pageKey(collection) && !isConstant(key)));
}

/** Returns the name of the envelope member with paging facts, which each page has newly. */
function pageKey(collection: Collection): string | undefined {
  const pointer = collection.page.style === 'cursor' ? collection.page.more : collection.page.total;
  return pointer === undefined ? undefined : fromPointer(pointer)[fromPointer(collection.head ?? '').length];
}

function singleOf(contract: Contract, name: string, view: string | undefined): JsonObject | undefined {
  const operation = contract.operations.find((each) => each.resource?.name === name && each.resource.view === view);
  const [example] = operation === undefined ? [] : successExamples(operation);
  const value = valueAt(example, operation?.resource?.at ?? '');
  return isObject(value) ? value : undefined;
}

function successExamples(operation: Operation): readonly Json[] {
  const success = [...operation.responses.values()].filter((response) => response.status.startsWith('2'));
  return success.flatMap((response) => [...response.examples.values()].map((example) => example.value));
}
