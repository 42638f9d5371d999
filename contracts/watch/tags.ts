/** The law that a tag goes with the content. */

import { disagreements } from '../agreement.ts';
import { tagPlace } from '../conditional.ts';
import { isRecordRead } from '../detail.ts';
import type { Candidate, Finding } from '../law.ts';
import type { TaggedFrame } from './film.ts';
import { somethingThatChanges, type WatchLaw } from './law.ts';

const frozen: Candidate = { id: 'frozen', title: 'the tag stayed as it was when the content changed', missing: somethingThatChanges };

/** The law. */
export const tags: WatchLaw = {
  id: 'watch/tags',
  title: 'When a record changes, its tag changes',
  why: 'A client that asks whether its copy is still current is told that it is, and shows what was true yesterday.',
  strength: 'stated',
  clause: (operation, contract) => (isRecordRead(operation, contract) ? tagPlace(operation) : undefined),
  judge: (film) => ({ rivals: [frozen], judge: () => [...film.readings.values()].flatMap(judgeRecord) }),
};

/** Pairs of different contents. That two share a tag counts when the later content was read with it more than once. */
function judgeRecord(frames: readonly TaggedFrame[]): readonly Finding[] {
  return frames.flatMap((later, index): readonly Finding[] => {
    const earlier = frames[index - 1];
    if (earlier?.tag === undefined || later.tag === undefined || !differ(earlier, later)) return [];
    if (earlier.tag !== later.tag) return [{ kind: 'agrees', refutes: [frozen.id] }];
    const isRepeated = frames.slice(index + 1).some((again) => again.tag === later.tag && !differ(again, later));
    return [isRepeated ? contradict(earlier, later, later.tag) : { kind: 'moved', what: `${later.key} changed, and was not read again` }];
  });
}

function contradict(earlier: TaggedFrame, later: TaggedFrame, tag: string): Finding {
  return {
    kind: 'contradicts',
    replies: [earlier.reply, later.reply],
    expected: `${later.reply.call.operation.id} has another tag when the record has changed`,
    actual: `two contents of ${later.key} have the tag ${tag}`,
    records: [earlier.record, later.record],
    rival: frozen,
    witnesses: [later.key],
  };
}

function differ(left: TaggedFrame, right: TaggedFrame): boolean {
  return disagreements(left.record, right.record).length > 0 || disagreements(right.record, left.record).length > 0;
}
