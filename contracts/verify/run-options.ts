import type { Contract } from '../../core/openapi/contract.ts';
import type { RunResult } from '../../core/results/run-result.ts';
import type { SystemClock } from '../system-clock.ts';
import type { Call } from './evidence/call.ts';
import type { ClientCertificate, Target, TargetOptions } from './target/open-target.ts';
import type { WaiverEntry } from './waivers.ts';

/** Options of `verify`. Only the contract and the target are required. */
export interface VerifyOptions {
  /** A contract of this package by its name, a file, or a contract that is loaded already. */
  readonly contract: string | Contract;
  /** URL of the target; it may have a path prefix. */
  readonly target: string;
  /** Keys by role (`full`, `other`, `no-menu`, `expired`, `without:SCOPE`), or by the name of a security scheme: the value, and the variable that reports show instead. */
  readonly keys?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** Identities of records that the caller may not see, such as their ids. */
  readonly hidden?: readonly string[];
  /** Patterns with `*` for rule ids or operation ids to check; all by default. */
  readonly only?: readonly string[];
  /** Patterns with `*` for rule ids or operation ids to leave out. */
  readonly skip?: readonly string[];
  /** Patterns with `*` for ids of GET operations to call even though they seem to change something. */
  readonly send?: readonly string[];
  /** True if a member of a response that no schema declares is a violation, and not only noted. */
  readonly strictMembers?: boolean;
  /** Values for parameters by name, or by `OPERATION.NAME` for one operation. */
  readonly params?: Readonly<Record<string, string>>;
  /** Checks that must hold: `stated` (by the API documentation), `all`, or patterns for rule ids; or the share of operations to check, such as `30%` instead of half of them. If one does not, the exit code is 4. */
  readonly require?: string | readonly string[];
  /** Known violations, which do not fail the run. */
  readonly waivers?: readonly WaiverEntry[];
  /** An earlier run. Only violations that it does not have fail the run. */
  readonly baseline?: Pick<RunResult, 'checks'>;
  /** The day that decides which waivers have expired, in UTC, as `2026-12-31`; the current day by default. */
  readonly today?: string;
  /** Requests of an earlier run to send and check again. */
  readonly again?: readonly Call[];
  /** True if wrong responses do not fail the run when repeating the request gave a right one. */
  readonly allowFlaky?: boolean;
  /** Time to send random requests after the rules, in milliseconds, without a limit on their number. By default, they use what is left of the budget. */
  readonly exploreMs?: number;
  /** The seed of the random choices; 1 by default. The same seed sends the same requests to the same data. */
  readonly seed?: number;
  /** Maximum number of requests; 600 by default, or 200 with `quick`. */
  readonly budget?: number;
  /** Requests per second; 2 by default, or unlimited for a local target. */
  readonly rate?: number;
  /** Timeout of one response in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
  /** True to end the run after the first group of rules with a violation. Later checks are not exercised. */
  readonly failFast?: boolean;
  /** True for fewer requests and less evidence. */
  readonly quick?: boolean;
  /** Headers that a gateway in front of the target needs, by name: the value, and the variable that reports show instead. */
  readonly headers?: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  /** The certificate of the client, for targets that ask for one (mutual TLS). */
  readonly certificate?: ClientCertificate | undefined;
  /** True if the result has every exchange of the run. */
  readonly exchanges?: boolean;
  /** True if results show personal data. */
  readonly showPersonal?: boolean;
  /** Environment variables, for the proxy settings HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Resolves when the user interrupts the run; the result then holds the checks so far. */
  readonly interrupted?: Promise<void>;
  /** Time and waiting; the clock of this machine by default. */
  readonly clock?: SystemClock;
  /** Opens the connection to the target; over the network by default. */
  readonly connect?: (options: TargetOptions) => Target;
}
