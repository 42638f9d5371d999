/** Answers that are changed on their way from a target, by what was asked and what was asked before. */

import { createHash } from 'node:crypto';
import type { Delivery, Target } from '../../../contracts/target.ts';
import type { HttpRequest } from '../../../core/exchange.ts';

/** What is made of an answer. */
export type Disturbance = (answer: Answer, request: HttpRequest, seen: Seen) => Delivery | Promise<Delivery>;

/** A delivery that is an answer. */
export type Answer = Extract<Delivery, { kind: 'answer' }>;

/** What came before a request. */
export interface Seen {
  /** How often the same was asked, with the same headers. */
  readonly times: number;
  /** How often the same was asked by the same key, on whatever condition. */
  readonly readings: number;
  /** Whether the same was asked on a condition, by this request or before it. */
  readonly wasConditional: boolean;
  /** The last answer to any request. */
  readonly before: Answer | undefined;
  /** Asks the target something else. */
  readonly ask: (request: HttpRequest) => Promise<Delivery>;
}

/** A target whose answers are disturbed. */
export function disturb(target: Target, disturbance: Disturbance): Target {
  const asked = new Map<string, number>();
  const count = (...parts: readonly unknown[]): number => {
    const name = JSON.stringify(parts);
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    return times;
  };
  let before: Answer | undefined;
  return {
    ...target,
    send: async (request) => {
      const delivery = await target.send(request);
      const plain = withoutCondition(request);
      const [times, readings] = [count('times', request), count('readings', plain)];
      if (plain !== request) count('condition', plain);
      if (delivery.kind !== 'answer') return delivery;
      const wasConditional = asked.has(JSON.stringify(['condition', plain]));
      const disturbed = await disturbance(delivery, request, { times, readings, wasConditional, before, ask: target.send });
      before = delivery;
      return disturbed;
    },
  };
}

/** Which half, or smaller part, of all requests a request belongs to, whatever key it carries. */
export function partOf({ method, target }: HttpRequest, parts = 2): number {
  return (createHash('sha256').update(`${method} ${target}`).digest()[0] ?? 0) % parts;
}

/** The answer with another body. */
export function withBody({ response, ...answer }: Answer, body: string): Answer {
  return { ...answer, response: { ...response, body } };
}

/** Whether a request is made on a condition. */
export function isConditional({ headers }: HttpRequest): boolean {
  return 'if-none-match' in headers;
}

/** The request without its condition; the same one where it has none. */
export function withoutCondition(request: HttpRequest): HttpRequest {
  if (!isConditional(request)) return request;
  const { 'if-none-match': _, ...headers } = request.headers;
  return { ...request, headers };
}
