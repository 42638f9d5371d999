/** Spreads requests that arrive together over several turns of the event loop, so that sockets and timers are served in between. */

/** Time for the requests of one turn in milliseconds. The last one may exceed it. */
const budgetMs = 10;

/** The time that requests have used in the current turn of the event loop. */
export class TurnBudget {
  readonly #nowMs: () => number;
  #startedMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Resolves in a turn with time left; `undefined` if that is the current one. */
  enter(): Promise<void> | undefined {
    return this.#hasTime() ? undefined : this.#wait();
  }

  async #wait(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#hasTime());
  }

  #hasTime(): boolean {
    const nowMs = this.#nowMs();
    if (this.#startedMs === undefined) {
      this.#startedMs = nowMs;
      setImmediate(() => {
        this.#startedMs = undefined;
      });
    }
    return nowMs - this.#startedMs < budgetMs;
  }
}
