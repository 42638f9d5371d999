/** Knows how a failure of the business API looks: one envelope for all, with the deviations that it can have. */

import { createHash } from 'node:crypto';
import { sentKey } from './keys.ts';
import type { Asked, Failure, Reply } from './reply.ts';
import type { Setup } from './setup.ts';

/** Makes the answers to failures. */
export function businessErrors(setup: Setup): (failure: Failure, asked: Asked) => Reply {
  return (failure, asked) => {
    const { status, headers } = failure;
    if (status === 503 && setup.faulty('not-ready-html')) {
      return { status, headers, text: { type: 'text/html', content: '<h1>Service Unavailable</h1>' } };
    }
    if (status === 401 && setup.faulty('bare-unauthorized')) return { status, headers, json: { message: failure.message } };
    return { status, headers, json: envelope(setup, failure, asked) };
  };
}

function envelope(setup: Setup, { status, code, message }: Failure, asked: Asked): unknown {
  const id = setup.faulty('request-id-constant') ? 'req_0' : requestId(setup.seed, asked.moment);
  const error = { code, message: `${message}${echoed(setup, status, asked)}`, request_id: id };
  if (status === 422 && setup.faulty('no-request-id')) return { ok: false, error: { code, message } };
  return { ok: status === 404 && setup.faulty('error-ok-true'), error };
}

function requestId(seed: number, moment: number): string {
  return `req_${createHash('sha256').update(`request ${seed} ${moment}`).digest('hex').slice(0, 20)}`;
}

function echoed(setup: Setup, status: number, asked: Asked): string {
  const key = sentKey(setup, asked);
  if (status !== 403 || key === undefined || !setup.faulty('key-echoed-encoded')) return '';
  return ` (${Buffer.from(key).toString('base64')})`;
}
