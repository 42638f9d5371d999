import { didYouMean } from '../../../core/did-you-mean.ts';
import { UsageError } from '../../../core/errors.ts';
import { memoize } from '../../../core/memo.ts';
import { matchesPattern } from '../../../core/name-pattern.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { listUnrecognisedStates, type StateMeanings } from '../../../core/pact/interpret-state.ts';
import type { Pact } from '../../../core/pact/pact.ts';
import type { InteractionResult, PactVerification } from '../../../core/results/pact-verify-result.ts';
import type { RunEvent } from '../../../core/results/run-result.ts';
import { type SystemClock, systemClock } from '../../system-clock.ts';
import { createPrinting } from '../../verify/counterexample.ts';
import { type Keyring, secretsOf } from '../../verify/evidence/callers.ts';
import { Session } from '../../verify/evidence/request-session.ts';
import { openTarget } from '../../verify/target/open-target.ts';
import { startPactVerifier } from './pact-verifier-process.ts';
import type { InteractionTask } from './prepare-request.ts';
import { verifyInRounds } from './verify-in-rounds.ts';

/** Options of `verifyPacts`. Only the pacts and the target are required. */
export interface VerifyPactsOptions extends PactSelection {
  /** URL of the target; it may have a path prefix. */
  readonly target: string;
  /** Keys by role (`full`, `other`, `no-thing`, `expired`, `without:SCOPE`): the value, and the variable that reports show instead. */
  readonly keys?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** Headers that a gateway in front of the target needs: the value, and the variable that reports show instead. */
  readonly headers?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** Minimum number of exercised interactions, or all of them. Default `all`. */
  readonly require?: number | 'all';
  /** URL for Pact's state change requests, for states that cannot be found by reading. */
  readonly stateChangeUrl?: string;
  /** Meanings of provider states with names of no known form. */
  readonly states?: StateMeanings;
  /** Maximum number of requests. Default 600. */
  readonly budget?: number;
  /** Requests per second. Default 2, or unlimited for a local target. */
  readonly rate?: number;
  /** Timeout of one response in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** True if reports show personal data. */
  readonly showPersonal?: boolean;
  /** Environment variables, for the proxy settings HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Resolves when the user interrupts the run; what was verified by then is reported. */
  readonly interrupted?: Promise<void>;
  /** Time and waiting; the clock of this machine by default. */
  readonly clock?: SystemClock;
  /** Called with each event of the run. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** Default maximum number of requests. */
export const pactBudget = 600;

/**
 * Verifies pacts by sending safe requests only. Provider states are found by reading the target.
 * @throws {UsageError} for an unusable option, for a state with a meaning that the contract does not know, when no interaction is selected, or when Pact is not
 * installed.
 * @example
 * ```ts
 * import { contractFile, loadContract, readPacts, verifyPacts } from 'touchstone/pact';
 *
 * const contract = await loadContract(contractFile('wiki'));
 * const { pacts } = await readPacts(['pacts']);
 * const { verdict } = await verifyPacts({ pairs: pacts.map((pact) => ({ pact, contract })), target: 'http://127.0.0.1:4010' });
 * ```
 */
export async function verifyPacts(options: VerifyPactsOptions): Promise<PactVerification> {
  const tasks = chooseTasks(options);
  const reading = { meanings: options.states ?? {}, canGuess: options.stateChangeUrl === undefined };
  const states = listUnrecognisedStates(tasks, reading);
  const clock = options.clock ?? systemClock;
  const headers = options.headers ?? {};
  const target = openTarget({
    url: options.target,
    timeoutMs: options.timeoutMs ?? 10_000,
    headers: Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value])),
    environment: options.environment ?? {},
  });
  let isInterrupted = false;
  // Without `interrupted`, the promise never resolves, and nothing stops the run.
  const interrupted = (options.interrupted ?? new Promise<void>(() => undefined)).then(() => {
    isInterrupted = true;
  });
  const keys: Keyring = new Map(Object.entries(options.keys ?? {}));
  const budget = options.budget ?? pactBudget;
  const emit = options.onEvent ?? (() => undefined);
  const rate = options.rate ?? (target.isLocal ? undefined : 2);
  const session = new Session({ target, keys, budget, rate, clock, emit, interrupted });
  // Pact starts slowly, so it starts while the target is being read.
  const pact = startPactVerifier(options.environment ?? {});
  const startedMs = clock.nowMs();
  emit({ kind: 'started', target: target.url, budget, checks: tasks.length });
  try {
    const printing = { keys: secretsOf(keys), headers, url: target.url, showPersonal: options.showPersonal };
    const printingOf = memoize((contract: Contract) => createPrinting(contract, printing));
    const settings = { session, stateChangeUrl: options.stateChangeUrl, states: reading, pact, printingOf, emit };
    const { interactions, unavailable, isBlocked } = await verifyInRounds(tasks, settings);
    const required = countRequired(options.require, tasks.length);
    return {
      ...concludeVerification(interactions, { required, isInterrupted, isBlocked: isBlocked || unavailable.size > 0 }),
      target: target.url,
      unavailable: [...unavailable].map(([contract, reason]) => ({ contract: contract.name, reason: printingOf(contract).clean(reason) })),
      states,
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

function countRequired(require: VerifyPactsOptions['require'], all: number): number {
  return require === undefined || require === 'all' ? all : require;
}

function concludeVerification(
  interactions: readonly InteractionResult[],
  { required, isInterrupted, isBlocked }: { readonly required: number; readonly isInterrupted: boolean; readonly isBlocked: boolean },
): Pick<PactVerification, 'verdict' | 'exitCode'> {
  if (interactions.some(({ verdict, pending }) => verdict === 'failed' && !pending)) return { verdict: 'failed', exitCode: 1 };
  const exercised = interactions.filter(({ verdict }) => verdict !== 'not-exercised').length;
  if (isInterrupted) return { verdict: 'not-exercised', exitCode: 130 };
  if (isBlocked) return { verdict: 'blocked', exitCode: 3 };
  return exercised > 0 && exercised >= required ? { verdict: 'passed', exitCode: 0 } : { verdict: 'not-exercised', exitCode: 4 };
}

/** Pacts, and which of their interactions to verify. */
export interface PactSelection {
  /** Each pact with its provider's contract. */
  readonly pairs: readonly { readonly pact: Pact; readonly contract: Contract }[];
  /** Patterns for descriptions, with `*`; other interactions are not verified. */
  readonly only?: readonly string[];
  /** Names of consumers; pacts of others are not verified. */
  readonly consumers?: readonly string[];
}

/**
 * Selects the interactions to verify.
 * @throws {UsageError} when an option matches nothing, or nothing is selected.
 */
function chooseTasks({ pairs, only = [], consumers = [] }: PactSelection): readonly InteractionTask[] {
  const allConsumers = [...new Set(pairs.map(({ pact }) => pact.consumer))];
  for (const consumer of consumers) {
    if (allConsumers.includes(consumer)) continue;
    throw new UsageError(
      `no pact has the consumer ${consumer}; ${didYouMean(consumer, allConsumers, `the consumers are ${allConsumers.join(', ')}`)}`,
    );
  }
  const selected = pairs.filter(({ pact }) => consumers.length === 0 || consumers.includes(pact.consumer));
  const all = selected.flatMap(({ pact, contract }) => pact.interactions.map((interaction) => ({ pact, contract, interaction })));
  for (const pattern of only) {
    if (all.some(({ interaction }) => isDescribed(pattern, interaction.description))) continue;
    throw new UsageError(`--only ${pattern} matches no description; * matches anything`);
  }
  const chosen = all.filter(
    ({ interaction }) => only.length === 0 || only.some((pattern) => isDescribed(pattern, interaction.description)),
  );
  if (chosen.length === 0) throw new UsageError('the pacts contain no HTTP interaction to verify; name other pacts');
  return chosen.map((each, index) => ({ number: index + 1, ...each }));
}

/** Matches a description; case does not matter. */
function isDescribed(pattern: string, description: string): boolean {
  return matchesPattern(pattern.toLowerCase(), description.toLowerCase());
}
