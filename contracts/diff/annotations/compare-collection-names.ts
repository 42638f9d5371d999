/**
 * Compares the names of collections in `x-collection` and `x-resource`, which connect a list with its single read. `compare-annotations.ts` calls it once for
 * all operations. A name that changes everywhere is one change, since all of its differences have one key. The other keywords of lists are left to
 * `compare-list-annotations.ts`.
 */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Difference } from '../difference.ts';
import { type AnnotatedOperationPair, operationName } from './annotated-operation-pair.ts';
import { compareKeyword, type LevelAndReason } from './compare-annotation-keyword.ts';

/** Compares collection names. A name that changes everywhere is one change. */
export function compareCollectionNames(pairs: readonly AnnotatedOperationPair[]): readonly Difference[] {
  return pairs.flatMap((pair) =>
    ['x-collection', 'x-resource'].flatMap((key) =>
      pair.old.holder[key] === undefined || pair.new.holder[key] === undefined ? [] : compareCollectionName(pair, key),
    ),
  );
}

/** Compares a collection name. The name has no effect of its own; only the set of operations that share it counts. */
function compareCollectionName(pair: AnnotatedOperationPair, key: string): readonly Difference[] {
  const [before, after] = [pair.old, pair.new].map(({ contract, operation }) => relatedOperations(contract, operation).join());
  const isKept = before === after;
  const changed: LevelAndReason = isKept
    ? ['documentation', 'The same operations share a collection as before, under another name.']
    : ['risky', 'Different operations share a collection, so promises between a list and its single read change.'];
  const differences = compareKeyword(pair, {
    group: 'list',
    key: 'name',
    keys: [key, 'name'],
    noun: 'the name of the collection',
    rate: { changed },
  });
  // The same name in several operations is one edit.
  return differences.map((difference) => ({
    ...difference,
    edit: JSON.stringify([difference.before.value ?? null, difference.after.value ?? null, isKept]),
  }));
}

/** Operations with a common collection name. */
function relatedOperations({ operations }: Contract, operation: Operation): readonly string[] {
  const names = collectionNames(operation);
  return operations.filter((each) => collectionNames(each).some((name) => names.includes(name))).map(operationName);
}

function collectionNames({ collection, resource }: Operation): readonly string[] {
  return [collection?.name, resource?.name].flatMap((name) => name ?? []);
}
