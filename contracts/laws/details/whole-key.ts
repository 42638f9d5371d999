/** The law that a piece of an identifier is no identifier. */

import type { Parameter } from '../../../core/parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import { isRecordRead, listOf, type RecordRead } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { callByText, encodeName, nameIn, textNames } from '../../named-read.ts';
import type { Reply } from '../../reply.ts';
import { spread } from '../../sample.ts';

/** The law. */
export const wholeKey: Law = {
  id: 'details/whole-key',
  title: 'Only the whole of an identifier names its record',
  why: 'An identifier that was cut off on its way must not lead to a record that merely begins like it.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) => (isRecordRead(operation, contract) ? textNames(operation)[0]?.place : undefined),
  examine: async (lab, operation) => {
    if (!isRecordRead(operation, lab.contract)) throw new TypeError(`${operation.id} reads no record of a list`);
    const made: { readonly trial: Trial; readonly reply: Reply }[] = [];
    for (const trial of await trialsFor(lab, operation))
      made.push({ trial, reply: await lab.ask(callByText(operation, trial.parameter, encodeName(trial.text))) });
    return { rivals, judge: () => made.flatMap(({ trial, reply }) => judgeTrial(lab, trial, reply)) };
  },
};

const rivals: readonly Candidate[] = [
  {
    id: 'beginning',
    title: 'the beginning of an identifier named its record',
    missing: 'a record whose identifier is longer than one letter',
  },
  { id: 'continued', title: 'an identifier with something after it named its record', missing: 'a record with a text that identifies it' },
];

interface Trial {
  readonly parameter: Parameter;
  readonly text: string;
  readonly whole: string;
  readonly rival: Candidate;
}

async function trialsFor(lab: Lab, operation: RecordRead): Promise<readonly Trial[]> {
  const universe = await lab.universe(listOf(lab, operation));
  return textNames(operation).flatMap((parameter): readonly Trial[] => {
    const field = operation.resource.by.get(parameter.key) ?? '';
    const names = new Set(universe.records.map((record) => String(valueAt(record, field))));
    const wholes = spread(universe, 1).map((record) => String(valueAt(record, field)));
    const trial = (whole: string, text: string, rival: Candidate | undefined): readonly Trial[] =>
      names.has(text) || text === '' || rival === undefined || !isPlain(text) ? [] : [{ parameter, whole, text, rival }];
    return wholes.flatMap((whole, index) => {
      const letters = [...whole];
      return index === 0
        ? [...trial(whole, letters.slice(0, -1).join(''), rivals[0]), ...(lab.quick ? [] : trial(whole, `${whole}x`, rivals[1]))]
        : trial(whole, letters.slice(0, Math.ceil(letters.length / 2)).join(''), rivals[0]);
    });
  });
}

/** A space at the end, or a dot alone, may be lost on the way without anybody's fault. */
function isPlain(text: string): boolean {
  return text === text.trim() && !/^\.+$/.test(text);
}

function judgeTrial(lab: Lab, { parameter, text, whole, rival }: Trial, reply: Reply): readonly Finding[] {
  const { operation } = reply.call;
  const name = nameIn(lab, parameter, reply);
  if (reply.response.status >= 500) return [{ kind: 'obscured', by: 'response/no-server-error' }];
  if (name === undefined) return [{ kind: 'agrees', refutes: [rival.id] }];
  if (name === null) return [{ kind: 'obscured', by: 'details/absent' }];
  // A record of exactly that name shows nothing; another case of it is open.
  if (name.toLowerCase() === text.toLowerCase()) return [];
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${operation.id} with ${parameter.name}=${text} does not find ${whole}`,
      actual: `it is answered with ${reply.response.status} and ${parameter.name} ${name}`,
      rival,
      witnesses: [],
    },
  ];
}
