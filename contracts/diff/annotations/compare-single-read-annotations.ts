import type { Json } from '../../../core/json.ts';
import type { Difference } from '../difference.ts';
import { findLookupWitness } from '../witnesses/find-list-or-resource-witness.ts';
import { type AnnotatedOperationPair, namesAt } from './annotated-operation-pair.ts';
import { compareKeywordRows, type KeywordRow } from './compare-annotation-keyword.ts';

/** Compares the annotation of a single read (`x-resource`): the place of the record, its view, and the parameters that identify it. */
export function compareResource(pair: AnnotatedOperationPair): readonly Difference[] {
  if (pair.old.operation.resource === undefined || pair.new.operation.resource === undefined) return [];
  const names = namesAt(pair, ['x-resource', 'by']);
  const rows = [...resourceRows, ...names.map((name) => lookupRow(pair, name))];
  return compareKeywordRows(pair, { group: 'read', keys: ['x-resource'], keywords: rows });
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
