/** Watches lists at a low rate: reads what changed since the checkpoint, as a client does, and a few records by themselves. */

import type { Contract } from '../../core/contract.ts';
import { isConditional, readTagged } from '../conditional.ts';
import { isRecordRead } from '../detail.ts';
import { locate } from '../place.ts';
import { callForRecord } from '../sample.ts';
import type { Session } from '../session.ts';
import { checkpointOf, largestPage } from '../universe.ts';
import { isList, type Values, type Walk, walkList } from '../walk.ts';
import { compareVersions, type Film, type Frame, framesOf, versionOf } from './film.ts';

/** How many pages one reading of a list may have. */
const mostPages = 8;

/** How many records of a list are read by themselves in each round. */
const watched = 3;

/** The lists of a contract that tell when a record changed last. */
export function openFilms(contract: Contract): readonly Film[] {
  return contract.operations
    .filter((operation) => operation.method === 'GET')
    .filter(isList)
    .filter(({ collection }) => collection.version !== undefined)
    .map((operation) => ({
      operation,
      read: contract.operations
        .filter((each) => isRecordRead(each, contract) && each.resource?.name === operation.collection.name)
        .toSorted((left, right) => Number(isConditional(right)) - Number(isConditional(left)))
        .find((each) => isRecordRead(each, contract)),
      parameter: checkpointOf(operation),
      listed: new Map(),
      readings: new Map(),
      replica: new Map(),
      checkpoint: undefined,
      floor: undefined,
      syncs: 0,
      changes: 0,
      closings: [],
    }));
}

/** Reads a list for the first time. Of one that is too long, only what changes from now on is followed. */
export async function begin(session: Session, film: Film): Promise<void> {
  const walk = await readList(session, film, {});
  keep(film, walk, true);
  film.checkpoint = latestOf(film, [...film.replica.values()]);
  if (walk.end !== 'complete') film.floor = film.checkpoint;
}

/** One look: what changed since the checkpoint, and the records that changed last by themselves. */
export async function look(session: Session, contract: Contract, film: Film): Promise<void> {
  await follow(session, film);
  const latest = [...film.replica.values()].toSorted((left, right) =>
    compareVersions(versionOf(film, right.record), versionOf(film, left.record)),
  );
  // The one that changed last may be the only one ever; what was read before is looked at again first.
  const known = latest.filter(({ key }) => film.readings.has(key)).slice(0, watched - 1);
  const chosen = [...new Set([...known, ...latest])].slice(0, watched);
  for (const frame of chosen) await readOne(session, contract, film, frame);
}

/** The end: the list read whole between two readings from the checkpoint. */
export async function close(session: Session, film: Film): Promise<void> {
  if (film.parameter === undefined || film.checkpoint === undefined) {
    keep(film, await readList(session, film, {}), false);
    return;
  }
  const before = await follow(session, film);
  const { checkpoint } = film;
  const whole = await readList(session, film, film.floor === undefined ? {} : { [film.parameter]: film.floor });
  for (const frame of framesOf(film, whole)) note(film.listed, frame);
  const sync = await follow(session, film);
  if ([before, whole, sync].some(({ end }) => end !== 'complete')) return;
  film.closings.push({ checkpoint, whole, sync, replica: new Map(film.replica) });
}

/** Reads from the checkpoint to the end; only then does the checkpoint move. */
async function follow(session: Session, film: Film): Promise<Walk> {
  const isCut = film.parameter !== undefined && film.checkpoint !== undefined;
  const walk = await readList(session, film, isCut ? { [film.parameter ?? '']: film.checkpoint ?? '' } : {});
  keep(film, walk, false);
  if (walk.end !== 'complete') return walk;
  film.syncs += 1;
  film.checkpoint = latestOf(film, [...film.replica.values()]);
  return walk;
}

async function readOne(session: Session, contract: Contract, film: Film, { key, record, checkpoint }: Frame): Promise<void> {
  const call = film.read === undefined ? undefined : callForRecord(film.read, record);
  if (call === undefined) return;
  const reply = await session.ask(call);
  const found = locate(contract, reply)?.record;
  if (found !== undefined)
    note(film.readings, { key, record: found, reply, checkpoint: film.checkpoint ?? checkpoint, tag: readTagged(reply) });
}

function readList(session: Session, film: Film, values: Values): Promise<Walk> {
  const { operation } = film;
  return walkList((call) => session.ask(call), { operation, values, limit: largestPage(operation), most: mostPages });
}

function keep(film: Film, walk: Walk, isFirst: boolean): void {
  for (const frame of framesOf(film, walk)) {
    const known = film.replica.get(frame.key);
    const isLater = known === undefined || compareVersions(versionOf(film, frame.record), versionOf(film, known.record)) > 0;
    if (!isFirst && isLater) film.changes += 1;
    film.replica.set(frame.key, frame);
    note(film.listed, frame);
  }
}

function note<T extends Frame>(seen: Map<string, T[]>, frame: T): void {
  const frames = seen.get(frame.key) ?? [];
  frames.push(frame);
  seen.set(frame.key, frames);
}

function latestOf(film: Film, frames: readonly Frame[]): string | undefined {
  const versions = frames.map(({ record }) => versionOf(film, record)).filter((version) => version !== '');
  return versions.reduce<string | undefined>(
    (latest, version) => (latest === undefined || compareVersions(version, latest) > 0 ? version : latest),
    film.checkpoint,
  );
}
