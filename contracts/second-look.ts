/** A second look at the end of a round: records that changed while it went on are read by themselves once more. */

import type { Operation } from '../core/operation.ts';
import { valueAt } from '../core/pointer.ts';
import type { Call } from './call.ts';
import { isRecordRead, listOf } from './detail.ts';
import type { Lab } from './lab.ts';
import { locate } from './place.ts';
import { isSuccess, type Reply } from './reply.ts';
import type { Sighting } from './sightings.ts';
import { keyOf, type ListOperation } from './walk.ts';
import { compareVersions } from './watch/film.ts';

/** How many records each operation reads once more. */
const most = 2;

/** Reads records again that changed in their list after they were read by themselves; where such a read is behind the list, a second time. */
export async function readChangedAgain(lab: Lab): Promise<void> {
  for (const operation of lab.contract.operations.filter((each) => isRecordRead(each, lab.contract))) {
    const list = listOf(lab, operation);
    const last = new Map(detailsOf(lab, operation).map((detail) => [detail.key, detail]));
    const outdated = [...last.values()].filter((detail) => isOlder(list, detail, lab.sightings(list).of(detail.key)));
    for (const { key, reply } of outdated.slice(0, most)) await readAgain(lab, list, key, reply.call);
  }
}

async function readAgain(lab: Lab, list: ListOperation, key: string, call: Call): Promise<void> {
  const detail = toDetail(lab, list, await lab.again(call));
  if (detail !== undefined && isBehind(list, detail, lab.sightings(list).of(key))) await lab.again(call);
}

/** A record as an operation showed it by itself. */
export interface Detail {
  readonly key: string;
  readonly record: Sighting['record'];
  readonly reply: Reply;
}

/** Every record that an operation showed by itself to the caller with the full key. */
export function detailsOf(lab: Lab, operation: Operation, replies: readonly Reply[] = lab.replies): readonly Detail[] {
  const list = listOf(lab, operation);
  const own = replies.filter(({ call }) => call.operation.id === operation.id && (call.as ?? 'full') === 'full' && call.raw === undefined);
  return own.flatMap((reply) => toDetail(lab, list, reply) ?? []);
}

function toDetail(lab: Lab, list: ListOperation, reply: Reply): Detail | undefined {
  const record = isSuccess(reply) ? locate(lab.contract, reply)?.record : undefined;
  return record === undefined ? undefined : { key: keyOf(list, record), record, reply };
}

/** Whether a record by itself is an old copy: as its list showed it once, before it showed it newer. A moment that its list never showed may be a change that went back in time. */
export function isBehind(list: ListOperation, detail: Detail, sightings: readonly Sighting[]): boolean {
  const before = sightings.filter((each) => each.reply.endedMs <= detail.reply.startedMs);
  const own = versionOf(list, detail);
  return isOlder(list, detail, before) && before.some((each) => versionOf(list, each) === own);
}

function isOlder(list: ListOperation, detail: Detail, sightings: readonly Sighting[]): boolean {
  const [own, listed] = [versionOf(list, detail), versionOf(list, sightings.at(-1))];
  return typeof own === 'string' && typeof listed === 'string' && compareVersions(own, listed) < 0;
}

const versionOf = ({ collection }: ListOperation, shown: Pick<Sighting, 'record'> | undefined): unknown =>
  valueAt(shown?.record, collection.version ?? '');
