/** The law about the headers of answers. */

import type { Operation } from '../../../core/operation.ts';
import { responseFor } from '../../../core/operation.ts';
import type { Law } from '../../law.ts';
import { inspectPart } from '../../ordinary.ts';

/** The law. */
export const headers: Law = {
  id: 'response/headers',
  title: 'Documented headers are there and well formed',
  why: 'A header that is missing or malformed is lost on the way, and whatever the client does with it silently stops working.',
  strength: 'stated',
  clause: (operation) => (placesOf(operation).length > 0 ? (placesOf(operation)[0] ?? operation.place) : undefined),
  examine: async (lab, operation) =>
    inspectPart(lab, operation, {
      concerns: ({ response }) => isConcerned(response.status) && (responseFor(operation, response.status)?.headers.length ?? 0) > 0,
      violations: ({ part }) => part === 'header',
      expected: `an answer of ${operation.id} has its documented headers`,
      rival: {
        id: 'other-headers',
        title: 'headers were left out or written in another way',
        missing: 'an answer for which the contract documents headers, such as other laws ask for',
      },
    }),
};

/** What an answer says about waiting is the business of the laws about trouble. */
function isConcerned(status: number): boolean {
  return status !== 429 && status !== 503;
}

function placesOf({ responses }: Operation): readonly Operation['place'][] {
  return [...responses.values()]
    .filter(({ status }) => isConcerned(Number(status)))
    .flatMap((response) => response.headers.map((header) => header.parameter.place));
}
