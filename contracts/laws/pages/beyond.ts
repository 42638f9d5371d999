/** The law about pages past the end. */

import { statusOf } from '../../../core/operation.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Contradiction, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { isNumbered, isPage, keysIn, numbered, pageCall, type Sample, smallSample } from '../../numbered.ts';
import { isOpen } from '../../openness.ts';
import { documents } from '../../refusal.ts';
import type { Reply } from '../../reply.ts';
import { count, describeRecords } from '../../words.ts';

/** The law. */
export const beyond: Law = {
  id: 'pages/beyond',
  title: 'A page past the end has nothing that is not the end',
  why: 'A client that reads until nothing comes never stops, or reads the list again and again.',
  strength: 'implied',
  clause: (operation) => {
    if (!isNumbered(operation)) return undefined;
    return collectionPlace(operation, 'page');
  },
  examine: async (lab, operation) => {
    const sample = await smallSample(lab, numbered(operation));
    const size = Math.ceil(sample.keys.length / 2);
    if (!sample.isWhole || sample.keys.length < 2) return { rivals, judge: () => [] };
    const pages = Math.ceil(sample.keys.length / size);
    const replies: Reply[] = [];
    for (const index of lab.quick ? [pages] : [pages, pages + 1000])
      replies.push(await lab.ask(pageCall(sample.operation, sample.values, size, index)));
    const isPlain = replies.every((reply) => isPage(reply) && keysIn(reply).length === 0);
    const again = isPlain ? sample.keys : keysIn(await lab.again(sample.reply.call));
    return { rivals, judge: () => replies.map((reply) => judgeReply(lab, sample, size, reply, again)) };
  },
};

const missing = 'a part of the list that is known whole, with at least two records';
const rivals: readonly Candidate[] = [
  { id: 'begins-again', title: 'the list began again after its end', missing },
  { id: 'server-error', title: 'a page past the end led to a server error', missing },
  { id: 'other-records', title: 'a page past the end had records from elsewhere', missing },
];

/** What the contract says of such a page: one answer, or any of them where it leaves that open. */
function allowed(lab: Lab, { operation }: Sample): readonly string[] {
  const { page } = operation.collection;
  const stated = page.style === 'page' && !isOpen(lab.contract, operation, 'x-collection/page/beyond') ? page.beyond : undefined;
  return stated === undefined ? ['empty', 'absent', 'invalid', 'last'] : [stated];
}

function judgeReply(lab: Lab, sample: Sample, size: number, reply: Reply, again: readonly string[]): Finding {
  const given = keysIn(reply);
  const isMoved = sample.keys.join() !== again.join();
  if (given.length > 0 && isMoved) return { kind: 'moved', what: `${sample.operation.id} changed` };
  const wrong = given.length > 0 ? judgeRecords(lab, sample, size, given) : judgeNothing(lab, sample, reply);
  return wrong === undefined
    ? { kind: 'agrees', refutes: rivals.map(({ id }) => id) }
    : contradict(sample, reply, wrong.actual, wrong.rival);
}

interface Wrong {
  readonly actual: string;
  readonly rival?: Candidate | undefined;
}

/** What is wrong with an answer without records. */
function judgeNothing(lab: Lab, sample: Sample, reply: Reply): Wrong | undefined {
  const { status } = reply.response;
  const legal = allowed(lab, sample);
  const instead = `instead of ${wantedOf(sample, legal)}`;
  if (status >= 500) return { actual: `it is answered with ${status}`, rival: rivals[1] };
  if (isPage(reply)) return legal.includes('empty') ? undefined : { actual: `it is empty ${instead}` };
  if (status < 400) return { actual: `it is answered with ${status} and no list` };
  const kind = status === 404 ? 'absent' : 'invalid';
  return legal.includes(kind) || !documents(sample.operation, kind) ? undefined : { actual: `it is answered with ${status} ${instead}` };
}

/** Only the last page may come again. */
function judgeRecords(lab: Lab, sample: Sample, size: number, given: readonly string[]): Wrong | undefined {
  const { operation, keys } = sample;
  const last = keys.slice(Math.floor((keys.length - 1) / size) * size);
  if (given.join() === last.join() && allowed(lab, sample).includes('last')) return undefined;
  return {
    actual: `it has ${count(given.length, 'record')}: ${describeRecords(operation, given)}`,
    rival: rivals[given[0] === keys[0] ? 0 : 2],
  };
}

function wantedOf({ operation }: Sample, legal: readonly string[]): string {
  const names = { empty: 'an empty page', absent: '404', invalid: String(statusOf(operation, 'invalid')), last: 'the last page' };
  return legal.map((each) => names[each as keyof typeof names]).join(' or ');
}

function contradict(sample: Sample, reply: Reply, actual: string, rival: Candidate | undefined): Contradiction {
  return {
    kind: 'contradicts',
    replies: [sample.reply, reply],
    expected: `a page of ${sample.operation.id} past the end of ${count(sample.keys.length, 'record')} is empty, refused, or the last page again`,
    actual,
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}
