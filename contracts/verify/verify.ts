/**
 * The entry point of a run: reads the options, opens the target, plays the rounds, observes the open questions and concludes. The command line,
 * `describeContract` and users of `touchstone/verify` call it; `watch` and `replay` open their target by it. It sends only requests that read, and
 * prints nothing.
 */

import { type Contract, loadContract, readContract } from '../../core/openapi/contract.ts';
import { withoutUndefined } from '../../core/optional-members.ts';
import { createMask } from '../../core/redaction/mask-personal-data.ts';
import { createRedactor } from '../../core/redaction/redact-secrets.ts';
import type { RunEvent, RunResult, Shard } from '../../core/results/run-result.ts';
import { contractFile, listShipped, packageVersion } from '../../core/shipped-files.ts';
import { now, type SystemClock, systemClock, today } from '../system-clock.ts';
import { failedOutcome } from './check-outcome.ts';
import { chooseChecks, listUnselected } from './choose-checks.ts';
import { checkRequirement, concludeRun, describeCut, readRequirement, type Terms } from './conclusion.ts';
import { logRequest } from './debug-log.ts';
import { type Call, type Keyring, secretsOf } from './engine/call-and-reply.ts';
import { variantSecrets } from './engine/key-variants.ts';
import { RunContext } from './engine/run-context.ts';
import { Session } from './engine/session.ts';
import { observe } from './observations/observe.ts';
import { type Check, playRun, type RunSettings } from './play-run.ts';
import { findObstacle } from './preflight.ts';
import type { Printing } from './print-counterexample.ts';
import { chooseShard } from './shards.ts';
import { type ClientCertificate, openTarget, type Target, type TargetOptions } from './target/target.ts';
import { withoutCommonPath } from './target/target-address.ts';
import type { WaiverEntry } from './waivers.ts';

/** Options of `verify`. Only the contract and the target are required. */
export interface VerifyOptions {
  /** A contract of this package by its name, a file, or a contract that is loaded already. */
  readonly contract: string | Contract;
  /** URL of the target; it may have a path prefix. */
  readonly target: string;
  /** Keys by role (`full`, `other`, `no-menu`, `expired`, `without:SCOPE`): the value, and the variable that reports show instead. */
  readonly keys?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** Identities of records that the caller may not see, such as their ids. */
  readonly hidden?: readonly string[];
  /** Patterns with `*` for rule ids or operation ids to judge; all by default. */
  readonly only?: readonly string[];
  /** Patterns with `*` for rule ids or operation ids to leave out. */
  readonly skip?: readonly string[];
  /** The part of the run to judge; `mergeResults` joins the parts. */
  readonly shard?: Shard;
  /** Checks that must hold: `stated` (by the documents), `all`, or patterns for rule ids. If one does not, the exit code is 4. */
  readonly require?: string | readonly string[];
  /** Known violations, which fail nothing. */
  readonly waivers?: readonly WaiverEntry[];
  /** An earlier run. Its violations fail nothing, only new ones do. */
  readonly baseline?: Pick<RunResult, 'checks'>;
  /** The day that decides which waivers have expired, in UTC, as `2026-12-31`; the current day by default. */
  readonly today?: string;
  /** Requests of an earlier run to send and judge again. */
  readonly again?: readonly Call[];
  /** The seed of the random choices; 1 by default. The same seed sends the same requests to the same data. */
  readonly seed?: number;
  /** Maximum number of requests; 600 by default, or 200 with `quick`. */
  readonly budget?: number;
  /** Requests per second; 2 by default, or unlimited for a local target. */
  readonly rate?: number;
  /** Timeout of one answer in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
  /** True to end the run after the first group of rules with a violation. Later checks are not exercised. */
  readonly failFast?: boolean;
  /** True for fewer requests and less evidence. */
  readonly quick?: boolean;
  /** Headers that a gateway in front of the target needs, by name: the value, and the variable that reports show instead. */
  readonly headers?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** The certificate of the client, for targets that ask for one (mutual TLS). */
  readonly certificate?: ClientCertificate | undefined;
  /** True if results show personal data. */
  readonly showPersonal?: boolean;
  /** Environment variables, for the proxy settings HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Resolves when the user interrupts the run; the result then holds the checks judged so far. */
  readonly interrupted?: Promise<void>;
  /** Time and waiting; the clock of this machine by default. */
  readonly clock?: SystemClock;
  /** Opens the connection to the target; over the network by default. */
  readonly connect?: (options: TargetOptions) => Target;
}

/** A run under way: its events as they come, and its result. */
export interface Verification extends AsyncIterable<RunEvent> {
  /** The result at the end of the run; rejects with the error if nothing could be judged. */
  readonly result: Promise<RunResult>;
}

/** Default maximum number of requests. */
export const budgets = { full: 600, quick: 200 } as const;

/** Share of the budget that is reserved for further rounds. */
const reservedShare = 0.35;

/**
 * Verifies a target. The run begins at once; its events may be read or not.
 * @throws {UsageError} through `result`, for an option that cannot be used.
 * @throws {SpecError} through `result`, for a mistake in the contract file.
 * @example
 * ```ts
 * import { verify } from 'touchstone/verify';
 *
 * const { verdict, checks } = await verify({ contract: 'wiki', target: 'http://127.0.0.1:4010' }).result;
 * for (const { rule, operation, message } of checks) console.log(rule, operation, message);
 * ```
 */
export function verify(options: VerifyOptions): Verification {
  const events = new EventQueue();
  const result = runVerification(options, (event) => events.push(event)).finally(() => events.end());
  // A caller that only reads events must not crash the process; `await result` still throws the error.
  result.catch(() => undefined);
  return { result, [Symbol.asyncIterator]: () => events.read() };
}

async function runVerification(options: VerifyOptions, emit: (event: RunEvent) => void): Promise<RunResult> {
  const contract = typeof options.contract === 'string' ? await openContract(options.contract) : options.contract;
  const { hidden = [], quick = false, seed = 1, again, shard } = options;
  const checks = checksOfRun(contract, options);
  const terms = termsOf(contract, options);
  const budget = options.budget ?? (quick ? budgets.quick : budgets.full);
  const access = openAccess(contract, options, budget, emit);
  const settings: RunSettings = {
    contract,
    session: access.session,
    hidden,
    quick,
    seed,
    again,
    failFast: options.failFast === true,
    printing: access.printing,
    emit,
  };
  const summarize = access.begin(checks.length);
  try {
    const { failure, ...parts } = await judgeChecks(settings, checks, listUnselected(contract, options));
    const { notes, ...cut } = describeCut(settings, access.isInterrupted(), { ...parts, failure });
    const result: RunResult = {
      ...summarize(seed),
      ...withoutUndefined({ shard }),
      ...parts,
      ...cut,
      ...concludeRun({ ...parts, ...cut, notes, failed: failure !== undefined }, terms),
    };
    emit({ kind: 'finished', result });
    return result;
  } finally {
    await access.close();
  }
}

/** Connection of a run to its target, with the redaction of its output. */
export interface Access {
  readonly session: Session;
  readonly printing: Printing;
  readonly isInterrupted: () => boolean;
  /** Emits the start of a run with this number of checks. Returns a function that gives the data of the run at its end. */
  readonly begin: (
    checks: number,
  ) => (seed: number) => Pick<RunResult, 'contract' | 'target' | 'requests' | 'budget' | 'durationMs' | 'seed' | 'started' | 'toolVersion'>;
  readonly close: () => Promise<void>;
}

/** Opens the target of a run. Default rate: 2 requests per second, or unlimited for a local target. */
export function openAccess(
  contract: Contract,
  options: Omit<VerifyOptions, 'contract'>,
  budget: number,
  emit: (event: RunEvent) => void,
): Access {
  const { clock = systemClock, timeoutMs = 10_000, environment = {}, connect = openTarget } = options;
  const gateway = Object.entries(options.headers ?? {});
  const headers = Object.fromEntries(gateway.map(([name, { value }]) => [name, value]));
  const target = connect({
    url: withoutCommonPath(options.target, contract.operations),
    timeoutMs,
    headers,
    environment,
    certificate: options.certificate,
  });
  const keys: Keyring = new Map(Object.entries(options.keys ?? {}));
  const rate = options.rate ?? (target.isLocal ? undefined : 2);
  let isInterrupted = false;
  // Without the option, the run cannot be interrupted.
  const interrupted = (options.interrupted ?? new Promise<void>(() => undefined)).then(() => {
    isInterrupted = true;
  });
  const printing = createPrinting(contract, keys, gateway, target.url, options);
  const emitAndLog = (event: RunEvent): void => {
    logRequest(event, printing.clean);
    emit(event);
  };
  const session = new Session({ target, keys, budget, rate, clock, emit: emitAndLog, interrupted });
  return {
    session,
    printing,
    isInterrupted: () => isInterrupted,
    begin: (checks) => {
      const [startedMs, started] = [clock.nowMs(), now()];
      const { name, title, version } = contract;
      emit({ kind: 'started', target: target.url, budget, checks });
      return (seed) => ({
        contract: { name, title, version },
        target: target.url,
        requests: session.requests,
        budget,
        durationMs: Math.round(clock.nowMs() - startedMs),
        seed,
        started,
        toolVersion: packageVersion(),
      });
    },
    close: () => target.close(),
  };
}

/** Opens a contract by its name or file. Contracts of the package are not checked, because its tests do. */
export function openContract(name: string): Promise<Contract> {
  const file = contractFile(name);
  return listShipped().includes(name) ? readContract(file) : loadContract(file);
}

/** The judged checks and observations of a run, or the reason why nothing was judged. */
type JudgedParts = Pick<RunResult, 'checks' | 'observations'> & {
  readonly unavailable?: string;
  /** Present if an internal error ended the observation of open questions. */
  readonly failure?: string;
};

async function judgeChecks(
  settings: RunSettings,
  selected: readonly Check[],
  unselected: readonly Check[] | undefined,
): Promise<JudgedParts> {
  const context = new RunContext(settings);
  const unavailable = await findObstacle(context);
  if (unavailable !== undefined) return { unavailable: settings.printing.clean(unavailable), checks: [], observations: [] };
  settings.session.reserve(Math.floor(settings.session.left * reservedShare));
  const results = await playRun(settings, context, selected, unselected);
  try {
    return { checks: results, observations: await observe(context) };
  } catch (error) {
    const { failure, message } = failedOutcome(error, 'the observation of open questions');
    settings.emit({ kind: 'failed', error: failure });
    return { checks: results, observations: [], failure: message };
  }
}

/** Creates the redaction of all output of a run. */
function createPrinting(
  contract: Contract,
  keys: Keyring,
  gateway: readonly (readonly [string, { readonly variable: string; readonly value: string }])[],
  url: string,
  { showPersonal = false, certificate }: Pick<VerifyOptions, 'showPersonal' | 'certificate'>,
): Printing {
  const secrets = [...secretsOf(keys), ...variantSecrets(keys), ...gateway.map(([, { variable, value }]) => ({ name: variable, value }))];
  const { clean } = createRedactor(secrets);
  const { mask, maskRecord } = createMask(contract);
  return {
    clean,
    mask: showPersonal ? (exchange) => exchange : mask,
    maskRecord: showPersonal ? (_, record) => record : (reply, record) => maskRecord(reply.call.operation, record),
    url,
    secrets,
    headers: gateway.map(([name, { variable }]) => `${name}: $${variable}`),
    certificateFiles: certificate?.files,
  };
}

/**
 * The checks of a run, or of its shard.
 * @throws {UsageError} for a pattern that matches nothing, or a shard that does not exist.
 */
export function checksOfRun(contract: Contract, options: Pick<VerifyOptions, 'only' | 'skip' | 'shard'>): readonly Check[] {
  const chosen = chooseChecks(contract, options);
  return options.shard === undefined ? chosen : chooseShard(chosen, options.shard);
}

/**
 * Reads the terms that decide the exit code together with the verdicts.
 * @throws {UsageError} for a required rule that no shard judges.
 */
function termsOf(contract: Contract, options: VerifyOptions): Terms {
  const require = options.require === undefined ? undefined : readRequirement(options.require);
  checkRequirement(
    require,
    chooseChecks(contract, options).map(({ rule }) => rule.id),
  );
  return { require, waivers: options.waivers, baseline: options.baseline?.checks, today: options.today ?? today() };
}

/** A queue of events, read by one consumer. */
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
