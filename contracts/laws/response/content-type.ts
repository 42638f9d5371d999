/** The law about media types. */

import type { Law } from '../../law.ts';
import { inspectPart } from '../../ordinary.ts';

/** The law. */
export const contentType: Law = {
  id: 'response/content-type',
  title: 'Every body has the documented media type',
  why: 'Clients and proxies choose how to read a body by its media type: JSON that is labelled as a page is not read at all.',
  strength: 'stated',
  clause: (operation) => ([...operation.responses.values()].some(({ content }) => content.size > 0) ? operation.place : undefined),
  examine: async (lab, operation) =>
    inspectPart(lab, operation, {
      // A 304 has no body; a 503 may come from what stands before the API, and has a law of its own.
      concerns: ({ response }) => response.status !== 304 && response.status < 500,
      violations: ({ part }) => part === 'content-type',
      expected: `an answer of ${operation.id} has the documented content type`,
      rival: { id: 'other-type', title: 'answers had another media type', missing: 'an answer with a body, such as other laws ask for' },
    }),
};
