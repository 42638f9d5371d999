/** The law that the same content keeps its tag. */

import { conditionalCalls, foreignTag, opaqueOf, readTagged, taggedSuccess, tagPlace, withTag } from '../../conditional.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import type { Reply } from '../../reply.ts';

const perAnswer: Candidate = {
  id: 'per-answer',
  title: 'each answer had a tag of its own',
  missing: `${taggedSuccess}, and the same again`,
};

/** The law. */
export const stable: Law = {
  id: 'conditional/stable',
  title: 'The same content keeps its tag',
  why: 'A tag that changes by itself makes clients download again what they have.',
  strength: 'implied',
  clause: tagPlace,
  examine: async (lab, operation) => {
    const readings: Reply[] = [];
    for (const call of await conditionalCalls(lab, operation, 1)) {
      // A tag that is not current asks for the content as no tag does, and another law sends it anyway.
      readings.push(await lab.ask(call), await lab.ask(withTag(call, foreignTag)));
      // What changed between two readings may stay as it is until a third.
      if (readings[0]?.response.body !== readings[1]?.response.body) readings.push(await lab.again(call));
    }
    return { rivals: [perAnswer], judge: () => judgeReadings(readings) };
  },
};

function judgeReadings(readings: readonly Reply[]): readonly Finding[] {
  const tagged = readings.flatMap((reply) => {
    const tag = readTagged(reply);
    return tag === undefined ? [] : [{ reply, tag }];
  });
  const pairs = tagged.slice(1).map((second, index) => ({ first: tagged[index] ?? second, second }));
  const same = pairs.filter(({ first, second }) => first.reply.response.body === second.reply.response.body);
  const [pair] = pairs;
  if (same.length === 0)
    return pair === undefined ? [] : [{ kind: 'moved', what: `${pair.first.reply.call.operation.id} is different each time it is read` }];
  return same.map(({ first, second }): Finding => {
    if (opaqueOf(first.tag) === opaqueOf(second.tag)) return { kind: 'agrees', refutes: [perAnswer.id] };
    return {
      kind: 'contradicts',
      replies: [first.reply, second.reply],
      expected: `${first.reply.call.operation.id} has the same tag for the same content`,
      actual: `two readings of the same body have the tags ${first.tag} and ${second.tag}`,
      rival: perAnswer,
      witnesses: [],
    };
  });
}
