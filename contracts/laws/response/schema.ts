/** The law about the shape of successes. */

import { schemaOfSuccess } from '../../../core/read-operation.ts';
import type { Law } from '../../law.ts';
import { inspectPart } from '../../ordinary.ts';
import { isSuccess } from '../../reply.ts';

/** The law. */
export const schema: Law = {
  id: 'response/schema',
  title: 'The body of a success is as its schema says',
  why: 'Clients are written against the schema: a field that is missing or of another type breaks them where nobody looks.',
  strength: 'stated',
  clause: (operation) => (schemaOfSuccess(operation.responses) === undefined ? undefined : operation.place),
  examine: async (lab, operation) =>
    inspectPart(lab, operation, {
      concerns: isSuccess,
      violations: ({ part }) => part === 'body',
      expected: `the body of a success of ${operation.id} is as its schema says`,
      rival: {
        id: 'other-shape',
        title: 'successes had another shape',
        missing: 'a success, of something that can be read and that other laws ask for',
      },
    }),
};
