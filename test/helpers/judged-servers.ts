/** Runs `verify` against the mock or the second server, with a clock that skips every wait; and reads the results. */

import type { SystemClock } from '../../contracts/system-clock.ts';
import type { VerifyOptions } from '../../contracts/verify/run-options.ts';
import { type Delivery, openTarget, type Target, type TargetOptions } from '../../contracts/verify/target/open-target.ts';
import { verify } from '../../contracts/verify/verify.ts';
import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { CheckResult, RunResult, Verdict } from '../../core/results/run-result.ts';
import { contractFile } from '../../core/shipped-files.ts';
import { type MockOptions, startMock } from '../../mocks/start-mock.ts';
import { type SecondOptions, startSecondServer } from '../second/second-server.ts';
import { namedKeys } from './engine.ts';
import { openContract } from './exchange-judge.ts';

/** Settings of a run. */
export interface Judging {
  /** Patterns of rules or operations; all by default. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly quick?: boolean;
  readonly seed?: number;
  /** Roles whose keys the run gets; all by default. */
  readonly roles?: readonly string[];
  /** Roles of the run, each with the server's role whose key it gets. Replaces `roles`. */
  readonly keyOf?: Readonly<Record<string, string>>;
  /** Records passed as hidden; by default those that the server hides. */
  readonly hidden?: readonly string[];
  /** The contract to judge by; by default the contract of the package. */
  readonly contract?: Contract;
}

interface Running {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}

/** Judges a mock of one contract. */
export async function judgeMock(api: string, options: MockOptions = {}, judging: Judging = {}): Promise<RunResult> {
  await using mock = await startMock({ ...options, contracts: [api] });
  return await judge(api, { url: mock.url, keys: mock.keys, hidden: mock.hiddenRecords }, judging);
}

/** Answers a request wrongly. `next` answers a request as a correct server does; it may be called any number of times. */
export type Spoil = (request: HttpRequest, next: (request: HttpRequest) => Promise<HttpResponse>) => Promise<HttpResponse>;

/** Judges a correct server whose answers are spoiled on their way. */
export async function judgeSpoiled(api: string, spoil: Spoil, options: MockOptions = {}, judging: Judging = {}): Promise<RunResult> {
  await using mock = await startMock({ ...options, contracts: [api] });
  const connect = (given: TargetOptions): Target => {
    const target = openTarget(given);
    const answer = async (request: HttpRequest): Promise<HttpResponse> => {
      const delivery = await target.send(request);
      if (delivery.kind === 'failure') throw new Error(delivery.message);
      return delivery.response;
    };
    const send = async (request: HttpRequest): Promise<Delivery> => {
      const startedMs = performance.now();
      return { kind: 'answer', response: await spoil(request, answer), startedMs, endedMs: performance.now() };
    };
    return { ...target, send };
  };
  return await judge(api, { url: mock.url, keys: mock.keys, hidden: mock.hiddenRecords }, { ...judging, connect });
}

/** Judges a second server. */
export async function judgeSecond(options: SecondOptions, judging: Judging = {}): Promise<RunResult> {
  await using server = await startSecondServer(options);
  return await judge(options.api, server, judging);
}

async function judge(
  api: string,
  { url, keys, hidden }: Running,
  { roles, keyOf, contract, ...judging }: Judging & Pick<VerifyOptions, 'connect'>,
): Promise<RunResult> {
  const named = Object.fromEntries(Object.entries(keyOf ?? {}).map(([role, known]) => [role, keys[known] ?? '']));
  const given = keyOf === undefined ? Object.fromEntries(Object.entries(keys).filter(([role]) => roles?.includes(role) !== false)) : named;
  const result = await verify({
    target: url,
    keys: namedKeys(given),
    hidden,
    clock: skippingClock(),
    ...judging,
    contract: contract ?? (await openContract(contractFile(api))),
  }).result;
  const text = JSON.stringify(result);
  const isShown = (value: string): boolean => text.includes(value) || text.includes(Buffer.from(value).toString('base64').slice(2, -4));
  const shown = Object.entries(keys).filter(([, value]) => isShown(value));
  if (shown.length > 0) throw new Error(`the result shows the keys ${shown.map(([role]) => role).join(', ')}`);
  return result;
}

/** A clock on which a sleep takes no time and moves the clock forward. */
function skippingClock(): SystemClock {
  let slept = 0;
  return {
    nowMs: () => performance.now() + slept,
    sleep: async (milliseconds) => {
      slept += milliseconds;
    },
  };
}

/** False alarms in the result of a correct server: violations, and verdicts without a reason. */
export function falseAlarms({ checks: rules }: RunResult): readonly string[] {
  return rules
    .filter(({ verdict, message }) => verdict === 'violated' || (verdict !== 'holds' && /^$|: *$/.test(message)))
    .map(({ rule: id, operation, verdict, message }) => `${id} at ${operation} ${verdict}: ${message}`);
}

/** A line for each result that does not hold or leaves a mutant open. */
export function doubts({ checks: rules }: RunResult): readonly string[] {
  return rules
    .filter((rule) => rule.verdict !== 'holds' || rule.alive.length > 0)
    .map(
      (rule) => `${rule.rule} ${rule.operation} ${rule.verdict}: ${rule.message}${rule.alive.map((mutant) => ` [${mutant.id}]`).join('')}`,
    );
}

/** The rules that a run finds violated. */
export function violated({ checks: rules }: RunResult): readonly string[] {
  return [...new Set(rules.filter(({ verdict }) => verdict === 'violated').map(({ rule: id }) => id))];
}

/** The results of a rule, or of a group by `group/*`, with a verdict. */
export function resultsOf({ checks: rules }: RunResult, id: string, verdict?: Verdict): readonly CheckResult[] {
  const matches = (rule: CheckResult): boolean => (id.endsWith('*') ? rule.rule.startsWith(id.slice(0, -1)) : rule.rule === id);
  return rules.filter((rule) => matches(rule) && (verdict === undefined || rule.verdict === verdict));
}
