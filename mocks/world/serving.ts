/** Whether a world has content for everything that a contract serves. */

import type { Contract } from '../../core/contract.ts';

/** What a world has content for. */
export interface WorldContent {
  /** The title of the contract. */
  readonly title: string;
  readonly collections: readonly string[];
  /** The views of each resource; a record of a collection that is read alone is a resource of the collection's name. */
  readonly views: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** The part of a contract that decides it. */
export type ServedContract = Pick<Contract, 'title'> & {
  readonly collections: readonly Pick<Contract['collections'][number], 'name'>[];
  readonly resources: readonly Pick<Contract['resources'][number], 'name' | 'view'>[];
};

/** Whether the title is the world's own and every collection and every view of a resource is one that it knows. */
export function servesContract(contract: ServedContract, content: WorldContent): boolean {
  const knowsCollections = contract.collections.every(({ name }) => content.collections.includes(name));
  const knowsResources = contract.resources.every(({ name, view }) => content.views.get(name)?.includes(view) ?? false);
  return contract.title === content.title && knowsCollections && knowsResources;
}
