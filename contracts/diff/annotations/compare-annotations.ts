/**
 * Compares the annotations of two contracts: every changed keyword, with its consequence for clients. `compareContracts` calls it once if both files are
 * annotated. Standard OpenAPI (parameters, schemas, security) is compared by `compare-operations.ts`.
 */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { Difference } from '../difference.ts';
import { type AnnotationContext, pairOperations } from './annotated-operation.ts';
import { compareApi, compareQuestions, compareUnknownExtensions } from './compare-api-keywords.ts';
import { compareCollection } from './compare-list-keywords.ts';
import { compareConditional, compareInvalid, compareParameterInvalid, compareParameterRules } from './compare-request-keywords.ts';
import { compareCollectionNames, comparePresence, compareResource } from './compare-resource-keywords.ts';

/** All differences in annotations: first those of the whole file, then those of each operation in the order of the new file. */
export function compareAnnotations(old: Contract, next: Contract): readonly Difference[] {
  const pairs = pairOperations(old, next);
  const context: AnnotationContext = {
    old: { contract: old, holder: old.document.root },
    new: { contract: next, holder: next.document.root },
    operations: pairs.map(({ name }) => name),
  };
  const ofOperation = [
    ...[comparePresence, compareCollection, compareResource],
    ...[compareParameterRules, compareParameterInvalid, compareConditional],
  ];
  return [
    ...compareApi(context),
    ...compareInvalid(context, pairs),
    ...pairs.flatMap((pair) => ofOperation.flatMap((compare) => compare(pair))),
    ...compareCollectionNames(pairs),
    ...compareQuestions(context, pairs),
    ...compareUnknownExtensions(context),
  ];
}
