/** The laws about a client that follows a list by its checkpoint: it ends with what the list shows. */

import { disagreements } from '../agreement.ts';
import type { Candidate, Contradiction, Finding } from '../law.ts';
import { filterPlace } from '../list-clause.ts';
import { checkpointOf } from '../universe.ts';
import { isList } from '../walk.ts';
import { type Closing, compareVersions, type Film, type Frame, framesOf, versionOf } from './film.ts';
import { somethingThatChanges, type WatchLaw } from './law.ts';

const loses: Candidate = {
  id: 'loses',
  title: 'a list from a checkpoint left out a record that had changed since',
  missing: somethingThatChanges,
};
const late: Candidate = {
  id: 'late',
  title: 'records could appear with a moment of change that had passed',
  missing: somethingThatChanges,
};

/** What a client lacks at the end: what the list showed, and what the client has of it. */
interface Gap {
  readonly shown: Frame;
  readonly had: Frame | undefined;
  readonly closing: Closing;
}

const clause: WatchLaw['clause'] = (operation) => {
  const parameter = isList(operation) ? checkpointOf(operation) : undefined;
  return isList(operation) && parameter !== undefined ? filterPlace(operation, parameter) : undefined;
};

/** The law. */
export const converges: WatchLaw = {
  id: 'watch/converges',
  title: 'A client that follows the checkpoint ends with what the list shows',
  why: 'This is what the procedure of synchronisation is for: whoever follows it has every record, each as it is.',
  strength: 'implied',
  clause,
  judge: (film) => ({ rivals: [loses], judge: () => judgeGaps(film, (gap) => !isPast(film, gap), loses, 'watch/late-arrivals') }),
};

/** The law. */
export const lateArrivals: WatchLaw = {
  id: 'watch/late-arrivals',
  title: 'No record appears behind a checkpoint that was read to its end',
  why: 'A client that has read everything up to a moment never asks for it again: what appears behind it is lost until everything is read anew.',
  strength: 'implied',
  clause,
  judge: (film) => ({ rivals: [late], judge: () => judgeLate(film) }),
};

/** One record may be moved into sight by hand; it takes two to say that the server works like this. */
const leastLate = 2;

function judgeLate(film: Film): readonly Finding[] {
  const findings = judgeGaps(film, (gap) => isPast(film, gap), late, 'watch/converges');
  const found = findings.filter((finding): finding is Contradiction => finding.kind === 'contradicts');
  if (found.length === 0 || found.length >= leastLate) return findings;
  return [{ kind: 'moved', what: `one record appeared behind the checkpoint: ${found[0]?.actual ?? ''}` }];
}

/** Whether what is lacking had its last change before the checkpoint, so that no further reading would have given it. */
function isPast(film: Film, { shown, closing }: Gap): boolean {
  return compareVersions(versionOf(film, shown.record), closing.checkpoint) < 0;
}

function judgeGaps(film: Film, isConcerned: (gap: Gap) => boolean, rival: Candidate, other: string): readonly Finding[] {
  const [first, second] = film.closings;
  if (first === undefined) return [];
  const gaps = listGaps(film, first);
  // What is lacking must be lacking when all is read once more.
  const again = second === undefined ? undefined : new Set(listGaps(film, second).map(({ shown }) => shown.key));
  if (gaps.length === 0) return film.changes > 0 && film.syncs > 1 ? [{ kind: 'agrees', refutes: [rival.id] }] : [];
  if (again === undefined) return [{ kind: 'moved', what: `${gaps.length} records differed, and were not read again` }];
  return gaps
    .filter(({ shown }) => again.has(shown.key))
    .map((gap): Finding => (isConcerned(gap) ? contradict(film, gap, rival) : { kind: 'obscured', by: other }));
}

/** Whether a first end found something that has to be looked at again. */
export function isDoubtful(film: Film): boolean {
  const [first] = film.closings;
  return first !== undefined && listGaps(film, first).length > 0;
}

/** The records that the list showed and that a client does not have so, although it read from its checkpoint afterwards. */
function listGaps(film: Film, closing: Closing): readonly Gap[] {
  return framesOf(film, closing.whole).flatMap((shown): readonly Gap[] => {
    const had = closing.replica.get(shown.key);
    const order = had === undefined ? -1 : compareVersions(versionOf(film, had.record), versionOf(film, shown.record));
    // A later version was given since: the record has moved on.
    if (order > 0) return [];
    return order === 0 && had !== undefined && disagreements(shown.record, had.record).length === 0 ? [] : [{ shown, had, closing }];
  });
}

function contradict(film: Film, { shown, had, closing }: Gap, rival: Candidate): Contradiction {
  const version = versionOf(film, shown.record);
  const has = had === undefined ? 'does not have it' : `has it as of ${versionOf(film, had.record)}`;
  const last = closing.sync.replies.at(-1);
  return {
    kind: 'contradicts',
    replies: last === undefined ? [shown.reply] : [shown.reply, last],
    expected: `a client that follows ${film.parameter ?? ''} of ${film.operation.id} has every record that the list shows`,
    actual: `${shown.key} changed at ${version}, and a client that had read up to ${closing.checkpoint} and then on ${has}`,
    records: [shown.record],
    rival,
    witnesses: [shown.key],
  };
}
