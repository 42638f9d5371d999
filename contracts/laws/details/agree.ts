/** The law that a record is the same in its list and by itself. */

import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import { createMask } from '../../../core/personal.ts';
import { valueAt } from '../../../core/pointer.ts';
import { disagreements, isDocumented } from '../../agreement.ts';
import { type Detail, detailsOf, isBehind, isRecordRead, listOf, type Reading, readSample } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { locate, resourcePlace } from '../../place.ts';
import { isSuccess } from '../../reply.ts';

import { type Sighting, Sightings } from '../../sightings.ts';
import type { ListOperation } from '../../walk.ts';
import { describeRecords, showValue } from '../../words.ts';

/** The law. */
export const agree: Law = {
  id: 'details/agree',
  title: 'A record has the same fields in its list and by itself',
  why: 'Clients fill a table from the list and a page from the single read; where they differ, one of the two is wrong.',
  strength: 'stated',
  clause: (operation, contract) => (isRecordRead(operation, contract) ? resourcePlace(operation, 'name') : undefined),
  examine: async (lab, operation) => {
    const list = listOf(lab, operation);
    const readings = await readSample(lab, operation);
    const ownRivals = list.collection.version === undefined ? [otherContent] : [otherContent, behind];
    return {
      rivals: ownRivals,
      judge: () => [...readings.flatMap((reading) => judgeReading(lab, list, reading)), ...judgeLateReads(lab, list, operation)],
    };
  },
};

const otherContent: Candidate = {
  id: 'other-content',
  title: 'the single read showed a record as it is not in the list',
  missing: 'a listed record that stays as it is while it is read',
};
const behind: Candidate = {
  id: 'behind',
  title: 'the single read stayed behind the list',
  missing: 'a record that changes during the run',
};

/** Records that changed in their list, read by themselves after that: one read may be a moment behind; two, of which one is the last, are not. */
function judgeLateReads(lab: Lab, list: ListOperation, operation: Operation): readonly Finding[] {
  const listed = new Sightings(list, 'full', lab.session.replies);
  const reads = detailsOf(lab, operation, lab.session.replies);
  return listed.keys.flatMap((key): readonly Finding[] => {
    const sightings = listed.of(key);
    const own = reads.filter((each) => each.key === key);
    const late = own.filter((each) => isBehind(list, each, sightings));
    const last = own.at(-1);
    if (last === undefined || new Set(sightings.map(({ content }) => content)).size === 1) return [];
    const before = sightings.filter((each) => each.reply.endedMs <= last.reply.startedMs);
    const newest = before.at(-1);
    if (!late.includes(last))
      return new Set(before.map(({ content }) => content)).size > 1 ? [{ kind: 'agrees', refutes: ['behind'] }] : [];
    return late.length < 2 || newest === undefined ? [] : [staysBehind(list, operation, last, newest)];
  });
}

function staysBehind(list: ListOperation, operation: Operation, last: Detail, newest: Sighting): Finding {
  const { version = '' } = list.collection;
  const [shown, listed] = [last, newest].map(({ record }) => showValue(valueAt(record, version) ?? null));
  return {
    kind: 'contradicts',
    replies: [newest.reply, last.reply],
    expected: `${operation.id} shows ${describeRecords(list, [last.key])} no older than ${list.id} did before`,
    actual: `it shows it as of ${shown}, and the list as of ${listed}`,
    records: [newest.record, last.record],
    rival: behind,
    witnesses: [last.key],
  };
}

function judgeReading(lab: Lab, list: ListOperation, { key, reply }: Reading): readonly Finding[] {
  const located = locate(lab.contract, reply);
  if (located === undefined) return [{ kind: 'obscured', by: isSuccess(reply) ? 'response/schema' : 'details/reachable' }];
  const stable = lab.sightings(list).stable(key, reply.startedMs, reply.endedMs);
  if (stable === undefined) return [{ kind: 'moved', what: `${describeRecords(list, [key])} did not stay as it was in ${list.id}` }];
  const all = disagreements(stable.before.record, located.record);
  const wrong = all.filter(({ at, right }) => right !== undefined && isDocumented(lab.contract, list, at));
  const lacking = all.filter(({ at, right }) => right === undefined && isDocumented(lab.contract, list, at));
  const [first] = [...wrong, ...lacking];
  if (first === undefined) return [{ kind: 'agrees', refutes: ['other-content'] }];
  const named = describeRecords(list, [key]);
  const mask = createMask(lab.contract);
  const listed = show(valueAt(mask.maskRecord(list, stable.before.record), first.at), first.left);
  const shown = show(valueAt(mask.maskRecord(reply.call.operation, located.record), first.at), first.right);
  return [
    {
      kind: 'contradicts',
      replies: [stable.before.reply, reply],
      expected: `${reply.call.operation.id} shows ${named} with ${first.at} ${listed}, as ${list.id} did before and after`,
      actual: `it shows ${shown} there`,
      records: [stable.before.record, located.record],
      rival: { id: 'other-content', title: `${first.at} were another in the single read than in the list` },
      witnesses: [key],
    },
  ];
}

/** A value as it may be told: people's data is hidden, and a value that is not there is nothing. */
function show(masked: Json | undefined, value: Json | undefined): string {
  return value === undefined || masked === undefined ? 'nothing' : showValue(masked);
}
