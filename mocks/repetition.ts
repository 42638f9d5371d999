/** Requests that come again as they came before, byte for byte: what was found out about them is known, and only the answer has to go out. */

import type { HttpRequest } from '../core/exchange.ts';
import type { KeptAnswer, KeptAnswers } from './kept-answers.ts';
import { Recent } from './ledger/recent.ts';
import type { Reply } from './visit.ts';

/** What a request gets that came before. The same object each time, so that whatever is made from it need not be made again. */
export interface Repetition {
  /** The request without keys. */
  readonly shown: HttpRequest;
  readonly reply: Reply;
}

/** A request that came, and what its answer hangs on. */
export interface Known extends Repetition {
  readonly answers: KeptAnswers;
  readonly key: string;
  readonly kept: KeptAnswer;
  /** What the mock's clock showed. */
  readonly clockMs: number;
  readonly now: () => number;
}

/** How many requests are known, and how long the head of one may be. */
const [knownMost, longestHead] = [1000, 2000] as const;

/** The requests that are known. */
export class Repetitions {
  readonly #known = new Recent<string, Known>(knownMost);

  /** What a request gets that came before; `undefined` once its answer was dropped, or the clock has moved. */
  find(head: string): Repetition | undefined {
    const known = this.#known.get(head);
    if (known === undefined || known.clockMs !== known.now()) return undefined;
    return known.answers.get(known.key) === known.kept ? known : undefined;
  }

  /** Knows a request from now on. */
  learn(head: string, known: Known): void {
    if (head.length <= longestHead) this.#known.set(head, known);
  }
}
