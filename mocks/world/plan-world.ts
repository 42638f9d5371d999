/** Tells, for each operation of a contract, what it does with the records of the mock. Only sure guesses count; annotated reads have their own handler. */

import {
  type Inference,
  type InferredCollection,
  type InferredDetail,
  type InferredList,
  type InferredLogin,
  type InferredWrite,
  isSure,
} from '../../core/inference/guess.ts';
import { inferContract } from '../../core/inference/infer-contract.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';

/** What an operation does. */
export type OperationRole =
  | { readonly kind: 'list'; readonly collection: WorldCollection; readonly list: InferredList }
  | { readonly kind: 'detail'; readonly collection: WorldCollection; readonly detail: InferredDetail }
  | { readonly kind: 'write'; readonly collection: WorldCollection; readonly write: InferredWrite }
  | { readonly kind: 'login'; readonly login: InferredLogin };

/** A collection with a sure key. */
export type WorldCollection = InferredCollection & { readonly key: NonNullable<InferredCollection['key']> };

/** The collections of a mock, and the role of each operation that reads or changes them. */
export interface WorldPlan {
  readonly inference: Inference;
  readonly collections: readonly WorldCollection[];
  /** By the id of the operation. */
  readonly roles: ReadonlyMap<string, OperationRole>;
}

const plans = new WeakMap<Contract, WorldPlan>();

/** Plans the world of a contract, once: that takes up to a second for a large file. */
export function planWorld(contract: Contract): WorldPlan {
  return getOrCompute(plans, contract, () => makePlan(contract));
}

function makePlan(contract: Contract): WorldPlan {
  const inference = inferContract(contract);
  const collections = inference.collections.filter((collection): collection is WorldCollection => isUsable(collection));
  const roles = new Map<string, OperationRole>();
  const logins = inference.logins
    .filter(({ token }) => isSure(token))
    .map((login): Assignment => [login.operation, { kind: 'login', login }]);
  for (const [operation, role] of [...logins, ...collections.flatMap(rolesIn)]) {
    const isAnnotated = operation.collection !== undefined || operation.resource !== undefined;
    if (!isAnnotated && !roles.has(operation.id)) roles.set(operation.id, role);
  }
  return { inference, collections, roles };
}

type Assignment = readonly [Operation, OperationRole];

function rolesIn(collection: WorldCollection): readonly Assignment[] {
  const lists = collection.lists.filter(({ items }) => isSure(items));
  const details = collection.details.filter(({ at }) => isSure(at));
  const writes = collection.writes.filter(({ kind }) => isSure(kind));
  return [
    ...lists.map((list): Assignment => [list.operation, { kind: 'list', collection, list }]),
    ...details.map((detail): Assignment => [detail.operation, { kind: 'detail', collection, detail }]),
    ...writes.map((write): Assignment => [write.operation, { kind: 'write', collection, write }]),
  ];
}

/** True if the mock can keep records of a collection: their key is sure, and something reads or lists them. */
function isUsable({ key, lists, details }: InferredCollection): boolean {
  return isSure(key) && (lists.some(({ items }) => isSure(items)) || details.some(({ at }) => isSure(at)));
}
