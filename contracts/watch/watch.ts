/** `watch`: a run at a low rate for what only time shows. */

import type { Contract } from '../../core/contract.ts';
import { UsageError } from '../../core/errors.ts';
import type { LawResult, RunEvent, RunResult } from '../../core/verdict.ts';
import { type Clock, systemClock, today } from '../clock.ts';
import { conclude, describeCut } from '../conclusion.ts';

import type { Keyring } from '../keyring.ts';
import { Lab } from '../lab.ts';
import { Blocked } from '../losses.ts';
import { conclude as judgeExamination, type Outcome, withoutEvidence } from '../outcome.ts';
import { matchesPattern } from '../pattern.ts';
import { findObstacle } from '../preflight.ts';
import { type RunSettings, toResult } from '../run.ts';
import { BudgetSpent, Session } from '../session.ts';
import { openTarget } from '../target.ts';
import { withoutCommonPath } from '../target-url.ts';
import { createPrinting, type VerifyOptions } from '../verify.ts';
import { begin, close, type Film, look, openFilms } from './film.ts';
import { isDoubtful, type WatchLaw, watchLaws } from './laws.ts';

/** What to watch, and for how long. */
export interface WatchOptions extends Omit<VerifyOptions, 'contract' | 'shard' | 'require' | 'again' | 'quick'> {
  readonly contract: Contract;
  /** How long to watch, in milliseconds. */
  readonly forMs: number;
}

/** Requests in a second unless said otherwise: 6 in a minute. */
const customaryRate = 0.1;

/** Room for the end, in requests for each list: twice all of it, and what changed around that. */
const closingRequests = 8;

/**
 * Watches a target.
 * @throws {UsageError} for an option that cannot be used.
 */
export async function watch(options: WatchOptions, tell: (event: RunEvent) => void = () => undefined): Promise<RunResult> {
  const { contract, forMs, clock = systemClock, rate = customaryRate } = options;
  const subjects = chooseSubjects(options);
  const gateway = Object.entries(options.headers ?? {});
  const headers = Object.fromEntries(gateway.map(([name, { value }]) => [name, value]));
  const target = openTarget({
    url: withoutCommonPath(options.target, contract.operations),
    timeoutMs: options.timeoutMs ?? 10_000,
    headers,
    environment: options.environment ?? {},
  });
  const budget = options.budget ?? Math.ceil((forMs / 1000) * rate) + 2 * closingRequests;
  const keys: Keyring = new Map(Object.entries(options.keys ?? {}));
  const interruption = watchInterruption(options.interrupted);
  const session = new Session({ target, keys, budget, rate, clock, tell, interrupted: interruption.promise });
  const printing = createPrinting(contract, keys, gateway, target.url, options.showPersonal === true);
  const settings: RunSettings = { contract, session, hidden: [], quick: true, seed: options.seed ?? 1, printing, tell };
  const startedMs = clock.nowMs();
  tell({ kind: 'started', target: target.url, budget, laws: subjects.length });
  try {
    const obstacle = await findObstacle(new Lab(settings));
    const films = openFilms(contract).filter(({ operation, read }) =>
      subjects.some((each) => each.operation === operation || each.operation === read),
    );
    const failure = obstacle === undefined ? await record(settings, films, { clock, startedMs, forMs, rate }) : undefined;
    const laws = obstacle === undefined ? subjects.map((subject) => judge(settings, subject, films, failure)) : [];
    const parts = { laws, ...(obstacle === undefined ? {} : { unavailable: printing.clean(obstacle) }) };
    const { notes, ...cut } = describeCut(settings, interruption.isInterrupted(), parts);
    const seen = { ...parts, ...cut };
    const result: RunResult = {
      contract: { name: contract.name, title: contract.title, version: contract.version },
      target: target.url,
      requests: session.requests,
      budget,
      durationMs: Math.round(clock.nowMs() - startedMs),
      seed: settings.seed,
      observations: [],
      ...seen,
      ...conclude({ ...seen, notes }, { waivers: options.waivers, today: options.today ?? today() }),
    };
    tell({ kind: 'finished', result });
    return result;
  } finally {
    await target.close();
  }
}

interface WatchSubject {
  readonly law: WatchLaw;
  readonly operation: Contract['operations'][number];
}

function chooseSubjects({ contract, only = [], skip = [] }: WatchOptions): readonly WatchSubject[] {
  const all = watchLaws.flatMap((law) =>
    contract.operations
      .filter((operation) => operation.method === 'GET' && law.clause(operation, contract) !== undefined)
      .map((operation) => ({ law, operation })),
  );
  const hits = (patterns: readonly string[], { law, operation }: WatchSubject): boolean =>
    patterns.some((pattern) => matchesPattern(pattern, law.id) || matchesPattern(pattern, operation.id));
  const chosen = all.filter((subject) => (only.length === 0 || hits(only, subject)) && !hits(skip, subject));
  if (chosen.length > 0) return chosen;
  throw new UsageError(
    `there is nothing to watch: ${all.length === 0 ? `no list of ${contract.name} tells when a record changed last` : 'the patterns leave nothing over'}`,
  );
}

interface Schedule {
  readonly clock: Clock;
  readonly startedMs: number;
  readonly forMs: number;
  readonly rate: number;
}

/** Looks until the time is over; what keeps it from going on ends it, and what was seen until then counts. */
async function record(
  settings: RunSettings,
  films: readonly Film[],
  { clock, startedMs, forMs, rate }: Schedule,
): Promise<Outcome | undefined> {
  const { session, contract, tell } = settings;
  const lastMs = startedMs + forMs - (closingRequests * films.length * 1000) / rate;
  const told = (): void =>
    tell({ kind: 'phase', title: 'watching', done: Math.min(100, Math.floor((100 * (clock.nowMs() - startedMs)) / forMs)), of: 100 });
  try {
    for (const film of films) await begin(session, film);
    do {
      told();
      for (const film of films) await look(session, contract, film);
    } while (clock.nowMs() < lastMs);
    for (const film of films) await close(session, film);
    for (const film of films.filter(isDoubtful)) await close(session, film);
    return undefined;
  } catch (error) {
    if (error instanceof Blocked) return withoutEvidence('blocked', error.message);
    if (error instanceof BudgetSpent) return withoutEvidence('not-exercised', error.message);
    throw error;
  }
}

function judge(settings: RunSettings, { law, operation }: WatchSubject, films: readonly Film[], failure: Outcome | undefined): LawResult {
  const film = films.find((each) => each.operation === operation || each.read === operation);
  const outcome =
    film === undefined ? withoutEvidence('not-exercised', 'Nothing was seen') : judgeExamination(law.judge(film, settings.contract));
  const isDecided = outcome.verdict === 'violated' || outcome.verdict === 'holds';
  return toResult(settings, { law, operation }, failure === undefined || isDecided ? outcome : failure);
}

function watchInterruption(interrupted: Promise<void> | undefined): {
  readonly promise: Promise<void>;
  readonly isInterrupted: () => boolean;
} {
  let isInterrupted = false;
  const promise = (interrupted ?? new Promise<void>(() => undefined)).then(() => {
    isInterrupted = true;
  });
  return { promise, isInterrupted: () => isInterrupted };
}
