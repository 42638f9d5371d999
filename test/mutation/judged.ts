/** Worlds judged: live, once, to write down their exchanges, and then from what was written down. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Clock } from '../../contracts/clock.ts';
import { openTarget, type Target } from '../../contracts/target.ts';
import { verify } from '../../contracts/verify.ts';
import type { RunResult } from '../../core/verdict.ts';
import { type Recording, recordTarget, replayTarget } from './recording.ts';
import type { World } from './worlds.ts';

/** What a run concluded, without its words. */
export type Summary = readonly unknown[];

/** What is written down of a world. */
export interface Saved {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
  readonly recording: Recording;
  readonly summary: Summary;
}

/** What was written down of a world, which is done now if it was not before. */
export async function recall(folder: string, world: World): Promise<Saved> {
  const file = join(folder, `${world.name.replaceAll(/[^a-z0-9]+/gi, '-')}.json.gz`);
  if (existsSync(file)) return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Saved;
  await using server = await world.start();
  const { url, keys, hidden } = server;
  const recorders: ReturnType<typeof recordTarget>[] = [];
  const live = await judge(world, { url, keys, hidden }, (options) => {
    const recorder = recordTarget(openTarget(options));
    recorders.push(recorder);
    return recorder;
  });
  const recording = recorders[0]?.recording() ?? {};
  const saved = { url, keys, hidden, recording };
  const summary = await judgeAgain(world, saved);
  if (JSON.stringify(summary) !== JSON.stringify(summarise(live)))
    throw new Error(`${world.name} is not judged the same from what was written down`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, gzipSync(JSON.stringify({ ...saved, summary })));
  return { ...saved, summary };
}

/** Judges a world from what was written down of it. */
export async function judgeAgain(world: World, saved: Omit<Saved, 'summary'>): Promise<Summary> {
  return summarise(await judge(world, saved, () => replayTarget(saved.url, saved.recording)));
}

async function judge(
  { contract, only }: World,
  { url, keys, hidden }: Pick<Saved, 'url' | 'keys' | 'hidden'>,
  connect: (options: Parameters<typeof openTarget>[0]) => Target,
): Promise<RunResult> {
  const named = Object.entries(keys).map(([role, value]) => [
    role,
    { variable: `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`, value },
  ]);
  const given = { keys: Object.fromEntries(named), hidden, only, clock: stillClock(), today: '2026-01-01' };
  return verify({ contract, target: url, connect, ...given }).result;
}

function summarise({ laws, requests }: RunResult): Summary {
  const verdicts = laws.map(({ id, operation, verdict, instances, refuted, open, diagnosis, counterexample }) => [
    ...[id, operation, verdict, instances, refuted.map((rival) => rival.id), open.map((rival) => rival.id)],
    ...[diagnosis ?? null, counterexample?.exchanges.map(({ request, response }) => [request.target, response.status]) ?? null],
  ]);
  return [requests, ...verdicts];
}

/** A clock that only goes on while somebody sleeps. */
function stillClock(): Clock {
  let now = 0;
  return {
    nowMs: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}
