/** The law that the moment of the last change tells of every change. */

import { disagreements } from '../agreement.ts';
import type { Candidate, Finding } from '../law.ts';
import { collectionPlace, filterPlace } from '../list-clause.ts';
import { checkpointOf } from '../universe.ts';
import { isList } from '../walk.ts';
import { compareVersions, type Film, type Frame, summaryOf, versionOf } from './film.ts';
import { somethingThatChanges, type WatchLaw } from './law.ts';

const unmarked: Candidate = {
  id: 'unmarked',
  title: 'the moment of the last change stayed as it was when the record changed',
  missing: somethingThatChanges,
};
const backwards: Candidate = { id: 'backwards', title: 'the moment of the last change could go back', missing: somethingThatChanges };

/** The law. */
export const changedAt: WatchLaw = {
  id: 'watch/changed-at',
  title: 'The moment of the last change goes forward with each change',
  why: 'A client asks for what changed since its checkpoint; a change that leaves the moment as it was, or sets it back, never reaches it.',
  strength: 'implied',
  clause: (operation) => {
    if (!isList(operation) || operation.collection.version === undefined) return undefined;
    const parameter = checkpointOf(operation);
    return parameter === undefined ? collectionPlace(operation) : filterPlace(operation, parameter);
  },
  judge: (film) => ({ rivals: [unmarked, backwards], judge: () => judgeFilm(film) }),
};

function judgeFilm(film: Film): readonly Finding[] {
  // What a list shows and what a single read shows are two series: one may be a moment behind the other.
  const series = [...film.listed.entries(), ...[...film.readings].map(([key, frames]) => [key, summariesOf(film, key, frames)] as const)];
  return series.flatMap(([, frames]) => frames.flatMap((later, index) => judgeStep(film, frames, later, index)));
}

/** Of a single read, only what lists show as well: they are what the moment is promised for. */
function summariesOf(film: Film, key: string, frames: readonly Frame[]): readonly Frame[] {
  const listed = film.replica.get(key)?.record;
  return listed === undefined ? [] : frames.map((frame) => ({ ...frame, record: summaryOf(frame.record, listed) }));
}

function judgeStep(film: Film, frames: readonly Frame[], later: Frame, index: number): readonly Finding[] {
  const earlier = frames[index - 1];
  if (earlier === undefined) return [];
  const [before, after] = [versionOf(film, earlier.record), versionOf(film, later.record)];
  const order = before === '' || after === '' ? 0 : compareVersions(after, before);
  if (order > 0) return [{ kind: 'agrees', refutes: [unmarked.id, backwards.id] }];
  const isRepeated = frames.slice(index + 1).some((again) => disagreements(again.record, later.record).length === 0);
  if (order < 0) return [isRepeated ? goesBack(earlier, later, before, after) : unsettled(later)];
  // Several changes may share a moment; a client that has not passed it is given the record again.
  const isPassed = earlier.checkpoint !== undefined && after !== '' && compareVersions(after, earlier.checkpoint) < 0;
  const [change] = disagreements(earlier.record, later.record);
  if (change === undefined || !isPassed) return [];
  return [isRepeated ? stays(earlier, later, change.at, after) : unsettled(later)];
}

function unsettled({ key }: Frame): Finding {
  return { kind: 'moved', what: `${key} changed, and was not seen again` };
}

function goesBack(earlier: Frame, later: Frame, before: string, after: string): Finding {
  return contradict(earlier, later, `that of ${later.key} went from ${before} back to ${after}`, backwards);
}

function stays(earlier: Frame, later: Frame, at: string, version: string): Finding {
  return contradict(earlier, later, `${at} of ${later.key} changed, and the moment is still ${version}, before the checkpoint`, unmarked);
}

function contradict(earlier: Frame, later: Frame, actual: string, rival: Candidate): Finding {
  return {
    kind: 'contradicts',
    replies: [earlier.reply, later.reply],
    expected: `the moment of the last change goes forward when a record of ${later.reply.call.operation.id} changes`,
    actual,
    records: [earlier.record, later.record],
    rival,
    witnesses: [later.key],
  };
}
