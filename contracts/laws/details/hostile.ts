/** The law about identifiers that mean it ill. */

import type { Parameter } from '../../../core/parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import { isRecordRead, listOf, type RecordRead } from '../../detail.ts';
import { drawHostile, type Hostile } from '../../explore.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { callByText, nameIn, textNames } from '../../named-read.ts';
import type { Reply } from '../../reply.ts';
import { spread } from '../../sample.ts';

/** The law. */
export const hostile: Law = {
  id: 'details/hostile',
  title: 'A hostile identifier finds nothing that it does not name, and breaks nothing',
  why: 'Whoever can make a server read an identifier as a pattern, a path or a program reads what is not meant for them.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) => (isRecordRead(operation, contract) ? textNames(operation)[0]?.place : undefined),
  examine: async (lab, operation) => {
    if (!isRecordRead(operation, lab.contract)) throw new TypeError(`${operation.id} reads no record of a list`);
    const made: Trial[] = [];
    for (const parameter of textNames(operation))
      for (const name of await namesFor(lab, operation, parameter))
        made.push({ parameter, name, reply: await lab.ask(callByText(operation, parameter, name.raw)) });
    return { rivals, judge: () => made.map((trial) => judgeTrial(lab, trial)) };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'found', title: 'a hostile identifier found a record that it does not name', missing: 'a listed record' },
  { id: 'broken', title: 'a hostile identifier led to a server error', missing: 'room in the budget' },
];

interface Trial {
  readonly parameter: Parameter;
  readonly name: Hostile;
  readonly reply: Reply;
}

/** How many are tried: all kinds in a path, which more programs read than its own, and else those that find most. */
const few = 3;
const all = 9;

async function namesFor(lab: Lab, operation: RecordRead, parameter: Parameter): Promise<readonly Hostile[]> {
  const universe = await lab.universe(listOf(lab, operation));
  const field = operation.resource.by.get(parameter.key) ?? '';
  const [record] = spread(universe, 1);
  const drawn = drawHostile(lab.seed, record === undefined ? 'name' : String(valueAt(record, field)));
  return drawn.slice(0, lab.quick || parameter.in !== 'path' ? few : all);
}

function judgeTrial(lab: Lab, { parameter, name, reply }: Trial): Finding {
  const { status } = reply.response;
  const found = nameIn(lab, parameter, reply);
  const isNamed = found !== null && found !== undefined && (found === name.text || found.toLowerCase() === name.text?.toLowerCase());
  if (status < 500 && (found === undefined || isNamed)) return { kind: 'agrees', refutes: ['found', 'broken'] };
  const shown = name.raw.length > 60 ? `${name.raw.slice(0, 40)}… (${name.raw.length} characters)` : name.raw;
  const rival = rivals[status >= 500 ? 1 : 0];
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${reply.call.operation.id} with ${parameter.name} ${shown}, which has ${name.kind}, finds nothing else and does not fail`,
    actual: `it is answered with ${status}${found === undefined ? '' : found === null ? ' and no record' : ` and ${parameter.name} ${found}`}`,
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}
