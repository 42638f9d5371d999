/** Compares the annotations of two contracts. Annotations inside schemas are not among them. */

import { printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Difference } from '../difference.ts';
import { type AnnotatedOperationPair, type AnnotationContext, pairAnnotatedOperations } from './annotated-operation-pair.ts';
import { compareKeyword, type LevelAndReason, type ValueRatings } from './compare-annotation-keyword.ts';
import { compareConditional, compareInvalid, compareParameterInvalid, compareParameterRules } from './compare-invalid-and-conditional.ts';
import { compareCollection } from './compare-list-annotations.ts';
import { compareApi, compareQuestions } from './compare-root-annotations.ts';
import { compareResource } from './compare-single-read-annotations.ts';

/** All differences in annotations: first those of the whole file, then those of each operation. */
export function compareAnnotations(old: Contract, next: Contract): readonly Difference[] {
  const pairs = pairAnnotatedOperations(old, next);
  const context: AnnotationContext = {
    old: { contract: old, holder: rawOf(old.document).root },
    new: { contract: next, holder: rawOf(next.document).root },
    operations: pairs.map(({ name }) => name),
  };
  const ofOperation = [
    ...[comparePresence, compareCollection, compareResource],
    ...[compareParameterRules, compareParameterInvalid, compareConditional],
  ];
  return [
    ...compareApi(context, pairs),
    ...compareInvalid(context, pairs),
    ...pairs.flatMap((pair) => ofOperation.flatMap((compare) => compare(pair))),
    ...pairs.flatMap(compareCollectionNames),
    ...compareQuestions(context, pairs),
  ];
}

const operationAnnotations = [
  { key: 'x-collection', group: 'list', noun: 'the list annotation', promise: 'the list is complete, sorted, filtered and paged' },
  { key: 'x-resource', group: 'read', noun: 'the annotation of the single read', promise: 'the operation returns one record' },
];

/** Reports an annotation that only one contract has. */
function comparePresence(pair: AnnotatedOperationPair): readonly Difference[] {
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

const renamedCollection: LevelAndReason = [
  'risky',
  'The name connects a list with its single read, and may now connect it with another one.',
];

/** Compares the names of collections in lists and single reads. The same new name in several operations is one edit. */
function compareCollectionNames(pair: AnnotatedOperationPair): readonly Difference[] {
  return operationAnnotations.flatMap(({ key }) => {
    if (pair.old.holder[key] === undefined || pair.new.holder[key] === undefined) return [];
    const rate = { changed: renamedCollection };
    const differences = compareKeyword(pair, { group: 'list', key: 'name', keys: [key, 'name'], noun: 'the name of the collection', rate });
    return differences.map((each) => ({ ...each, edit: printJson([each.before.value ?? null, each.after.value ?? null]) }));
  });
}
