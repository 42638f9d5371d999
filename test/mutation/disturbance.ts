/** Servers that are not well: some of their requests, always the same ones, are answered by something else, so that laws meet answers that tell nothing. */

import { createHash } from 'node:crypto';
import type { Delivery, Target } from '../../contracts/target.ts';
import type { HttpRequest } from '../../core/exchange.ts';

/** What is made of an answer. */
export type Disturbance = (answer: Answer, request: HttpRequest, times: number, before: Answer | undefined) => Delivery;

/** A delivery that is an answer. */
export type Answer = Extract<Delivery, { kind: 'answer' }>;

/** A target whose answers are disturbed. */
export function disturb(target: Target, disturbance: Disturbance): Target {
  const asked = new Map<string, number>();
  let before: Answer | undefined;
  return {
    ...target,
    send: async (request) => {
      const delivery = await target.send(request);
      const name = JSON.stringify([request.method, request.target, request.headers]);
      const times = asked.get(name) ?? 0;
      asked.set(name, times + 1);
      if (delivery.kind !== 'answer') return delivery;
      const disturbed = disturbance(delivery, request, times, before);
      before = delivery;
      return disturbed;
    },
  };
}

/** Every disturbance by its name. */
export const disturbances: Readonly<Record<string, Disturbance>> = {
  'that breaks on every other request': (answer, request) => (partOf(request) === 0 ? broken(answer, 500) : answer),
  'that breaks on the other requests': (answer, request) => (partOf(request) === 0 ? answer : broken(answer, 500)),
  'that refuses every other request': (answer, request) => (partOf(request) === 0 ? broken(answer, 400) : answer),
  'that knows nothing of every other request': (answer, request) => (partOf(request) === 0 ? broken(answer, 404) : answer),
  'that refuses what it is asked for the first time': (answer, request, times) =>
    times === 0 && partOf(request, 3) === 0 ? broken(answer, 400) : answer,
  'that refuses a repeated request': (answer, request, times) => (times > 0 && partOf(request) === 0 ? broken(answer, 404) : answer),
  'that breaks on conditions': (answer, request) => (isConditional(request) ? broken(answer, 500) : answer),
  'that refuses conditions': (answer, request) => (isConditional(request) ? broken(answer, 400) : answer),
  'that breaks on conditions and on what comes again': (answer, request, times) =>
    isConditional(request) || times > 0 ? broken(answer, 500) : answer,
  'that answers every other request with nothing': (answer, request) => (partOf(request) === 0 ? withBody(answer, '{}') : answer),
  'that answers the other requests with nothing': (answer, request) => (partOf(request) === 0 ? answer : withBody(answer, '{}')),
  'whose records are empty now and then': (answer, request) => (partOf(request) === 0 ? answer : withBody(answer, emptied(answer))),
  'that answers a repeated request no more': (answer, _, times) => (times === 0 ? answer : broken(answer, 500)),
  'that is not ready now and then': (answer, request) => (partOf(request) === 0 ? answer : broken(answer, 503)),
  ...Object.fromEntries(
    [0, 1, 2].map((part): [string, Disturbance] => [
      `that lags behind by one request (${part + 1} of 3)`,
      (answer, request, _, before) => (before !== undefined && partOf(request, 3) === part ? { ...before, ...timesOf(answer) } : answer),
    ]),
  ),
  'whose records change with each reading': (answer, _, times) => withBody(answer, later(answer, times)),
  'whose records and tags change with each reading': (answer, _, times) => tagged(withBody(answer, later(answer, times)), times),
  'that is lost now and then': (answer, request) => (partOf(request) === 0 ? answer : lost(answer)),
};

/** Which half, or smaller part, of all requests a request belongs to, whatever key it carries. */
function partOf({ method, target }: HttpRequest, parts = 2): number {
  return (createHash('sha256').update(`${method} ${target}`).digest()[0] ?? 0) % parts;
}

function isConditional({ headers }: HttpRequest): boolean {
  return 'if-none-match' in headers;
}

function timesOf({ startedMs, endedMs }: Answer): Pick<Answer, 'startedMs' | 'endedMs'> {
  return { startedMs, endedMs };
}

function broken({ response, ...answer }: Answer, status: number): Answer {
  const body = JSON.stringify({ ok: false, error: { code: 'BROKEN', message: 'This is broken.', request_id: 'broken' } });
  return { ...answer, response: { ...response, status, body } };
}

function withBody({ response, ...answer }: Answer, body: string): Answer {
  return { ...answer, response: { ...response, body } };
}

/** Every member of a list without what was in it. */
function emptied({ response: { body } }: Answer): string {
  try {
    return JSON.stringify(JSON.parse(body), (_, value: unknown) => (Array.isArray(value) ? value.map(() => ({})) : value));
  } catch {
    // What is no JSON has no records.
    return body;
  }
}

/** The body with every moment of a change so many minutes later, whichever form it has. */
function later({ response: { body } }: Answer, minutes: number): string {
  return body.replaceAll(
    /("(?:changed|updated)_at":")(\d{4}-\d\d-\d\d[T ]\d\d:)(\d\d)/g,
    (_, field: string, hour: string, minute: string) => {
      const moved = String((Number(minute) + minutes) % 60);
      return `${field}${hour}${moved.padStart(2, '0')}`;
    },
  );
}

function tagged({ response, ...answer }: Answer, times: number): Answer {
  const { etag } = response.headers;
  return typeof etag === 'string' && times > 0
    ? { ...answer, response: { ...response, headers: { ...response.headers, etag: `"${times}${etag.slice(1)}` } } }
    : { ...answer, response };
}

function lost({ startedMs, endedMs }: Answer): Delivery {
  return { kind: 'failure', cause: 'broken', message: 'The connection ended early.', startedMs, endedMs };
}
