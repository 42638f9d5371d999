/** The law that a list keeps its order from one reading to the next. */

import type { Candidate, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { isNumbered, isPage, keysIn, type NumberedOperation, numbered, smallSample } from '../../numbered.ts';
import type { Reply } from '../../reply.ts';
import { describeValues } from '../../words.ts';

/** The law. */
export const order: Law = {
  id: 'pages/order',
  title: 'A list that did not change has the same order at each reading',
  why: 'Counted pages of a list that is shuffled between two requests show some records twice and others never.',
  strength: 'implied',
  clause: (operation) => (isNumbered(operation) ? collectionPlace(operation, 'order') : undefined),
  examine: async (lab, operation) => {
    const list = numbered(operation);
    const { reply, values } = await smallSample(lab, list);
    // Two readings follow each other at once: an order that alternates looks the same whenever an even number of answers lies between.
    const readings = [reply, await lab.again(reply.call), await lab.again(reply.call)];
    // One change of the order may be a change of the data; that it comes and goes is none.
    if (changesIn(readings).length === 1) readings.push(await lab.again(reply.call));
    return { rivals, judge: () => judge(list, describeValues(values), readings) };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'shuffled', title: 'the order changed from one reading to the next', missing: 'two records on one page' },
];

function textOf(reply: Reply | undefined): string {
  return reply === undefined ? '' : keysIn(reply).join();
}

function setOf(reply: Reply | undefined): string {
  return reply === undefined ? '' : keysIn(reply).toSorted().join();
}

/** The neighbouring readings that differ in their order. */
function changesIn(readings: readonly Reply[]): readonly (readonly [Reply, Reply])[] {
  return readings.flatMap((reply, index) => {
    const before = readings[index - 1];
    return before === undefined || textOf(before) === textOf(reply) ? [] : [[before, reply] as const];
  });
}

function judge(operation: NumberedOperation, what: string, readings: readonly Reply[]): readonly Finding[] {
  const [first] = readings;
  if (!readings.every(isPage)) return [{ kind: 'obscured', by: 'response/status' }];
  if (first === undefined || readings.length < 2 || keysIn(first).length < 2) return [];
  const [change, ...more] = changesIn(readings);
  if (change === undefined) return [{ kind: 'agrees', refutes: ['shuffled'] }];
  const isOneSet = readings.every((reply) => setOf(reply) === setOf(first));
  if (!isOneSet || more.length === 0) return [{ kind: 'moved', what: `the records of ${operation.id} or their order changed` }];
  return [
    {
      kind: 'contradicts',
      replies: change,
      expected: `${operation.id} with ${what} gives the same records in the same order each time`,
      actual: 'it gives them in another order, and then in another one again',
      rival: { id: 'shuffled', title: 'the order changed from one reading to the next' },
      witnesses: [],
    },
  ];
}
