/**
 * Observes open questions about lists: each choice in turn answers the question, and a violation of the rule about its place refutes the choice. Works after
 * the rules of a run, so most replies are already there.
 */

import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { RuleId } from '../../../core/results/rule-id.ts';
import { concludeCheck, type RoundOutcome } from '../conclude-check.ts';
import { rules } from '../rules/rule-catalogue.ts';
import { answerByChoice, sameList } from './assume-choice.ts';
import { type ObserverContext, type OpenRule, openLists } from './observer-context.ts';
import { choicesWhere, type QuestionEvidence } from './question-evidence.ts';

/** The rule about each place of a list that a contract may leave open. */
const rulesByPlace: readonly (readonly [place: string, rule: RuleId])[] = [
  ['x-collection/order', 'order/within'],
  ['x-collection/page/beyond', 'pages/beyond'],
  ['x-collection/page/cap', 'pages/echo'],
  ['x-collection/page/counts', 'pages/total'],
];

/** Judges the choices of each open question about these places. */
export async function observeByRules(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const evidence: QuestionEvidence[] = [];
  for (const [place, rule] of rulesByPlace)
    for (const openRule of openLists(context.round.contract, place)) evidence.push(...(await observeByRule(context, openRule, rule)));
  return evidence;
}

async function observeByRule(
  context: ObserverContext,
  openRule: OpenRule<ListOperation>,
  rule: RuleId,
): Promise<readonly QuestionEvidence[]> {
  const { question, operation } = openRule;
  // Reading the list now would take more requests than an observation may send.
  if (context.round.takenSnapshot(operation, 'full') === undefined) return [];
  const outcomes = new Map<string, RoundOutcome>();
  for (const choice of question.choices.keys()) {
    const outcome = await context.withinBudget(() => judgeChoice(context, openRule, choice, rule));
    if (outcome !== undefined) outcomes.set(choice, outcome);
  }
  const choicesWith = (verdict: string): readonly string[] => choicesWhere(question, (choice) => outcomes.get(choice)?.verdict === verdict);
  const refutedChoices = choicesWith('violated');
  if (refutedChoices.length === 0)
    return choicesWith('holds').length === 0
      ? []
      : [{ question, fittingChoices: [...question.choices.keys()], what: `${operation.id} was as ${rule} requires` }];
  const facts = refutedChoices.flatMap((choice) => outcomes.get(choice)?.contradictions[0]?.actual ?? []);
  const fittingChoices = choicesWhere(question, (choice) => !refutedChoices.includes(choice));
  return [{ question, fittingChoices, what: `in ${operation.id}, ${[...new Set(facts)].join(', and ')}` }];
}

/** Examines the rule under the contract that the choice answers. */
async function judgeChoice(
  { round }: ObserverContext,
  { question, operation }: OpenRule<ListOperation>,
  choice: string,
  ruleId: RuleId,
): Promise<RoundOutcome | undefined> {
  const contract = answerByChoice(round.contract, question, choice);
  const list = sameList(contract, operation);
  const rule = rules.find(({ id }) => id === ruleId);
  if (rule?.clause(list, contract) === undefined) return undefined;
  const context = round.withContract(contract);
  const examination = await rule.examine(context, list);
  if (!('judge' in examination)) return undefined;
  return concludeCheck({ ...examination, judge: () => [examination.judge(), rule.judgeReplies?.(context, list)] });
}
