/**
 * A target that may be asked for trouble. A session waits when it is throttled or told that the service is not ready; a consumer that expects just that
 * must see it at once, so here such an answer passes for another while the session looks at it.
 */

import type { HttpResponse } from '../../../core/exchange.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../reply.ts';
import type { Session } from '../../session.ts';
import type { Target } from '../../target.ts';

/** A target beside the way to ask it for trouble. */
export interface TroubledTarget {
  readonly target: Target;
  /** Asks, and gives back what came, a 429 or a 503 with this status included. */
  readonly askExpecting: (session: Session, call: Call, status: number) => Promise<Reply>;
}

/** The header by which a request is known to expect trouble; it is taken off before anything is sent. */
const expectation = 'x-touchstone-expects';

/** Wraps a target. */
export function allowTrouble(target: Target): TroubledTarget {
  const hidden = new Map<string, HttpResponse>();
  let number = 0;
  const send: Target['send'] = async (request) => {
    const { [expectation]: expected, ...headers } = request.headers;
    const delivery = await target.send({ ...request, headers });
    if (typeof expected !== 'string' || delivery.kind !== 'answer') return delivery;
    const [status, key = ''] = expected.split(' ');
    if (String(delivery.response.status) !== status) return delivery;
    hidden.set(key, delivery.response);
    return { ...delivery, response: { ...delivery.response, status: 200 } };
  };
  const askExpecting: TroubledTarget['askExpecting'] = async (session, call, status) => {
    if (status !== 429 && status !== 503) return await session.ask(call);
    number += 1;
    const key = String(number);
    const reply = await session.ask({ ...call, headers: { ...call.headers, [expectation]: `${status} ${key}` } });
    const { [expectation]: _, ...headers } = reply.request.headers;
    return { ...reply, request: { ...reply.request, headers }, response: hidden.get(key) ?? reply.response };
  };
  return { target: { ...target, send }, askExpecting };
}
