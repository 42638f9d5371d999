/** Runs of all laws, or of some, against the second server, with a clock on which nobody waits. */

import type { Clock } from '../../../contracts/clock.ts';
import { verify } from '../../../contracts/verify.ts';
import type { RunResult } from '../../../core/verdict.ts';
import { type SecondOptions, startSecondServer } from '../../second/server.ts';

/** How to judge. */
export interface Judging {
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly seed?: number;
}

/** Judges a second server, and refuses any key in the result. */
export async function judgeSecond(options: SecondOptions, { only = [], quick = false, seed = 1 }: Judging = {}): Promise<RunResult> {
  await using server = await startSecondServer(options);
  const { keys, hidden, url } = server;
  const named = Object.entries(keys).map(([role, value]) => {
    return [role, { variable: `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`, value }] as const;
  });
  const given = { keys: Object.fromEntries(named), hidden, only, quick, seed, clock: patientClock() };
  const result = await verify({ contract: options.api, target: url, ...given }).result;
  const text = JSON.stringify(result);
  const shown = named.filter(([, { value }]) => text.includes(value) || text.includes(Buffer.from(value).toString('base64').slice(2, -4)));
  if (shown.length > 0) throw new Error(`the result shows the keys ${shown.map(([role]) => role).join(', ')}`);
  return result;
}

/** A clock that goes on by itself as far as somebody wants to sleep. */
export function patientClock(): Clock {
  let slept = 0;
  return {
    nowMs: () => performance.now() + slept,
    sleep: async (milliseconds) => {
      slept += milliseconds;
    },
  };
}

/** What must not be there after a correct server was judged: a violation, or a verdict without a reason. */
export function alarms({ laws }: RunResult): readonly string[] {
  return laws
    .filter(({ verdict, message }) => verdict === 'violated' || (verdict !== 'holds' && /^$|: *$/.test(message)))
    .map(({ id, operation, verdict, message }) => `${id} at ${operation} ${verdict}: ${message}`);
}

/** The laws that a run finds violated. */
export function violated({ laws }: RunResult): readonly string[] {
  return [...new Set(laws.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id))];
}
