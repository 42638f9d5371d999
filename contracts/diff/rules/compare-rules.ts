/** Comparing the rules of two annotated contracts: every word of the annotations, and what its change means for clients. */

import type { Change } from '../../../core/change.ts';
import type { Contract } from '../../../core/contract.ts';
import { compareApi, compareOthers, compareQuestions } from './api-words.ts';
import { compareCollection } from './list-words.ts';
import { compareMarks } from './mark-words.ts';
import { pairOperations } from './pair.ts';
import { compareConditional, compareInvalid, compareParameterInvalid, compareParameterRules } from './request-words.ts';
import { compareNames, compareResource, compareWholes } from './resource-words.ts';
import { type Finding, type Ground, searchInTurn } from './word.ts';

/** A change of a rule, complete but for its fingerprint. */
export type RuleChange = Omit<Change, 'fingerprint'>;

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
  const ofOperation = [
    ...[compareWholes, compareCollection, compareResource],
    ...[compareParameterRules, compareParameterInvalid, compareConditional, compareMarks],
  ];
  const findings = [
    ...compareApi(ground),
    ...compareInvalid(ground, pairs),
    ...pairs.flatMap((pair) => ofOperation.flatMap((compare) => compare(pair))),
    ...compareNames(pairs),
    ...compareQuestions(ground, pairs),
    ...compareOthers(ground),
  ];
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) groups.set(finding.cause, [...(groups.get(finding.cause) ?? []), finding]);
  return [...groups.values()].flatMap(toChange);
}

/** Findings of one cause are one change that reaches several operations; one of these is enough to show it. */
function toChange(group: readonly Finding[]): readonly RuleChange[] {
  const [first] = group;
  if (first === undefined) return [];
  const operations = [...new Set(group.flatMap((finding) => finding.operations))];
  const searches = group.flatMap(({ search }) => search ?? []);
  const { cause: _cause, search: _search, ...told } = first;
  const change = { ...told, operation: operations[0], operations };
  if (searches.length === 0) return [{ ...change, verdict: undefined, witness: undefined }];
  const { tried, witness } = searchInTurn(searches);
  return [witness === undefined ? { ...change, verdict: 'unwitnessed', tried, witness } : { ...change, verdict: 'witnessed', witness }];
}
