/** `verify`: judges any server by a contract, over HTTP, with requests that only read. */

import { type Contract, loadContract, readContract } from '../core/contract.ts';
import { nearest, UsageError } from '../core/errors.ts';
import { createMask } from '../core/personal.ts';
import { createRedactor } from '../core/redaction.ts';
import { contractFile, listShipped } from '../core/shipped.ts';
import type { RunEvent, RunResult, Verdict } from '../core/verdict.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Printing } from './counterexample.ts';
import { variantSecrets } from './key-variant.ts';
import type { Keyring } from './keyring.ts';
import { secretsOf } from './keyring.ts';
import { Lab } from './lab.ts';
import { laws } from './laws/catalogue.ts';
import { observe } from './observe.ts';
import { findObstacle } from './preflight.ts';
import type { Subject } from './round.ts';
import { playRun, type RunSettings } from './run.ts';
import { Session } from './session.ts';
import { openTarget } from './target.ts';

/** What to verify. Only the contract and the target are needed. */
export interface VerifyOptions {
  /** A contract of this package by its name, a file, or a contract that is loaded already. */
  readonly contract: string | Contract;
  /** The address of the target; it may have a path prefix. */
  readonly target: string;
  /** Keys by role (`full`, `other`, `no-menu`, `expired`, `without:SCOPE`): the value, and the variable that outputs name in its place. */
  readonly keys?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** Keys of records that are known to be hidden from the caller. */
  readonly hidden?: readonly string[];
  /** Patterns with `*` for law ids or operation ids; only what matches one is judged. */
  readonly only?: readonly string[];
  /** Patterns for what is left out. */
  readonly skip?: readonly string[];
  /** Chooses what is chosen at random; 1 unless said otherwise. The same seed asks the same of the same data. */
  readonly seed?: number;
  /** The most requests that are sent. */
  readonly budget?: number;
  /** Requests in a second; 2 for a target that is not on this machine, and as fast as it answers for one that is. */
  readonly rate?: number;
  /** How long one answer may take, in milliseconds; 10,000 unless said otherwise. */
  readonly timeoutMs?: number;
  /** Whether few requests matter more than much evidence. */
  readonly quick?: boolean;
  /** What a gateway in front of the target wants on every request: by header name, the value and the variable that outputs name. */
  readonly headers?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** Whether results show personal fields. */
  readonly showPersonal?: boolean;
  /** Where the proxy settings come from: HTTP_PROXY, HTTPS_PROXY, NO_PROXY. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Resolves when the user asks to stop: what was judged until then is reported. */
  readonly interrupted?: Promise<void>;
  readonly clock?: Clock;
}

/** A run under way: its events as they come, and its result. */
export interface Verification extends AsyncIterable<RunEvent> {
  readonly result: Promise<RunResult>;
}

/** The most requests of a run unless said otherwise. */
export const budgets = { full: 600, quick: 200 } as const;

/** What is kept of it for looking again at what was contradicted. */
const keptShare = 0.35;

/**
 * Verifies a target. The run begins at once; its events may be read or not.
 * @throws {UsageError} through `result`, for an option that cannot be used.
 * @throws {SpecError} through `result`, for a mistake in the contract file.
 */
export function verify(options: VerifyOptions): Verification {
  const events = new EventQueue();
  const result = runVerification(options, (event) => events.push(event)).finally(() => events.end());
  // Whoever only reads events must not bring the process down; whoever awaits the result gets the error all the same.
  result.catch(() => undefined);
  return { result, [Symbol.asyncIterator]: () => events.read() };
}

async function runVerification(options: VerifyOptions, tell: (event: RunEvent) => void): Promise<RunResult> {
  const contract = typeof options.contract === 'string' ? await openContract(options.contract) : options.contract;
  const subjects = chooseSubjects(contract, options);
  const clock = options.clock ?? systemClock;
  const gateway = Object.entries(options.headers ?? {});
  const target = openTarget({
    url: options.target,
    timeoutMs: options.timeoutMs ?? 10_000,
    headers: Object.fromEntries(gateway.map(([name, { value }]) => [name, value])),
    environment: options.environment ?? {},
  });
  const quick = options.quick === true;
  const budget = options.budget ?? (quick ? budgets.quick : budgets.full);
  let isInterrupted = false;
  // A run that nobody can interrupt goes on to its end.
  const interrupted = (options.interrupted ?? new Promise<void>(() => undefined)).then(() => {
    isInterrupted = true;
  });
  const keys: Keyring = new Map(Object.entries(options.keys ?? {}));
  const rate = options.rate ?? (target.isLocal ? undefined : 2);
  const session = new Session({ target, keys, budget, rate, clock, tell, interrupted });
  const settings: RunSettings = {
    contract,
    session,
    hidden: options.hidden ?? [],
    quick,
    seed: options.seed ?? 1,
    printing: createPrinting(contract, keys, gateway, target.url, options.showPersonal === true),
    tell,
  };
  const startedMs = clock.nowMs();
  tell({ kind: 'started', target: target.url, budget, laws: subjects.length });
  try {
    const parts = await judge(settings, subjects);
    const verdict = gravestOf(parts, isInterrupted, session.isSpent);
    const result: RunResult = {
      ...verdict,
      contract: { name: contract.name, title: contract.title, version: contract.version },
      target: target.url,
      requests: session.requests,
      budget,
      durationMs: Math.round(clock.nowMs() - startedMs),
      seed: settings.seed,
      ...parts,
    };
    tell({ kind: 'finished', result });
    return result;
  } finally {
    await target.close();
  }
}

/** The contracts of the package are known to be good, since its tests load them; any other is checked. */
function openContract(name: string): Promise<Contract> {
  const file = contractFile(name);
  return listShipped().includes(name) ? readContract(file) : loadContract(file);
}

type Parts = Pick<RunResult, 'laws' | 'observations'> & { readonly unavailable?: string };

async function judge(settings: RunSettings, subjects: readonly Subject[]): Promise<Parts> {
  const lab = new Lab(settings);
  const unavailable = await findObstacle(lab);
  if (unavailable !== undefined) return { unavailable: settings.printing.clean(unavailable), laws: [], observations: [] };
  settings.session.reserve(Math.floor(settings.session.left * keptShare));
  const { results, first } = await playRun(settings, lab, subjects);
  return { laws: results, observations: await observe(first.lab) };
}

function gravestOf(
  { laws: results, unavailable }: Parts,
  isInterrupted: boolean,
  isSpent: boolean,
): Pick<RunResult, 'verdict' | 'exitCode'> {
  const has = (verdict: Verdict): boolean => results.some((result) => result.verdict === verdict);
  if (has('violated')) return { verdict: 'violated', exitCode: 1 };
  if (isInterrupted) return { verdict: 'inconclusive', exitCode: 130 };
  if (unavailable !== undefined || results.some((result) => result.verdict === 'blocked' && result.strength === 'stated'))
    return { verdict: 'blocked', exitCode: 3 };
  // What was not looked at for want of requests is no evidence of anything.
  return has('holds') && !isSpent ? { verdict: 'holds', exitCode: 0 } : { verdict: 'not-exercised', exitCode: 4 };
}

function createPrinting(
  contract: Contract,
  keys: Keyring,
  gateway: readonly (readonly [string, { readonly variable: string; readonly value: string }])[],
  url: string,
  showPersonal: boolean,
): Printing {
  const secrets = [...secretsOf(keys), ...variantSecrets(keys), ...gateway.map(([, { variable, value }]) => ({ name: variable, value }))];
  const { clean } = createRedactor(secrets);
  const names = secrets.map(({ name }) => `$${name}`);
  const { mask, maskRecord } = createMask(contract);
  return {
    clean,
    mask: showPersonal ? (exchange) => exchange : mask,
    maskRecord: showPersonal ? (_, record) => record : (reply, record) => maskRecord(reply.call.operation, record),
    url,
    names,
    headers: gateway.map(([name, { variable }]) => `${name}: $${variable}`),
  };
}

/** The laws at the operations that they are about, but for those that the patterns leave out. */
function chooseSubjects(contract: Contract, { only = [], skip = [] }: VerifyOptions): readonly Subject[] {
  const all = laws.flatMap((law) =>
    contract.operations
      .filter((operation) => operation.method === 'GET' && law.clause(operation, contract) !== undefined)
      .map((operation) => ({ law, operation })),
  );
  const names = [...new Set(all.flatMap(({ law, operation }) => [law.id, operation.id]))];
  for (const pattern of [...only, ...skip]) {
    if (names.some((name) => matchesPattern(pattern, name))) continue;
    const meant = nearest(pattern, names);
    throw new UsageError(
      `${pattern} matches no law and no operation of ${contract.name}; ${meant === undefined ? 'laws are named GROUP/NAME, and * stands for anything' : `is ${meant} meant?`}`,
    );
  }
  const hits = (patterns: readonly string[], { law, operation }: Subject): boolean =>
    patterns.some((pattern) => matchesPattern(pattern, law.id) || matchesPattern(pattern, operation.id));
  return all.filter((subject) => (only.length === 0 || hits(only, subject)) && !hits(skip, subject));
}

function matchesPattern(pattern: string, name: string): boolean {
  const source = pattern
    .split('*')
    .map((piece) => piece.replaceAll(/[.+?^${}()|[\]\\/]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`).test(name);
}

/** Events for whoever reads them, kept until then. */
class EventQueue {
  private readonly waiting: RunEvent[] = [];
  private wake: (() => void) | undefined;
  private isEnded = false;

  push(event: RunEvent): void {
    this.waiting.push(event);
    this.wake?.();
  }

  end(): void {
    this.isEnded = true;
    this.wake?.();
  }

  async *read(): AsyncGenerator<RunEvent> {
    for (;;) {
      const event = this.waiting.shift();
      if (event !== undefined) yield event;
      else if (this.isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}
