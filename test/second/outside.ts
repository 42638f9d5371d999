/** Knows what lies outside the documented operations: other methods and unknown paths. */

import { type Asked, Failure, type Reply } from './reply.ts';
import type { Setup } from './setup.ts';

/** The answer to a request outside every operation; undefined for one that an operation answers. */
export function outside(setup: Setup, known: boolean, asked: Asked): Reply | undefined {
  if (!known) return refusal(setup, 404, {});
  if (asked.method === 'GET') return undefined;
  if (asked.method === 'HEAD') {
    const choice = setup.choice('head-method');
    return choice === 'as-get' ? undefined : refusal(setup, Number(choice), { allow: 'GET' });
  }
  return refusal(setup, Number(setup.choice('other-methods')), { allow: 'GET' });
}

function refusal(setup: Setup, status: number, headers: Readonly<Record<string, string>>): Reply {
  const choice = setup.choice('outside');
  if (choice === 'html') return { status, headers, text: { type: 'text/html; charset=utf-8', content: `<h1>${status}</h1>` } };
  if (choice === 'empty') return { status, headers };
  const usual = status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED';
  throw new Failure(status, choice === 'other-code' ? `HTTP_${status}` : usual, 'This is not part of the API', headers);
}
