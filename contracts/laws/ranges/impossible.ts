/** The law about bounds that are no values at all. */

import type { Contract } from '../../../core/contract.ts';
import type { Operation } from '../../../core/operation.ts';
import { boundsOf } from '../../bounds.ts';
import type { Law } from '../../law.ts';
import { refusedTexts } from '../../mistakes.ts';
import { type Attempt, documents, examineRefusals } from '../../refusal.ts';
import { isList, requireList } from '../../walk.ts';

/** The law. */
export const impossible: Law = {
  id: 'ranges/impossible',
  title: 'A bound that is no value of its kind is refused',
  why: 'The thirtieth of February that is ignored gives the whole list, and one that is rolled over gives the wrong days.',
  strength: 'stated',
  clause: (operation, contract) => {
    const [attempt] = documents(operation, 'invalid') ? attemptsFor(contract, operation) : [];
    return attempt === undefined ? undefined : (attempt.clause ?? operation.place);
  },
  examine: async (lab, operation) => {
    const attempts = attemptsFor(lab.contract, requireList(operation));
    return examineRefusals(lab, operation, 'invalid', lab.quick ? attempts.slice(1, 2) : attempts);
  },
};

function attemptsFor(contract: Contract, operation: Operation): readonly Attempt[] {
  if (!isList(operation)) return [];
  return boundsOf(contract, operation).flatMap(({ parameter }) => refusedTexts(contract, operation, parameter, ['malformed']));
}
