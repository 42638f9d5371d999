/** Observes a server's answers to the open questions, after the requests that every run makes. */

import { systemClock } from '../../../contracts/system-clock.ts';
import { listChecks } from '../../../contracts/verify/choose-checks.ts';
import { takeEvenly } from '../../../contracts/verify/evidence/filter-values.ts';
import { Session } from '../../../contracts/verify/evidence/request-session.ts';
import { RoundContext } from '../../../contracts/verify/evidence/round-context.ts';
import { callForRecord } from '../../../contracts/verify/evidence/single-record-calls.ts';
import { observeOpenQuestions } from '../../../contracts/verify/observations/observe-open-questions.ts';
import { playRound } from '../../../contracts/verify/play-round.ts';
import { openTarget } from '../../../contracts/verify/target/open-target.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList } from '../../../core/openapi/list-operation.ts';
import type { Observation } from '../../../core/results/run-result.ts';

/** A server, its keys by role, and what it is known to hide. */
export interface Observed {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}

/** Observations, and the number of requests beyond those of the run. */
export interface Outcome {
  readonly observations: ReadonlyMap<string, Observation>;
  readonly requests: number;
}

/** Rules by which a run observes some questions: it has sent their requests before. */
const observedRules: readonly string[] = ['order/within', 'pages/beyond', 'pages/echo', 'pages/total'];

/** Reads all lists and a few records, plays the rules that observe, and observes. */
export async function observeServer(contract: Contract, { url, keys, hidden }: Observed, quick = false): Promise<Outcome> {
  const target = openTarget({ url, timeoutMs: 5000, headers: {}, environment: {} });
  const keyring = new Map(Object.entries(keys).map(([role, value]) => [role, { variable: role, value }]));
  const clock = { nowMs: systemClock.nowMs, sleep: async () => undefined };
  const session = new Session({
    target,
    keys: keyring,
    budget: 400,
    rate: undefined,
    clock,
    emit: () => undefined,
    interrupted: new Promise<void>(() => undefined),
  });
  const context = new RoundContext({ contract, session, hidden, quick, seed: 1 });
  try {
    await read(context);
    const checks = listChecks(contract).filter(({ rule }) => observedRules.includes(rule.id));
    await playRound(
      context,
      context,
      checks.map((check) => ({ ...check, suspects: [] })),
      'checking',
      () => undefined,
    );
    const before = session.requests;
    const observations = await observeOpenQuestions(context);
    return { observations: new Map(observations.map((each) => [each.id, each])), requests: session.requests - before };
  } finally {
    await target.close();
  }
}

/** Reads of every run: single resources, lists, and some records of each. */
async function read(context: RoundContext): Promise<void> {
  const { operations } = context.contract;
  for (const operation of operations.filter((each) => each.resource?.by.size === 0)) await context.ask({ operation });
  for (const list of operations.filter(isList)) {
    const detail = operations.find((each) => each.resource?.name === list.collection.name && each.resource.by.size > 0);
    const records = takeEvenly((await context.snapshot(list)).records, 4);
    const calls = detail === undefined ? [] : records.flatMap((record) => callForRecord(detail, record) ?? []);
    for (const call of calls) await context.ask(call);
  }
}
