/**
 * What the observers of open questions share: a small budget of further requests, and the operations with an open question. A spent budget only leaves
 * questions open.
 */

import { type Question, questionsBelow } from '../../../core/annotations/open-questions.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { Blocked } from '../evidence/blocked-operations.ts';
import { type Call, isReplyTo, type Reply, recordsIn, Unwritable } from '../evidence/call.ts';
import { firstPageCall } from '../evidence/pagination/pagination.ts';
import { BudgetSpent } from '../evidence/request-session.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { QuestionEvidence } from './question-evidence.ts';

/** Maximum number of further requests. */
const requestBudgets = { full: 20, quick: 6 } as const;

/** The context of the first round, with a budget for the further requests of the observers. */
export class ObserverContext {
  readonly round: RoundContext;
  private requestsLeft: number;

  constructor(round: RoundContext) {
    this.round = round;
    this.requestsLeft = round.quick ? requestBudgets.quick : requestBudgets.full;
  }

  /** Sends a request, or returns its reply from this run; `undefined` if the budget is spent or no reply comes. */
  ask(call: Call): Promise<Reply | undefined> {
    return this.withinBudget(() => this.round.ask(call));
  }

  /** Sends a request even if it was sent before. */
  askAgain(call: Call): Promise<Reply | undefined> {
    return this.withinBudget(() => this.round.askAgain(call));
  }

  /** The longest page of a list without a filter, for the key `full`. */
  async longestPage(operation: ListOperation): Promise<Reply | undefined> {
    const { limit } = operation.collection.page;
    const unfiltered = this.round.replies.filter(
      (reply) =>
        isReplyTo(reply, operation) && reply.call.raw === undefined && Object.keys(reply.call.values ?? {}).every((name) => name === limit),
    );
    const longest = unfiltered.toSorted((left, right) => lengthOf(right) - lengthOf(left))[0];
    return longest !== undefined && lengthOf(longest) > 1 ? longest : this.ask(firstPageCall(operation, {}));
  }

  /** Does some work that sends requests; `undefined` if the budget is spent or no reply comes. */
  async withinBudget<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { session } = this.round;
    const requestsBefore = session.requests;
    if (this.requestsLeft <= 0) return undefined;
    try {
      return await work();
    } catch (error) {
      // A blocked target, a spent budget and a value that cannot be sent only leave questions open.
      if (error instanceof Blocked || error instanceof BudgetSpent || error instanceof Unwritable) return undefined;
      throw error;
    } finally {
      this.requestsLeft -= session.requests - requestsBefore;
    }
  }
}

function lengthOf(reply: Reply): number {
  return recordsIn(reply)?.length ?? 0;
}

/** An open question, and the operation with its rule. */
export interface OpenRule<T extends Operation> {
  readonly question: Question;
  readonly operation: T;
}

/** The lists with an open question at or below a pointer, such as `x-collection/order`. */
export function openLists(contract: Contract, rule: string): readonly OpenRule<ListOperation>[] {
  return contract.operations.filter(isList).flatMap((operation) => openAt(contract, operation, rule));
}

/** The single reads with an open question at or below a pointer. */
export function openReads(contract: Contract, rule: string): readonly OpenRule<Operation>[] {
  return contract.operations
    .filter((operation) => operation.resource !== undefined)
    .flatMap((operation) => openAt(contract, operation, rule));
}

function openAt<T extends Operation>(contract: Contract, operation: T, rule: string): readonly OpenRule<T>[] {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).map((question) => ({ question, operation }));
}

/** Observes each list with an open question at or below a pointer. */
export async function observeOpenLists(
  { round }: ObserverContext,
  rule: string,
  observeList: (openRule: OpenRule<ListOperation>) => Promise<QuestionEvidence | readonly QuestionEvidence[] | undefined>,
): Promise<readonly QuestionEvidence[]> {
  const evidence: QuestionEvidence[] = [];
  for (const openRule of openLists(round.contract, rule)) evidence.push(...[(await observeList(openRule)) ?? []].flat());
  return evidence;
}
