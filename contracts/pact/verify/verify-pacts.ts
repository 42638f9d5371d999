/** `verifyPacts`: whether a server gives its consumers what their pacts say, found out by reading, on data that nobody prepared. */

import type { Contract } from '../../../core/contract.ts';
import { nearest, UsageError } from '../../../core/errors.ts';
import type { Pact } from '../../../core/pact/pact.ts';
import type { InteractionResult, PactVerification } from '../../../core/pact/verify-result.ts';
import { createMask } from '../../../core/personal.ts';
import { createRedactor } from '../../../core/redaction.ts';
import type { RunEvent } from '../../../core/verdict.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { Printing } from '../../counterexample.ts';
import { type Keyring, secretsOf } from '../../keyring.ts';
import { matchesPattern } from '../../pattern.ts';
import { Session } from '../../session.ts';
import { openTarget } from '../../target.ts';
import { openPact } from './pact-process.ts';
import type { InteractionTask } from './prepare-request.ts';
import { judgeOutcome } from './interaction-result.ts';
import { verifyInRounds, memoize } from './rounds.ts';

/** What to verify. Only the pacts and the target are needed. */
export interface VerifyPactsOptions extends PactSelection {
  /** The address of the target; it may have a path prefix. */
  readonly target: string;
  /** Keys by role (`full`, `other`, `no-thing`, `expired`, `without:SCOPE`): the value, and the variable that outputs name in its place. */
  readonly keys?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** What a gateway in front of the target wants on every request: by header name, the value and the variable that outputs name. */
  readonly headers?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** The fewest interactions that have to be exercised, or all of them; 1 unless said otherwise. */
  readonly require?: number | 'all';
  /** Where the provider can be asked for states that reading cannot find, by Pact's own protocol. */
  readonly stateChangeUrl?: string;
  /** The most requests that are sent; 600 unless said otherwise. */
  readonly budget?: number;
  /** Requests in a second; 2 for a target that is not on this machine, and as fast as it answers for one that is. */
  readonly rate?: number;
  /** How long one answer may take, in milliseconds; 10,000 unless said otherwise. */
  readonly timeoutMs?: number;
  /** Whether results show personal fields. */
  readonly showPersonal?: boolean;
  /** Where the proxy settings come from: HTTP_PROXY, HTTPS_PROXY, NO_PROXY. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Resolves when the user asks to stop: what was judged until then is reported. */
  readonly interrupted?: Promise<void>;
  readonly clock?: Clock;
  /** Told what happens, as it happens. */
  readonly tell?: (event: RunEvent) => void;
}

/** The most requests of a verification unless said otherwise. */
export const pactBudget = 600;

/**
 * Verifies pacts.
 * @throws {UsageError} for an option that cannot be used, when no interaction is chosen, or when Pact is not installed.
 */
export async function verifyPacts(options: VerifyPactsOptions): Promise<PactVerification> {
  const items = chooseTasks(options);
  const clock = options.clock ?? systemClock;
  const headers = options.headers ?? {};
  const target = openTarget({
    url: options.target,
    timeoutMs: options.timeoutMs ?? 10_000,
    headers: Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value])),
    environment: options.environment ?? {},
  });
  let isInterrupted = false;
  // A run that nobody can interrupt goes on to its end.
  const interrupted = (options.interrupted ?? new Promise<void>(() => undefined)).then(() => {
    isInterrupted = true;
  });
  const keys: Keyring = new Map(Object.entries(options.keys ?? {}));
  const budget = options.budget ?? pactBudget;
  const tell = options.tell ?? (() => undefined);
  const rate = options.rate ?? (target.isLocal ? undefined : 2);
  const session = new Session({ target, keys, budget, rate, clock, tell, interrupted });
  // Pact takes its time to start, in which the target can be asked already.
  const pact = openPact(options.environment ?? {});
  const startedMs = clock.nowMs();
  tell({ kind: 'started', target: target.url, budget, laws: items.length });
  try {
    const settings = { session, stateChangeUrl: options.stateChangeUrl, pact };
    const { outcomes, unavailable, healed } = await verifyInRounds(items, settings, tell);
    const printing = { keys, headers, url: target.url, showPersonal: options.showPersonal === true };
    const printingOf = memoize((contract: Contract) => createPactPrinting(contract, printing));
    const interactions = items.map((item) =>
      judgeOutcome(item, outcomes.get(item.number), healed.has(item.number), printingOf(item.contract)),
    );
    const isBlocked = [...outcomes.values()].some((outcome) => outcome.kind === 'not-exercised' && outcome.isBlocked);
    const required = options.require === 'all' ? items.length : (options.require ?? 1);
    return {
      ...conclude(interactions, { required, isInterrupted, isBlocked: isBlocked || unavailable.size > 0 }),
      target: target.url,
      unavailable: [...unavailable].map(([contract, reason]) => ({ contract: contract.name, reason: printingOf(contract).clean(reason) })),
      interactions,
      required,
      requests: session.requests,
      budget,
      durationMs: Math.round(clock.nowMs() - startedMs),
    };
  } finally {
    pact.close();
    await target.close();
  }
}

function conclude(
  interactions: readonly InteractionResult[],
  { required, isInterrupted, isBlocked }: { readonly required: number; readonly isInterrupted: boolean; readonly isBlocked: boolean },
): Pick<PactVerification, 'verdict' | 'exitCode'> {
  if (interactions.some(({ verdict, isPending }) => verdict === 'failed' && !isPending)) return { verdict: 'failed', exitCode: 1 };
  const exercised = interactions.filter(({ verdict }) => verdict !== 'not-exercised').length;
  if (isInterrupted) return { verdict: 'not-exercised', exitCode: 130 };
  if (isBlocked) return { verdict: 'blocked', exitCode: 3 };
  return exercised > 0 && exercised >= required ? { verdict: 'passed', exitCode: 0 } : { verdict: 'not-exercised', exitCode: 4 };
}

/** Pacts, and what of them is wanted. */
interface PactSelection {
  /** Pacts, each with the contract of its provider. */
  readonly pairs: readonly { readonly pact: Pact; readonly contract: Contract }[];
  /** Patterns with `*` for descriptions of interactions; only what matches one is verified. */
  readonly only?: readonly string[];
  /** Names of consumers; only their pacts are verified. */
  readonly consumers?: readonly string[];
}

/**
 * The interactions that the options choose.
 * @throws {UsageError} when an option chooses nothing, or all of them together do.
 */
function chooseTasks({ pairs, only = [], consumers = [] }: PactSelection): readonly InteractionTask[] {
  const known = [...new Set(pairs.map(({ pact }) => pact.consumer))];
  for (const consumer of consumers) {
    if (known.includes(consumer)) continue;
    const meant = nearest(consumer, known);
    throw new UsageError(
      `no pact is of the consumer ${consumer}; ${meant === undefined ? `consumers are ${known.join(', ')}` : `is ${meant} meant?`}`,
    );
  }
  const own = pairs.filter(({ pact }) => consumers.length === 0 || consumers.includes(pact.consumer));
  const all = own.flatMap(({ pact, contract }) => pact.interactions.map((interaction) => ({ pact, contract, interaction })));
  for (const pattern of only) {
    if (all.some(({ interaction }) => isDescribed(pattern, interaction.description))) continue;
    throw new UsageError(`--only ${pattern} matches the description of no interaction; * stands for anything`);
  }
  const chosen = all.filter(
    ({ interaction }) => only.length === 0 || only.some((pattern) => isDescribed(pattern, interaction.description)),
  );
  if (chosen.length === 0) throw new UsageError('there is no interaction to verify; name pacts that have some');
  return chosen.map((each, index) => ({ number: index + 1, ...each }));
}

/** Descriptions are sentences, in which a capital letter means nothing. */
function isDescribed(pattern: string, description: string): boolean {
  return matchesPattern(pattern.toLowerCase(), description.toLowerCase());
}

/** What must not be shown, and where the target is. */
interface PrintingOptions {
  readonly keys: Keyring;
  readonly headers: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  readonly url: string;
  readonly showPersonal: boolean;
}

/** Makes the printing of a contract's exchanges. */
function createPactPrinting(contract: Contract, { keys, headers, url, showPersonal }: PrintingOptions): Printing {
  const gateway = Object.entries(headers);
  const secrets = [...secretsOf(keys), ...gateway.map(([, { variable, value }]) => ({ name: variable, value }))];
  const { clean } = createRedactor(secrets);
  const { mask, maskRecord } = createMask(contract);
  return {
    clean,
    mask: showPersonal ? (exchange) => exchange : mask,
    maskRecord: showPersonal ? (_, record) => record : (reply, record) => maskRecord(reply.call.operation, record),
    url,
    names: secrets.map(({ name }) => `$${name}`),
    headers: gateway.map(([name, { variable }]) => `${name}: $${variable}`),
  };
}
