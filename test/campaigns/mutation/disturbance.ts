/** Servers that are not well: some of their requests, always the same ones, are answered by something else, so that laws meet answers that tell nothing. */

import type { Delivery } from '../../../contracts/target.ts';
import type { HttpRequest } from '../../../core/exchange.ts';
import { contentDisturbances } from './content.ts';
import { type Answer, type Disturbance, isConditional, partOf, type Seen, withBody, withoutCondition } from './disturb.ts';

/** Every disturbance by its name. */
export const disturbances: Readonly<Record<string, Disturbance>> = {
  'that breaks on every other request': (answer, request) => (partOf(request) === 0 ? broken(answer, 500) : answer),
  'that breaks on the other requests': (answer, request) => (partOf(request) === 0 ? answer : broken(answer, 500)),
  'that refuses every other request': (answer, request) => (partOf(request) === 0 ? broken(answer, 400) : answer),
  'that knows nothing of every other request': (answer, request) => (partOf(request) === 0 ? broken(answer, 404) : answer),
  'that refuses what it is asked for the first time': (answer, request, { times }) =>
    times === 0 && partOf(request, 3) === 0 ? broken(answer, 400) : answer,
  'that refuses a repeated request': (answer, request, { times }) => (times > 0 && partOf(request) === 0 ? broken(answer, 404) : answer),
  'that breaks on conditions': (answer, request) => (isConditional(request) ? broken(answer, 500) : answer),
  'that refuses conditions': (answer, request) => (isConditional(request) ? broken(answer, 400) : answer),
  'that breaks on conditions and on what comes again': (answer, request, { times }) =>
    isConditional(request) || times > 0 ? broken(answer, 500) : answer,
  'that knows nothing any more of what it was asked on a condition': (answer, _, { wasConditional }) =>
    wasConditional ? broken(answer, 404) : answer,
  'that answers every other request with nothing': (answer, request) => (partOf(request) === 0 ? withBody(answer, '{}') : answer),
  'that answers the other requests with nothing': (answer, request) => (partOf(request) === 0 ? answer : withBody(answer, '{}')),
  'that answers a repeated request no more': (answer, _, { times }) => (times === 0 ? answer : broken(answer, 500)),
  'that is not ready now and then': (answer, request) => (partOf(request) === 0 ? answer : broken(answer, 503)),
  'that throttles and does not say how long': (answer, request, { times }) =>
    times === 0 && partOf(request, 4) === 0 ? busy(answer) : answer,
  'that throttles for a while': (answer, request, { times }) =>
    times === 0 && partOf(request, 4) === 0 ? busy(answer, 'a while') : answer,
  ...Object.fromEntries(
    [0, 1, 2].map((part): [string, Disturbance] => [
      `that lags behind by one request (${part + 1} of 3)`,
      (answer, request, { before }) => (before !== undefined && partOf(request, 3) === part ? { ...before, ...timesOf(answer) } : answer),
    ]),
  ),
  'whose records change with each reading': async (answer, request, seen) => {
    const plain = await unconditional(answer, request, seen);
    return withBody(plain, later(plain, seen.readings));
  },
  'whose records and tags change with each reading': async (answer, request, seen) => {
    const plain = await unconditional(answer, request, seen);
    return tagged(withBody(plain, later(plain, seen.readings)), seen.readings);
  },
  'that is lost now and then': (answer, request) => (partOf(request) === 0 ? answer : lost(answer)),
  ...contentDisturbances,
};

/** The answer to a request without its condition. */
async function unconditional(answer: Answer, request: HttpRequest, { ask }: Seen): Promise<Answer> {
  const delivery = isConditional(request) ? await ask(withoutCondition(request)) : answer;
  return delivery.kind === 'answer' ? delivery : answer;
}

function timesOf({ startedMs, endedMs }: Answer): Pick<Answer, 'startedMs' | 'endedMs'> {
  return { startedMs, endedMs };
}

/** Too much was asked, with whatever is said of when to come back. */
function busy(answer: Answer, wait?: string): Answer {
  const { response, ...refused } = broken(answer, 429);
  const { 'retry-after': _, ...headers } = response.headers;
  return { ...refused, response: { ...response, headers: wait === undefined ? headers : { ...headers, 'retry-after': wait } } };
}

function broken({ response, ...answer }: Answer, status: number): Answer {
  const body = JSON.stringify({ ok: false, error: { code: 'BROKEN', message: 'This is broken.', request_id: 'broken' } });
  return { ...answer, response: { ...response, status, body } };
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
