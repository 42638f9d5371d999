/** The law about the codes of failures. */

import { responseFor } from '../../../core/operation.ts';
import { fixesCode } from '../../failure.ts';
import type { Law } from '../../law.ts';
import { inspectPart } from '../../ordinary.ts';

/** The law. */
export const errorCode: Law = {
  id: 'response/error-code',
  title: 'Each status has its documented error codes',
  why: 'Programs tell failures apart by their code: another code sends them down another path.',
  strength: 'stated',
  clause: (operation, contract) => [...operation.responses.values()].find((response) => fixesCode(contract, response))?.place,
  examine: async (lab, operation) =>
    inspectPart(lab, operation, {
      concerns: ({ response }) => {
        const rule = response.status < 500 ? responseFor(operation, response.status) : undefined;
        return rule !== undefined && fixesCode(lab.contract, rule);
      },
      violations: ({ part, path }) => part === 'body' && path === lab.contract.error?.code,
      expected: `the code of a failure of ${operation.id} is the one of its status`,
      rival: {
        id: 'other-code',
        title: 'failures had codes of their own',
        missing: 'a failure whose status has a code, such as other laws bring about',
      },
    }),
};
