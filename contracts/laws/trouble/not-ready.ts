/** The law about a service that is not ready. */

import { responseFor } from '../../../core/operation.ts';
import { violationsOf } from '../../inspection.ts';
import type { Law } from '../../law.ts';
import { judgeTrouble } from '../../trouble.ts';

/** The law. */
export const notReady: Law = {
  id: 'trouble/not-ready',
  title: 'A 503 has its documented shape',
  why: 'A client that cannot read that the service is not ready takes it for broken, or for empty.',
  strength: 'stated',
  clause: (operation) => responseFor(operation, 503)?.place,
  examine: async (lab, operation) =>
    judgeTrouble(lab, operation, {
      status: 503,
      rival: { id: 'other-shape', title: 'a 503 had a shape of its own', missing: 'a 503' },
      expected: `a 503 of ${operation.id} is as its schema says`,
      untestable: 'a target that is not ready for a while',
      violations: (reply) => violationsOf(lab, reply),
    }),
};
