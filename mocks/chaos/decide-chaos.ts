/** Combines the chaos rules and the rate limit into one decision per request, with notes for the journal. It only decides; the response is made elsewhere. */

import { UsageError } from '../../core/errors.ts';
import { responseFor } from '../../core/openapi/operation.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { type ActiveChaos, type Chaos, type ChaosEffect, createActiveChaos, listChaosNames } from './active-chaos.ts';
import type { ChaosContext, ChaosDecider, ChaosDecision, Transmission } from './chaos-decision.ts';
import type { RetryAfterForm } from './chaos-rule.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

/** Options of the chaos of a mock. */
export interface ChaosOptions {
  /** Chaos rules, such as `503 10%; latency 50ms..400ms`. Default: none. */
  readonly chaos?: string | readonly string[];
  /**
   * The rate limit of each key role, such as `20/s`, `600/m` or `100/10s`; further requests get 429. With `20/s strict`, a request before Retry-After has
   * passed starts the wait anew. No limit by default.
   */
  readonly rateLimit?: string;
  /** The format of Retry-After in a 429; by default that of the contract, or seconds if it leaves that open. */
  readonly retryAfter?: RetryAfterForm;
}

/** Chaos of a running mock. */
interface StartedChaos {
  readonly decider: ChaosDecider;
  /** Chaos rules; `reset` also clears the counts of the rate limit. */
  readonly chaos: Chaos;
}

/**
 * Creates the chaos. `apis` returns the served APIs, which a reload may change; `wall` returns the wall-clock time.
 * @throws {UsageError} for an invalid rule, rate limit or form.
 */
export function startChaos(options: ChaosOptions, seed: number, apis: () => readonly ServedApi[], wall: () => number): StartedChaos {
  const { rateLimit, retryAfter } = options;
  if (retryAfter !== undefined && retryAfter !== 'seconds' && retryAfter !== 'date')
    throw new UsageError(`retryAfter: ${String(retryAfter)} is not a format of Retry-After; write seconds or date`);
  const activeChaos = createActiveChaos(seed, options.chaos ?? [], () => listChaosNames(apis()));
  const limit = rateLimit === undefined ? undefined : createRateLimit(rateLimit, wall);
  const formOf = (context: ChaosContext): RetryAfterForm => retryAfter ?? documentedForm(apis(), context);
  const reset = (): void => {
    activeChaos.reset();
    limit?.reset();
  };
  return {
    decider: createChaosDecider({ chaos: activeChaos, wall, formOf, ...(limit === undefined ? {} : { limit }) }),
    chaos: { list: activeChaos.list, set: activeChaos.set, add: activeChaos.add, clear: activeChaos.clear, reset },
  };
}

/** Returns seconds, unless the contract allows only a date. */
function documentedForm(apis: readonly ServedApi[], { contract, operation }: ChaosContext): RetryAfterForm {
  const documentedOperation = apis.find((api) => api.contract.name === contract)?.contract.operations.find(({ id }) => id === operation);
  const header =
    documentedOperation === undefined
      ? undefined
      : responseFor(documentedOperation, 429)?.headers.find(({ name }) => name === 'retry-after');
  const allows = (value: string): boolean => header === undefined || header.parameter.validate(value).length === 0;
  return !allows('1') && allows(new Date(0).toUTCString()) ? 'date' : 'seconds';
}

/** Sources of a decision. */
interface ChaosSources {
  readonly chaos: ActiveChaos;
  /** Absent without a rate limit. */
  readonly limit?: RateLimit;
  /** Returns the wall-clock time in milliseconds. */
  readonly wall: () => number;
  readonly formOf: (context: ChaosContext) => RetryAfterForm;
}

/** Creates the decider. An invalid header Mock-Chaos comes first, then the rate limit, which counts all other requests. */
function createChaosDecider({ chaos, limit, wall, formOf }: ChaosSources): ChaosDecider {
  const decide = (context: ChaosContext): ChaosDecision => {
    const result = chaos.drawEffects(context);
    if ('refused' in result) return { refused: result.refused };
    const waitMs = limit?.take(`${context.contract} ${context.role}`) ?? 0;
    const { effects } = result;
    if (effects.length === 0 && waitMs === 0) return {};
    const limitNotes = waitMs === 0 ? [] : [`429: the rate limit ${limit?.text} is reached for the role ${context.role}`];
    return {
      ...combineThrottling(effects, waitMs, wall(), () => formOf(context)),
      ...combineOutages(effects),
      ...combineTransmissions(effects),
      notes: [...limitNotes, ...effects.map(describe)],
    };
  };
  return { decide };
}

/** Combines a 429 rule with the rate limit: the longer wait wins. */
function combineThrottling(
  effects: readonly ChaosEffect[],
  waitMs: number,
  nowMs: number,
  form: () => RetryAfterForm,
): Pick<ChaosDecision, 'throttled'> {
  const throttlings = effects.map(({ disturbance }) => disturbance).filter((disturbance) => disturbance.kind === 'throttled');
  const requestedWaits = throttlings.map(({ retryAfterSeconds }) => retryAfterSeconds);
  const waits = waitMs === 0 ? requestedWaits : [...requestedWaits, Math.max(1, Math.ceil(waitMs / 1000))];
  if (waits.length === 0) return {};
  return { throttled: { retryAfter: printRetryAfter(Math.max(...waits), nowMs, throttlings.find((each) => each.form)?.form ?? form()) } };
}

/** Prints Retry-After. A date is rounded up to whole seconds. */
function printRetryAfter(seconds: number, nowMs: number, form: RetryAfterForm): string {
  if (form === 'seconds') return String(seconds);
  return new Date((Math.ceil(nowMs / 1000) + seconds) * 1000).toUTCString();
}

/** Combines 503 rules: the first one with a code wins. */
function combineOutages(effects: readonly ChaosEffect[]): Pick<ChaosDecision, 'unavailable'> {
  const codes = effects.flatMap(({ disturbance }) => (disturbance.kind === 'unavailable' ? [disturbance.code] : []));
  return codes.length === 0 ? {} : { unavailable: { code: codes.find((code) => code !== undefined) } };
}

/** Combines faults on the wire: delays add up, the slowest speed wins, and a reset replaces a truncation. */
function combineTransmissions(effects: readonly ChaosEffect[]): Pick<ChaosDecision, 'wire'> {
  const kinds = new Set(effects.map(({ disturbance }) => disturbance.kind));
  const speeds = effects.flatMap(({ disturbance }) => (disturbance.kind === 'slow' ? [disturbance.bytesPerSecond] : []));
  const delayMs = effects.reduce((sum, effect) => sum + effect.delayMs, 0);
  const wire: Transmission = {
    ...(delayMs === 0 ? {} : { delayMs }),
    ...(kinds.has('reset') ? { cut: 'reset' } : kinds.has('truncated') ? { cut: 'truncated' } : {}),
    ...(speeds.length === 0 ? {} : { bytesPerSecond: Math.min(...speeds) }),
  };
  return Object.keys(wire).length === 0 ? {} : { wire };
}

function describe({ rule, isOwn, disturbance, delayMs }: ChaosEffect): string {
  const effectTexts: Readonly<Record<typeof disturbance.kind, string>> = {
    throttled: '429',
    unavailable: '503',
    latency: `the response is delayed by ${delayMs} ms`,
    reset: 'the connection is reset',
    truncated: 'the body is truncated',
    slow: 'the body is sent slowly',
  };
  return `${effectTexts[disturbance.kind]}: ${isOwn ? 'requested by Mock-Chaos:' : 'by the rule'} ${rule}`;
}
