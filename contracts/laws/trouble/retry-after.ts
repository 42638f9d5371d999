/** The law about when to come back. */

import { responseFor } from '../../../core/operation.ts';
import { violationsOf } from '../../inspection.ts';
import type { Law } from '../../law.ts';
import { judgeTrouble } from '../../trouble.ts';

/** The law. */
export const retryAfter: Law = {
  id: 'trouble/retry-after',
  title: 'A 429 has its documented shape, and says when to come back',
  why: 'Without it clients guess, come back too early and keep a busy service busy.',
  strength: 'stated',
  clause: (operation) => {
    const response = responseFor(operation, 429);
    return response?.headers.find(({ name }) => name.toLowerCase() === 'retry-after')?.parameter.place;
  },
  examine: async (lab, operation) =>
    judgeTrouble(lab, operation, {
      status: 429,
      rival: { id: 'silent', title: 'a 429 did not say when to come back', missing: 'a 429' },
      expected: `a 429 of ${operation.id} is as its schema says, with when to come back in Retry-After`,
      untestable: 'a target that throttles this run',
      violations: (reply) => violationsOf(lab, reply),
    }),
};
