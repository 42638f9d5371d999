/** The law about two views of one thing. */

import type { Contract } from '../../../core/contract.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Caller } from '../../call.ts';
import { otherTenants } from '../../keyring.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { resourcePlace } from '../../place.ts';
import { documents } from '../../refusal.ts';
import { isSuccess, type Reply } from '../../reply.ts';

/** The law. */
export const views: Law = {
  id: 'details/views',
  title: 'Two views of one thing are there together and absent together',
  why: 'A client that asks the small view whether the large one is worth fetching must be able to trust the answer.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) => (otherView(operation, contract) === undefined ? undefined : resourcePlace(operation, 'view')),
  examine: async (lab, operation) => {
    const other = otherView(operation, lab.contract);
    const trials: Trial[] = [];
    // One caller that has the thing and one that has not are enough.
    const isOpen = (): boolean => !trials.some(({ thing }) => isSuccess(thing)) || trials.every(({ thing }) => isSuccess(thing));
    if (other !== undefined) for (const caller of callersOf(lab)) if (isOpen()) trials.push(await readBoth(lab, operation, other, caller));
    return { rivals, judge: () => trials.map(judgeTrial) };
  },
};

const rivals: readonly Candidate[] = [
  {
    id: 'only-this',
    title: 'this view were there although the thing itself is absent',
    missing: 'a key of a tenant that has no such thing (--key ROLE=VARIABLE)',
  },
  {
    id: 'only-other',
    title: 'this view were absent although the thing itself is there',
    missing: 'a key of a tenant that has such a thing',
  },
];

interface Trial {
  readonly caller: Caller;
  readonly view: Reply;
  readonly thing: Reply;
  /** The first of them, repeated when they differ. */
  readonly again: Reply;
}

/** The plain read of the thing that an operation gives another view of. */
function otherView({ resource }: Operation, contract: Contract): Operation | undefined {
  if (resource?.view === undefined || resource.by.size > 0) return undefined;
  return contract.operations.find(
    (each) => each.resource?.name === resource.name && each.resource.view === undefined && documents(each, 'absent'),
  );
}

/** Keys that work and may read everything of their tenant. */
function callersOf({ keys }: Lab): readonly Caller[] {
  // A second tenant with records most likely has the thing as well, so the others are asked first.
  return ['full', ...otherTenants(keys).toSorted((left, right) => Number(left === 'other') - Number(right === 'other'))];
}

async function readBoth(lab: Lab, operation: Operation, other: Operation, caller: Caller): Promise<Trial> {
  const as = caller === 'full' ? {} : { as: caller };
  const view = await lab.ask({ operation, ...as });
  const thing = await lab.ask({ operation: other, ...as });
  const isSame = view.response.status === thing.response.status;
  return { caller, view, thing, again: isSame ? view : await lab.again(view.call) };
}

function judgeTrial({ caller, view, thing, again }: Trial): Finding {
  const [first, second] = [view.response.status, thing.response.status];
  if (again.response.status !== first) return { kind: 'moved', what: `${view.call.operation.id} came or went` };
  const stray = [first, second].find((status) => status !== 404 && (status < 200 || status > 299));
  if (stray !== undefined) return { kind: 'obscured', by: stray === 403 || stray === 401 ? 'keys/scopes' : 'response/status' };
  if (isSuccess(view) === isSuccess(thing)) return { kind: 'agrees', refutes: [isSuccess(view) ? 'only-other' : 'only-this'] };
  const rival = rivals[isSuccess(view) ? 0 : 1];
  return {
    kind: 'contradicts',
    replies: [view, thing],
    expected: `${view.call.operation.id} and ${thing.call.operation.id} are both there or both absent for the key ${caller}`,
    actual: `they are answered with ${first} and ${second}`,
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}
