/** The law about the carriers of a key. */

import type { Credential, Operation } from '../../../core/operation.ts';
import { isLookedAt, roomInQuickRun } from '../../guarded.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { differencesBetween, lastingDifferences } from '../../sameness.ts';
import { exampleCall, needsKey } from '../../sample.ts';

/** The law. */
export const carriers: Law = {
  id: 'keys/carriers',
  title: 'A key opens the same in each of its carriers',
  why: 'Clients choose the carrier that their tools can send; one that is read in another way makes the same key two keys.',
  strength: 'stated',
  clause: (operation) =>
    needsKey(operation) && carriersOf(operation).length > 1 ? operation.document.place(operation.value, 'security') : undefined,
  examine: async (lab, operation) => {
    const others = carriersOf(operation).slice(1);
    const isLooked = isLookedAt(lab, operation);
    const made: Compared[] = [];
    if (isLooked) for (const [index, name] of others.entries()) made.push(await compare(lab, operation, index + 1, name));
    const missing = isLooked ? 'a request that succeeds with the full key' : roomInQuickRun;
    const rivals = others.flatMap((name) => [ignored(name, missing), different(name, missing)]);
    return { rivals, judge: () => made.flatMap(judgeCompared) };
  },
};

interface Compared {
  readonly name: string;
  readonly first: readonly Reply[];
  readonly second: readonly Reply[];
}

/** The documented carriers; none when they ask for different scopes, since then they are not equivalent. */
function carriersOf({ security }: Operation): readonly string[] {
  const alternatives = security.filter((each) => each.length > 0);
  const scopes = new Set(alternatives.map((each) => JSON.stringify(each.flatMap((credential) => credential.scopes).toSorted())));
  return scopes.size > 1 ? [] : alternatives.map((each) => each.map(nameOf).join(' with '));
}

function nameOf({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `Authorization: ${carrier.word}` : `the ${carrier.in} ${carrier.name}`;
}

function ignored(name: string, missing: string): Candidate {
  return { id: `ignored:${name}`, title: `a key in ${name} were not read`, missing };
}

function different(name: string, missing: string): Candidate {
  return { id: `different:${name}`, title: `a key in ${name} were another key`, missing };
}

/** Asks by turns until both are known twice, unless they are answered alike at once. */
async function compare(lab: Lab, operation: Operation, carrier: number, name: string): Promise<Compared> {
  const call = await exampleCall(lab, operation);
  const [first, second] = [await lab.ask(call), await lab.ask({ ...call, carrier })];
  if (differencesOf(first, second).length === 0) return { name, first: [first], second: [second] };
  return { name, first: [first, await lab.again(call)], second: [second, await lab.again({ ...call, carrier })] };
}

const comparison = { headers: ['etag'] };

function differencesOf(first: Reply, second: Reply): readonly string[] {
  return differencesBetween(first, second, comparison);
}

function judgeCompared({ name, first: [one, oneAgain], second: [two, twoAgain] }: Compared): readonly Finding[] {
  if (one === undefined || two === undefined) return [];
  const agreement: Finding = {
    kind: 'agrees',
    refutes: [...(two.response.status === 401 ? [] : [`ignored:${name}`]), ...(isSuccess(two) ? [`different:${name}`] : [])],
  };
  if (oneAgain === undefined || twoAgain === undefined) return [agreement];
  const lasting = lastingDifferences([one, oneAgain], [two, twoAgain], comparison);
  const [difference] = lasting;
  if (difference === undefined) {
    const isRestless = differencesOf(one, oneAgain).includes('status') || differencesOf(two, twoAgain).includes('status');
    return [isRestless ? { kind: 'moved', what: `${one.call.operation.id} is answered differently each time` } : agreement];
  }
  return [
    {
      kind: 'contradicts',
      replies: [one, two],
      expected: `${one.call.operation.id} gives the same answer to a key in each of its carriers`,
      actual:
        difference === 'status'
          ? `with the key in ${name} it is answered with ${two.response.status}, and otherwise with ${one.response.status}`
          : `with the key in ${name} it differs in ${lasting.slice(0, 3).join(', ')}`,
      rival: two.response.status === 401 ? ignored(name, '') : different(name, ''),
      witnesses: [],
    },
  ];
}
