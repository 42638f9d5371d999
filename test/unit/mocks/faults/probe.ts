/** Questions that show faults: each is a short conversation with a service, and its transcript is what was answered. */

import type { Json } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { Ask, Seen } from './stage.ts';

/** One conversation. */
export interface Probe {
  /** The operation that it is mainly about. */
  readonly operation: string;
  readonly ask: (ask: Ask) => Promise<readonly Seen[]>;
}

/** A single request. */
export function once(operation: string, target: string, headers: Readonly<Record<string, string>>): Probe {
  return { operation, ask: async (ask) => [await ask(target, headers)] };
}

/** The first pages of a walk by cursor. */
export function walk(operation: string, target: string, headers: Readonly<Record<string, string>>, pages: number): Probe {
  return {
    operation,
    ask: async (ask) => {
      const seen: Seen[] = [];
      let next = target;
      for (let page = 0; page < pages; page += 1) {
        const answer = await ask(next, headers);
        seen.push(answer);
        const cursor = member(answer, '/data/page/next_cursor');
        if (typeof cursor !== 'string') break;
        next = `${target}${target.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      }
      return seen;
    },
  };
}

/** Reads something, and again with the tag that it had, and with others. */
export function conditional(
  operation: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  strangers: readonly Readonly<Record<string, string>>[],
): Probe {
  return {
    operation,
    ask: async (ask) => {
      const first = await ask(target, headers);
      const tag = typeof first.headers['etag'] === 'string' ? first.headers['etag'] : '"none"';
      const seen = [
        first,
        await ask(target, { ...headers, 'if-none-match': tag }),
        await ask(target, { ...headers, 'if-none-match': '"other"' }),
      ];
      for (const stranger of strangers) seen.push(await ask(target, { ...stranger, 'if-none-match': tag }));
      return [...seen, await ask(target, headers)];
    },
  };
}

/** The value at a pointer of a JSON body. */
export function member({ body }: Seen, pointer: string): Json | undefined {
  try {
    return valueAt(JSON.parse(body) as Json, pointer);
  } catch {
    // A fault may answer with something that is no JSON; then there is no member.
    return undefined;
  }
}
