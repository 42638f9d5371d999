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
  slow: true,
  clause: (operation) =>
    needsKey(operation) && carriersOf(operation).length > 1 ? operation.document.place(operation.value, 'security') : undefined,
  examine: async (lab, operation) => {
    const [name = '', ...others] = carriersOf(operation);
    const isLooked = isLookedAt(lab, operation);
    const made: Compared[] = [];
    if (isLooked) for (const [index, other] of others.entries()) made.push(await compare(lab, operation, name, index + 1, other));
    const missing = isLooked ? 'a request that succeeds with the full key' : roomInQuickRun;
    const rivals = [ignored(name, missing), ...others.flatMap((other) => [ignored(other, missing), different(other, missing)])];
    return { rivals, judge: () => made.flatMap(judgeCompared) };
  },
};

interface Compared {
  /** The carrier that is documented first, and the one that it is compared with. */
  readonly names: readonly [string, string];
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
async function compare(lab: Lab, operation: Operation, name: string, carrier: number, other: string): Promise<Compared> {
  const example = await exampleCall(lab, operation);
  const [one, two] = [
    { ...example, carrier: 0 },
    { ...example, carrier },
  ];
  const names = [name, other] as const;
  const [first, second] = [await lab.ask(one), await lab.ask(two)];
  if (differencesOf(first, second).length === 0) return { names, first: [first], second: [second] };
  return { names, first: [first, await lab.again(one)], second: [second, await lab.again(two)] };
}

const comparison = { headers: ['etag'] };

function differencesOf(first: Reply, second: Reply): readonly string[] {
  return differencesBetween(first, second, comparison);
}

function judgeCompared({ names: [usual, name], first: [one, oneAgain], second: [two, twoAgain] }: Compared): readonly Finding[] {
  if (one === undefined || two === undefined) return [];
  const isRead = (reply: Reply): boolean => reply.response.status !== 401;
  const agreement: Finding = {
    kind: 'agrees',
    refutes: [
      ...(isRead(one) ? [`ignored:${usual}`] : []),
      ...(isRead(two) ? [`ignored:${name}`] : []),
      ...(isSuccess(two) ? [`different:${name}`] : []),
    ],
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
      rival: isRead(two) ? (isRead(one) ? different(name, '') : ignored(usual, '')) : ignored(name, ''),
      witnesses: [],
    },
  ];
}
