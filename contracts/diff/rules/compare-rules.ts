/** Comparing the rules of two annotated contracts: every word of the annotations, and what its change means for clients. */

import type { Contract } from '../../../core/contract.ts';
import { compareApi } from './api-words.ts';
import { compareConditional } from './conditional-words.ts';
import { compareFilters } from './filter-words.ts';
import { compareInvalid, compareParameterInvalid } from './invalid-words.ts';
import { compareListPlaces, compareUnknownKeys, compareWhole, groundOf } from './list-words.ts';
import { compareMarks } from './mark-words.ts';
import { compareNames } from './name-words.ts';
import { compareOrder } from './order-words.ts';
import { compareOthers } from './other-words.ts';
import { comparePage } from './page-words.ts';
import { isListPair, type Pair, pairOperations } from './pair.ts';
import { compareParameterRules } from './parameter-rules.ts';
import { compareQuestions } from './question-words.ts';
import { compareResource } from './resource-words.ts';
import { type Finding, type RuleChange, toChanges } from './rule-change.ts';
import { compareVisible } from './visible-words.ts';
import type { Ground } from './word.ts';

/**
 * Every difference of the annotations of two contracts, each once, with all operations that it reaches: those of the whole API first, then those of
 * operations in the order of the new file. What standard OpenAPI says (parameters, schemas, security) is compared elsewhere.
 */
export function compareRules(old: Contract, next: Contract): readonly RuleChange[] {
  const pairs = pairOperations(old, next);
  const ground: Ground = {
    old: { contract: old, holder: old.document.root },
    next: { contract: next, holder: next.document.root },
    operations: pairs.map(({ name }) => name),
  };
  return toChanges([
    ...compareApi(ground),
    ...compareInvalid(ground, pairs),
    ...pairs.flatMap(compareOperation),
    ...compareNames(pairs),
    ...compareQuestions(ground, pairs),
    ...compareOthers(ground),
  ]);
}

function compareOperation(pair: Pair): readonly Finding[] {
  return [
    ...compareWhole(pair, 'x-collection'),
    ...compareWhole(pair, 'x-resource'),
    ...(isListPair(pair) ? compareList(pair) : []),
    ...(pair.old.operation.resource !== undefined && pair.next.operation.resource !== undefined ? compareResource(pair) : []),
    ...compareParameterRules(pair),
    ...compareParameterInvalid(pair),
    ...compareConditional(pair),
    ...compareMarks(pair),
  ];
}

function compareList(pair: Pair): readonly Finding[] {
  const words = ['name', 'items', 'head', 'key', 'version', 'order', 'page', 'filters', 'visible'];
  return [
    ...compareListPlaces(pair),
    ...compareOrder(pair),
    ...comparePage(pair),
    ...compareFilters(pair),
    ...compareVisible(pair),
    ...compareUnknownKeys(groundOf(pair), ['x-collection'], words),
  ];
}
