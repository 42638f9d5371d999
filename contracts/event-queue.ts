/** Events of a run between the run, which does not wait for anybody, and whoever reads them. */

import type { RunEvent } from '../core/verdict.ts';

/** Events for whoever reads them, kept until then. */
export class EventQueue {
  private readonly waiting: RunEvent[] = [];
  private wake: (() => void) | undefined;
  private isEnded = false;

  push(event: RunEvent): void {
    this.waiting.push(event);
    this.wake?.();
  }

  end(): void {
    this.isEnded = true;
    this.wake?.();
  }

  async *read(): AsyncGenerator<RunEvent> {
    for (;;) {
      const event = this.waiting.shift();
      if (event !== undefined) yield event;
      else if (this.isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}
