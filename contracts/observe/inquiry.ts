/** The requests that are sent for the sake of open questions: few, and none of them is worth a failure. */

import { type Call, Unwritable } from '../call.ts';
import type { Lab } from '../lab.ts';
import { Blocked } from '../losses.ts';
import { type Reply, recordsIn } from '../reply.ts';
import { BudgetSpent } from '../session.ts';
import { largestPage } from '../universe.ts';
import { callFor, type ListOperation } from '../walk.ts';

/** How many requests may be sent. */
const allowances = { full: 20, quick: 6 } as const;

/** Asks for what the answers of a run do not show by themselves. */
export class Inquiry {
  readonly lab: Lab;
  private left: number;

  constructor(lab: Lab) {
    this.lab = lab;
    this.left = lab.quick ? allowances.quick : allowances.full;
  }

  /** Sends a request, or gives the answer that it had in the run; `undefined` when no more may be sent, or nothing comes back. */
  ask(call: Call): Promise<Reply | undefined> {
    return this.count(() => this.lab.ask(call));
  }

  /** Sends a request whether or not it was sent before. */
  again(call: Call): Promise<Reply | undefined> {
    return this.count(() => this.lab.again(call));
  }

  /** The fullest answer of a list without any filter, as the usual caller sees it. */
  async fullest(operation: ListOperation): Promise<Reply | undefined> {
    const { limit } = operation.collection.page;
    const plain = this.lab.replies.filter(
      ({ call }) =>
        call.operation.id === operation.id &&
        (call.as ?? 'full') === 'full' &&
        call.raw === undefined &&
        Object.keys(call.values ?? {}).every((name) => name === limit),
    );
    const known = plain.toSorted((left, right) => lengthOf(right) - lengthOf(left))[0];
    return known !== undefined && lengthOf(known) > 1
      ? known
      : this.ask(callFor({ operation, values: {}, limit: largestPage(operation) }, {}));
  }

  private async count(send: () => Promise<Reply>): Promise<Reply | undefined> {
    const { session } = this.lab;
    const before = session.requests;
    if (this.left <= 0) return undefined;
    try {
      return await send();
    } catch (error) {
      // A target that throttles or fails, a value that cannot be sent, and a budget that is spent leave questions open and nothing more.
      if (error instanceof Blocked || error instanceof BudgetSpent || error instanceof Unwritable) return undefined;
      throw error;
    } finally {
      this.left -= session.requests - before;
    }
  }
}

function lengthOf(reply: Reply): number {
  return recordsIn(reply)?.length ?? 0;
}
