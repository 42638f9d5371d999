/** The law about checkpoints that are no moments. */

import type { Contract } from '../../../core/contract.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Law } from '../../law.ts';
import { refusedTexts } from '../../mistakes.ts';
import { type Attempt, documents, examineRefusals } from '../../refusal.ts';
import { checkpointOf } from '../../universe.ts';
import { isList } from '../../walk.ts';

/** The law. */
export const malformed: Law = {
  id: 'sync/malformed',
  title: 'A checkpoint that is no moment is refused',
  why: 'A checkpoint that is ignored gives everything, and one that is misread loses what changed; the client must hear of its mistake.',
  strength: 'stated',
  clause: (operation, contract) => {
    const [attempt] = documents(operation, 'invalid') ? attemptsFor(contract, operation) : [];
    return attempt?.clause;
  },
  examine: async (lab, operation) => {
    const attempts = attemptsFor(lab.contract, operation);
    return examineRefusals(lab, operation, 'invalid', lab.quick ? attempts.slice(0, 1) : attempts);
  },
};

function attemptsFor(contract: Contract, operation: Operation): readonly Attempt[] {
  const parameter = isList(operation) ? checkpointOf(operation) : undefined;
  return parameter === undefined ? [] : refusedTexts(contract, operation, parameter, ['malformed']);
}
