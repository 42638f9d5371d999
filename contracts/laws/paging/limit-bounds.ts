/** The law about the smallest and the largest page. */

import type { Contract } from '../../../core/contract.ts';
import type { Call } from '../../call.ts';
import type { Lab } from '../../lab.ts';
import type { Examination, Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { refusedTexts } from '../../mistakes.ts';
import { type Attempt, documents, examineRefusals, examineSuccesses } from '../../refusal.ts';
import { isCursorList, type ListOperation, limitRange, requireList } from '../../walk.ts';

/** The law. */
export const limitBounds: Law = {
  id: 'paging/limit-bounds',
  title: 'Limits inside the bounds are accepted, and those outside are refused',
  why: 'A limit that is quietly made smaller ends a client that stops at the first short page; one that is not bounded brings the service down.',
  strength: 'stated',
  clause: (operation, contract) => {
    if (!isCursorList(operation) || !documents(operation, 'invalid')) return undefined;
    const list = requireList(operation);
    return outside(contract, list).length === 0 ? undefined : parameterPlace(operation, list.collection.page.limit);
  },
  examine: async (lab, operation) => both(lab, requireList(operation)),
};

async function both(lab: Lab, list: ListOperation): Promise<Examination> {
  const { limit } = list.collection.page;
  const { least, most } = limitRange(list);
  const legal = [least, most]
    .filter((value) => value !== undefined)
    .map((value) => ({ call: known(lab, list, value) ?? { operation: list, values: { [limit]: value } }, what: `${limit}=${value}` }));
  const attempts = outside(lab.contract, list);
  const accepted = await examineSuccesses(lab, list, lab.quick ? legal.slice(1) : legal);
  const refused = await examineRefusals(lab, list, 'invalid', lab.quick ? attempts.slice(0, 1) : attempts);
  return { rivals: [...refused.rivals, ...accepted.rivals], judge: () => [...refused.judge(), ...accepted.judge()] };
}

/** A request with this limit that was made anyway. */
function known({ replies }: Lab, { id, collection }: ListOperation, value: number): Call | undefined {
  return replies.find(({ call }) => call.operation.id === id && call.values?.[collection.page.limit] === value)?.call;
}

function outside(contract: Contract, list: ListOperation): readonly Attempt[] {
  const { limit } = list.collection.page;
  return refusedTexts(contract, list, limit, ['out-of-range', 'malformed']);
}
