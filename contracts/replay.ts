/** Sends the counterexamples of an earlier run again, and lets the laws judge whether they still stand. */

import type { Contract } from '../core/contract.ts';
import type { Replay, ReplayedExchange, ReplayedLaw } from '../core/replay.ts';
import type { LawResult, RunResult } from '../core/verdict.ts';
import type { Call } from './call.ts';
import { systemClock } from './clock.ts';
import { type Printing, printExchange } from './counterexample.ts';
import { toEarlierCall } from './earlier-call.ts';
import type { Keyring } from './keyring.ts';
import { Blocked } from './losses.ts';
import { BudgetSpent, Session } from './session.ts';
import { openTarget } from './target.ts';
import { createPrinting, type VerifyOptions, verify } from './verify.ts';

/** What to send again. */
export interface ReplayOptions
  extends Omit<VerifyOptions, 'contract' | 'only' | 'skip' | 'again' | 'shard' | 'require' | 'waivers' | 'baseline'> {
  readonly contract: Contract;
  /** The violations of an earlier run. */
  readonly laws: readonly LawResult[];
}

/** How often one request may be repeated while the target asks to come back later. */
const attemptsEach = 4;

/** Laws that judge whatever was asked: that they hold says nothing of a request that is answered with another kind of answer now. */
const aboutAnything: ReadonlySet<string> = new Set(['response', 'conditional']);

/**
 * Replays counterexamples. Each request is sent as it was, to show the answers side by side; whether the counterexample stands is what its law says,
 * which looks at the operation anew and at those requests.
 * @throws {UsageError} for an option that cannot be used.
 */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { contract, laws, target: _, ...rest } = options;
  const keys: Keyring = new Map(Object.entries(options.keys ?? {}));
  const earlier = laws.map((law) =>
    (law.counterexample?.exchanges ?? []).map((exchange) => ({ exchange, ...toEarlierCall(contract, keys, exchange.request) })),
  );
  const resent = await sendAgain(options, keys, earlier);
  const calls = earlier.flat().flatMap((each) => ('call' in each ? [each.call] : []));
  const known = contract.operations.map(({ id }) => id);
  const named = new Set(laws.map(({ operation }) => operation));
  const only = [...new Set(laws.map(({ id }) => id))];
  const skip = known.filter((id) => !named.has(id));
  const result = await verify({ ...rest, contract, target: options.target, only, skip, again: calls }).result;
  const replayed = laws.map((law, index) => judge(law, resent[index] ?? [], result));
  return {
    target: result.target,
    exitCode: exitCodeOf(replayed, result),
    laws: replayed,
    ...(result.unavailable === undefined ? {} : { unavailable: result.unavailable }),
  };
}

type Earlier = { readonly exchange: ReplayedExchange['before'] } & ReturnType<typeof toEarlierCall>;

/** The same requests, one after the other, and what they are answered with now. */
async function sendAgain(
  options: ReplayOptions,
  keys: Keyring,
  earlier: readonly (readonly Earlier[])[],
): Promise<readonly (readonly ReplayedExchange[])[]> {
  const { contract, environment = {}, timeoutMs = 10_000, clock = systemClock } = options;
  const gateway = Object.entries(options.headers ?? {});
  const headers = Object.fromEntries(gateway.map(([name, { value }]) => [name, value]));
  const target = openTarget({ url: options.target, timeoutMs, headers, environment });
  const budget = attemptsEach * earlier.flat().length;
  const rate = options.rate ?? (target.isLocal ? undefined : 2);
  const interrupted = options.interrupted ?? new Promise<void>(() => undefined);
  const session = new Session({ target, keys, budget, rate, clock, tell: () => undefined, interrupted });
  const printing = createPrinting(contract, keys, gateway, target.url, options.showPersonal === true);
  try {
    const all: (readonly ReplayedExchange[])[] = [];
    for (const exchanges of earlier) {
      const now: ReplayedExchange[] = [];
      for (const each of exchanges) now.push({ before: each.exchange, ...(await sendOne(session, printing, each)) });
      all.push(now);
    }
    return all;
  } finally {
    await target.close();
  }
}

async function sendOne(session: Session, printing: Printing, each: Earlier): Promise<Omit<ReplayedExchange, 'before'>> {
  if ('reason' in each) return { reason: each.reason };
  try {
    return { now: printExchange(printing, await session.ask(each.call satisfies Call)) };
  } catch (error) {
    if (error instanceof Blocked || error instanceof BudgetSpent) return { reason: printing.clean(error.message) };
    throw error;
  }
}

function judge(before: LawResult, exchanges: readonly ReplayedExchange[], { laws, unavailable }: RunResult): ReplayedLaw {
  const now = laws.find(({ id, operation }) => id === before.id && operation === before.operation);
  if (now === undefined) return { before, verdict: 'unknown', message: unavailable ?? 'The law was not judged', exchanges };
  const common = { before, now, exchanges };
  if (now.verdict === 'violated') return { ...common, verdict: 'stands', message: describeSame(before, now) };
  if (now.verdict !== 'holds') return { ...common, verdict: 'unknown', message: `It cannot be told (${now.verdict}): ${now.message}` };
  const moved = aboutAnything.has(before.id.split('/')[0] ?? '')
    ? exchanges.map(describeMove).find((each) => each !== undefined)
    : undefined;
  if (moved !== undefined) return { ...common, verdict: 'unknown', message: `It cannot be told, since the data moved: ${moved}` };
  return { ...common, verdict: 'gone', message: 'The law holds now' };
}

/** Whether it is the same contradiction, or another one of the same law. */
function describeSame(before: LawResult, now: LawResult): string {
  const isSame = before.message === now.message || (before.diagnosis !== undefined && before.diagnosis === now.diagnosis);
  return isSame ? 'The same contradiction was seen again' : `The law is contradicted still, in another way: ${now.message}`;
}

/** What was answered with a success and is not now, or could not be asked. */
function describeMove({ before, now, reason }: ReplayedExchange): string | undefined {
  const { method, target } = before.request;
  if (now === undefined) return `${method} ${target} was not sent again, ${reason ?? 'for no reason that is known'}`;
  const { status } = now.response;
  const isLost = before.response.status < 400 && status >= 400 && status < 500;
  return isLost ? `${method} ${target} is answered with ${status} now, and was with ${before.response.status}` : undefined;
}

function exitCodeOf(laws: readonly ReplayedLaw[], { cutShort }: RunResult): Replay['exitCode'] {
  if (laws.some(({ verdict }) => verdict === 'stands')) return 1;
  if (cutShort === 'interrupted') return 130;
  return laws.some(({ verdict }) => verdict === 'unknown') ? 3 : 0;
}
