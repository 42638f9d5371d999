/** The law about the shape of failures. */

import { hasBody } from '../../failure.ts';
import type { Law } from '../../law.ts';
import { inspectPart } from '../../ordinary.ts';

/** The law. */
export const errorEnvelope: Law = {
  id: 'response/error-envelope',
  title: 'The body of a failure has the documented shape',
  why: 'Clients read from a failure what went wrong and what to quote to support; a failure of another shape tells them nothing.',
  strength: 'stated',
  clause: (operation) => [...operation.responses.values()].find(hasBody)?.place,
  examine: async (lab, operation) =>
    inspectPart(lab, operation, {
      concerns: ({ response }) => response.status >= 400 && response.status < 500,
      // A failure that is a page has neither the media type nor the shape.
      violations: ({ part, path }, { body }) =>
        (part === 'body' && path !== lab.contract.error?.code) || (part === 'content-type' && body === undefined),
      expected: `the body of a failure of ${operation.id} is as its schema says`,
      rival: { id: 'other-shape', title: 'failures had another shape', missing: 'a failure, such as other laws bring about' },
    }),
};
