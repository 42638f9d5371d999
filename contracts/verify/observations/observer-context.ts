/**
 * The budget of further requests that the observers of open questions share, and the page that they all read. `observe-open-questions.ts` makes one for each
 * run, after the rules; all observers but `observe-schemas.ts` send through it. A spent budget only leaves questions open.
 */

import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { Blocked } from '../evidence/blocked-operations.ts';
import { type Call, isReplyTo, type Reply, recordsIn, Unwritable } from '../evidence/call-and-reply.ts';
import { firstPageCall } from '../evidence/pagination/paginate.ts';
import { BudgetSpent } from '../evidence/request-session.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { type OpenRule, openLists } from './open-operations.ts';
import type { QuestionEvidence } from './question-evidence.ts';

/** Maximum number of further requests. */
const requestBudgets = { full: 20, quick: 6 } as const;

/** The run context of the observers, with a budget for their further requests. */
export class ObserverContext {
  readonly context: RoundContext;
  private requestsLeft: number;

  constructor(context: RoundContext) {
    this.context = context;
    this.requestsLeft = context.quick ? requestBudgets.quick : requestBudgets.full;
  }

  /** Sends a request, or returns its reply from this run; `undefined` if the budget is spent or no reply comes. */
  ask(call: Call): Promise<Reply | undefined> {
    return this.sendWithinBudget(() => this.context.ask(call));
  }

  /** Sends a request even if it was sent before. */
  askAgain(call: Call): Promise<Reply | undefined> {
    return this.sendWithinBudget(() => this.context.askAgain(call));
  }

  /** The longest page of a list without a filter, for the key `full`. */
  async longestPage(operation: ListOperation): Promise<Reply | undefined> {
    const { limit } = operation.collection.page;
    const unfiltered = this.context.replies.filter(
      (reply) =>
        isReplyTo(reply, operation) && reply.call.raw === undefined && Object.keys(reply.call.values ?? {}).every((name) => name === limit),
    );
    const longest = unfiltered.toSorted((left, right) => lengthOf(right) - lengthOf(left))[0];
    return longest !== undefined && lengthOf(longest) > 1 ? longest : this.ask(firstPageCall(operation, {}));
  }

  private async sendWithinBudget(send: () => Promise<Reply>): Promise<Reply | undefined> {
    const { session } = this.context;
    const requestsBefore = session.requests;
    if (this.requestsLeft <= 0) return undefined;
    try {
      return await send();
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

/** Observes each list with an open question at or below a pointer. */
export async function observeLists(
  { context }: ObserverContext,
  rule: string,
  observeList: (openRule: OpenRule<ListOperation>) => Promise<QuestionEvidence | readonly QuestionEvidence[] | undefined>,
): Promise<readonly QuestionEvidence[]> {
  const evidence: QuestionEvidence[] = [];
  for (const open of openLists(context.contract, rule)) evidence.push(...[(await observeList(open)) ?? []].flat());
  return evidence;
}
