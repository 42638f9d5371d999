/**
 * Compares the annotations on the records of an operation: their presence, the name that connects a list with its single read, and `x-resource`.
 * `compareAnnotations` calls it for each operation. Lists have a file of their own.
 */

import type { Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Difference } from '../difference.ts';
import { findLookupWitness } from '../witnesses/find-list-witness.ts';
import { type AnnotatedOperationPair, namesAt, operationName } from './annotated-operation.ts';
import { compareKeyword, compareTable, type KeywordRow, type LevelAndReason, type ValueRatings } from './compare-annotation-keyword.ts';

/** Reports an annotation that only one contract has. */
export function comparePresence(pair: AnnotatedOperationPair): readonly Difference[] {
  return operationAnnotations.flatMap(({ key, ...row }) => {
    const [before, after] = [pair.old.holder[key], pair.new.holder[key]];
    if ((before === undefined) === (after === undefined)) return [];
    const { group, noun, promise } = row;
    const rate: ValueRatings = {
      removed: ['breaking', `The contract no longer promises that ${promise}.`],
      added: ['compatible', 'The contract promises more than before.'],
      changed: ['risky', 'The annotation changed.'],
    };
    return compareKeyword(pair, { group, key: '', keys: [key], noun, print: () => key, rate });
  });
}

const operationAnnotations = [
  { key: 'x-collection', group: 'list', noun: 'the list annotation', promise: 'the list is complete, sorted, filtered and paged' },
  { key: 'x-resource', group: 'read', noun: 'the annotation of the single read', promise: 'the operation returns one record' },
];

/** Compares collection names. A name that changes everywhere is one change. */
export function compareCollectionNames(pairs: readonly AnnotatedOperationPair[]): readonly Difference[] {
  return pairs.flatMap((pair) =>
    operationAnnotations.flatMap(({ key }) =>
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
    : ['risky', 'Other operations share a collection than before, so promises between a list and its single read change.'];
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

/** Compares the annotation of a single read: the place of the record, and the parameters that identify it. */
export function compareResource(pair: AnnotatedOperationPair): readonly Difference[] {
  if (pair.old.operation.resource === undefined || pair.new.operation.resource === undefined) return [];
  const names = namesAt(pair, ['x-resource', 'by']);
  const rows = [...resourceRows, ...names.map((name) => lookupRow(pair, name))];
  return compareTable(pair, { group: 'read', keys: ['x-resource'], keywords: rows, others: ['name', 'by'] });
}

const resourceRows: readonly KeywordRow[] = [
  {
    key: 'at',
    noun: 'the place of the record in the body',
    direction: 'response',
    isPlace: true,
    rate: { changed: ['breaking', 'Clients look for it at the old place and do not find it.'] },
  },
  {
    key: 'view',
    noun: 'the view of the record',
    rate: {
      removed: ['risky', 'The contract no longer promises that this view exists whenever the others do.'],
      changed: ['risky', 'It may be a view of another record, or only have another name.'],
    },
  },
];

function lookupRow(pair: AnnotatedOperationPair, name: string): KeywordRow {
  const toField = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    key: 'by',
    keys: ['by', name],
    noun: `the field that \`${name}\` identifies the record by`,
    direction: 'request',
    isPlace: true,
    rate: {
      removed: ['breaking', `Clients that identify the record by \`${name}\` do not find it.`],
      added: ['compatible', 'It is one more way to identify the record.'],
      changed: ['breaking', 'The same value identifies another record, or none.'],
    },
    search: (before, after) => findLookupWitness(pair, name, toField(before), toField(after)),
  };
}
