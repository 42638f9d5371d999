/** The law that different contents have different tags. */

import type { Operation } from '../../../core/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { opaqueOf, readTagged, tagPlace } from '../../conditional.ts';
import { sampleOf } from '../../detail.ts';
import { roomInQuickRun } from '../../guarded.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { locate } from '../../place.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { callForRecord } from '../../sample.ts';
import type { ListOperation } from '../../walk.ts';

const constant: Candidate = { id: 'constant', title: 'all records had one tag', missing: 'two records that changed at different moments' };
const version: Candidate = {
  id: 'version',
  title: 'the tag were made of the moment of the last change alone',
  missing: 'two records that changed at the same moment',
};

/** The law. */
export const perContent: Law = {
  id: 'conditional/per-content',
  title: 'Different contents have different tags',
  why: 'When two contents share a tag, a client that holds the one is told that it has the other.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) =>
    (operation.resource?.by.size ?? 0) > 0 && contract.collections.some(({ name }) => name === operation.resource?.name)
      ? tagPlace(operation)
      : undefined,
  examine: async (lab, operation) => {
    const list = lab.listOf(operation);
    if (list !== undefined) for (const record of await recordsFor(lab, list, operation)) await readRecord(lab, operation, record);
    return { rivals: rivalsOf(lab, list), judge: () => judgeAll(lab, operation, list) };
  },
};

function rivalsOf({ quick }: Lab, list: ListOperation | undefined): readonly Candidate[] {
  if (list?.collection.version === undefined) return [{ ...constant, missing: 'two records' }];
  return [constant, { ...version, missing: quick ? roomInQuickRun : version.missing }];
}

/** Records that differ as much as the list allows, which other laws read as well, and two that changed at the same moment, where there are such. */
async function recordsFor(lab: Lab, list: ListOperation, operation: Operation): Promise<readonly Entry[]> {
  const universe = await lab.universe(list);
  const pointer = list.collection.version;
  return [
    ...new Set([
      ...sampleOf(lab, universe, operation).slice(0, 3),
      ...(pointer === undefined || lab.quick ? [] : firstTie(universe.records, pointer)),
    ]),
  ];
}

/** The first two records that have the same value at a pointer. */
function firstTie(records: readonly Entry[], pointer: string): readonly Entry[] {
  const seen = new Map<string, Entry>();
  for (const record of records) {
    const value = JSON.stringify(valueAt(record, pointer));
    const earlier = seen.get(value);
    if (earlier !== undefined) return [earlier, record];
    seen.set(value, record);
  }
  return [];
}

async function readRecord(lab: Lab, operation: Operation, record: Entry): Promise<void> {
  const call = callForRecord(operation, record);
  if (call !== undefined) await lab.ask(call);
}

/** A success, its tag, and the record that it shows. */
interface Tagged {
  readonly reply: Reply;
  readonly tag: string;
  readonly record: Entry;
  readonly identity: string;
}

function judgeAll(lab: Lab, operation: Operation, list: ListOperation | undefined): readonly Finding[] {
  const fields = [...(operation.resource?.by.values() ?? [])];
  const tagged = lab.replies.flatMap((reply): readonly Tagged[] => {
    const isConcerned = reply.call.operation.id === operation.id && (reply.call.as ?? 'full') === 'full' && isSuccess(reply);
    const tag = isConcerned ? readTagged(reply) : undefined;
    const record = tag === undefined ? undefined : locate(lab.contract, reply)?.record;
    if (tag === undefined || record === undefined) return [];
    return [{ reply, tag: opaqueOf(tag), record, identity: JSON.stringify(fields.map((field) => valueAt(record, field))) }];
  });
  const distinct = [...new Map(tagged.map((each) => [each.identity, each])).values()];
  const pairs = distinct.slice(1).flatMap((each, index) => distinct.slice(0, index + 1).map((other) => toPair(list, other, each)));
  const isConstant = pairs.some(({ one, other, isTied }) => !isTied && one.tag === other.tag);
  return pairs.map((pair) => judgePair(pair, isConstant ? constant : version));
}

/** Two records; tied when they changed at the same moment. */
interface Pair {
  readonly one: Tagged;
  readonly other: Tagged;
  readonly isTied: boolean;
}

function toPair(list: ListOperation | undefined, one: Tagged, other: Tagged): Pair {
  const pointer = list?.collection.version;
  const isTied = pointer !== undefined && JSON.stringify(valueAt(one.record, pointer)) === JSON.stringify(valueAt(other.record, pointer));
  return { one, other, isTied };
}

function judgePair({ one, other, isTied }: Pair, rival: Candidate): Finding {
  if (one.tag !== other.tag) return { kind: 'agrees', refutes: isTied ? [constant.id, version.id] : [constant.id] };
  return {
    kind: 'contradicts',
    replies: [one.reply, other.reply],
    expected: `two records of ${one.reply.call.operation.id} have different tags`,
    actual: `both have the tag ${one.tag}`,
    records: [one.record, other.record],
    rival,
    witnesses: [one.identity, other.identity],
  };
}
