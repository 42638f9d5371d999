/**
 * Compares the annotations of two contracts: every changed keyword, with its consequence for clients. `compareContracts` calls it once if both files are
 * annotated. Standard OpenAPI (parameters, schemas, security) is compared by `compare-operations.ts`.
 */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { Change } from '../../../core/results/contract-change.ts';
import { nothingTried, type SearchOutcome, searchInTurn } from '../witnesses/search-outcome.ts';
import { type AnnotationContext, pairOperations } from './annotated-operation.ts';
import type { AnnotationDifference } from './compare-annotation-keyword.ts';
import { compareApi, compareQuestions, compareUnknownExtensions } from './compare-api-keywords.ts';
import { compareCollection } from './compare-list-keywords.ts';
import { compareConditional, compareInvalid, compareParameterInvalid, compareParameterRules } from './compare-request-keywords.ts';
import { compareCollectionNames, comparePresence, compareResource } from './compare-resource-keywords.ts';
import { compareMarks } from './compare-schema-marks.ts';

/** A change of an annotation. */
export interface AnnotationChange extends Omit<Change, 'fingerprint' | 'verdict' | 'tried' | 'witness' | 'consequences'> {
  /** Searches for a witness; `undefined` if the evaluators cannot show such a change. */
  readonly findWitness: (() => SearchOutcome) | undefined;
  /** Names of parameters and JSON Pointers that the change is about. */
  readonly names: readonly string[] | undefined;
}

/**
 * All differences in annotations, each once with all affected operations: first annotations of the whole file, then those of operations in
 * the order of the new file.
 */
export function compareAnnotations(old: Contract, next: Contract): readonly AnnotationChange[] {
  const pairs = pairOperations(old, next);
  const context: AnnotationContext = {
    old: { contract: old, holder: old.document.root },
    new: { contract: next, holder: next.document.root },
    operations: pairs.map(({ name }) => name),
  };
  const ofOperation = [
    ...[comparePresence, compareCollection, compareResource],
    ...[compareParameterRules, compareParameterInvalid, compareConditional, compareMarks],
  ];
  const differences = [
    ...compareApi(context),
    ...compareInvalid(context, pairs),
    ...pairs.flatMap((pair) => ofOperation.flatMap((compare) => compare(pair))),
    ...compareCollectionNames(pairs),
    ...compareQuestions(context, pairs),
    ...compareUnknownExtensions(context),
  ];
  const groups = new Map<string, AnnotationDifference[]>();
  for (const difference of differences) groups.set(difference.cause, [...(groups.get(difference.cause) ?? []), difference]);
  return [...groups.values()].flatMap(toChange);
}

/** Merges differences with one cause into one change of several operations. A witness at one operation is enough. */
function toChange(group: readonly AnnotationDifference[]): readonly AnnotationChange[] {
  const [first] = group;
  if (first === undefined) return [];
  const operations = [...new Set(group.flatMap((difference) => difference.operations))];
  const searches = group.flatMap(({ search }) => search ?? []);
  const findWitness = searches.length === 0 ? undefined : (): SearchOutcome => searchInTurn(searches) ?? nothingTried;
  const { cause: _cause, search: _search, ...described } = first;
  return [{ ...described, operation: operations[0], operations, findWitness }];
}
