/** The chaos and the rate limit of a mock, told together for each request, with a note of each for the journal. */

import { UsageError } from '../../core/errors.ts';
import { responseFor } from '../../core/openapi/operation.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { type Chaos, type ChaosEffect, type ChaosSource, createChaos, listChaosOperations } from './chaos.ts';
import type { ChaosContext, ChaosDecider, ChaosDecision, Transmission } from './chaos-decision.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

/** Form of the header Retry-After: seconds to wait, or a date (RFC 9110 §10.2.3). */
export type RetryAfterForm = 'seconds' | 'date';

/** What the chaos is made of. */
export interface ChaosSources {
  readonly chaos: ChaosSource;
  /** Absent where nobody is limited. */
  readonly limit?: RateLimit;
  /** The instant on the wall. */
  readonly wall: () => number;
  readonly formOf: (asked: ChaosContext) => RetryAfterForm;
}

/** Tells the chaos: what the request asks for itself comes first, then the limit, which counts every request that could be read. */
export function createChaosDecider({ chaos, limit, wall, formOf }: ChaosSources): ChaosDecider {
  const meet = (asked: ChaosContext): ChaosDecision => {
    const met = chaos.meet(asked);
    if ('refused' in met) return { refused: met.refused };
    const waitMs = limit?.take(`${asked.contract} ${asked.role}`) ?? 0;
    const { blows } = met;
    if (blows.length === 0 && waitMs === 0) return {};
    const limited = waitMs === 0 ? [] : [`429: the rate limit ${limit?.text} is reached for the role ${asked.role}`];
    return {
      ...throttle(blows, waitMs, wall(), () => formOf(asked)),
      ...outage(blows),
      ...onTheWire(blows),
      notes: [...limited, ...blows.map(describe)],
    };
  };
  return { meet };
}

/** Who is told to wait for two reasons waits for the longer one. */
function throttle(
  blows: readonly ChaosEffect[],
  waitMs: number,
  nowMs: number,
  form: () => RetryAfterForm,
): Pick<ChaosDecision, 'throttled'> {
  const asked = blows.flatMap(({ happening }) => (happening.kind === 'throttled' ? [happening.retryAfterSeconds] : []));
  const waits = waitMs === 0 ? asked : [...asked, Math.max(1, Math.ceil(waitMs / 1000))];
  if (waits.length === 0) return {};
  return { throttled: { retryAfter: printRetryAfter(Math.max(...waits), nowMs, form()) } };
}

/** A date has whole seconds: the first one that is no earlier than the end of the wait. */
function printRetryAfter(seconds: number, nowMs: number, form: RetryAfterForm): string {
  if (form === 'seconds') return String(seconds);
  return new Date((Math.ceil(nowMs / 1000) + seconds) * 1000).toUTCString();
}

/** Of several outages, the first that names a code speaks. */
function outage(blows: readonly ChaosEffect[]): Pick<ChaosDecision, 'unavailable'> {
  const codes = blows.flatMap(({ happening }) => (happening.kind === 'unavailable' ? [happening.code] : []));
  return codes.length === 0 ? {} : { unavailable: { code: codes.find((code) => code !== undefined) } };
}

/** Delays add up, the slowest speed holds, and what is reset cannot be truncated any more. */
function onTheWire(blows: readonly ChaosEffect[]): Pick<ChaosDecision, 'wire'> {
  const kinds = new Set(blows.map(({ happening }) => happening.kind));
  const speeds = blows.flatMap(({ happening }) => (happening.kind === 'slow' ? [happening.bytesPerSecond] : []));
  const delayMs = blows.reduce((sum, blow) => sum + blow.delayMs, 0);
  const wire: Transmission = {
    ...(delayMs === 0 ? {} : { delayMs }),
    ...(kinds.has('reset') ? { cut: 'reset' } : kinds.has('truncated') ? { cut: 'truncated' } : {}),
    ...(speeds.length === 0 ? {} : { bytesPerSecond: Math.min(...speeds) }),
  };
  return Object.keys(wire).length === 0 ? {} : { wire };
}

function describe({ rule, isOwn, happening, delayMs }: ChaosEffect): string {
  const what: Readonly<Record<typeof happening.kind, string>> = {
    throttled: '429',
    unavailable: '503',
    latency: `the answer is held back for ${delayMs} ms`,
    reset: 'the connection is reset',
    truncated: 'the body is cut in the middle',
    slow: 'the body comes slowly',
  };
  return `${what[happening.kind]}: ${isOwn ? 'the request asks for' : 'by the rule'} ${rule}`;
}

/** Options of the chaos of a mock. */
export interface ChaosOptions {
  /** Chaos that each request may meet, such as `503 10%; latency 50ms..400ms`; none unless said otherwise. */
  readonly chaos?: string | readonly string[];
  /** The rate limit of each key role, such as `20/s`, `600/m` or `100/10s`; further requests get 429. No limit by default. */
  readonly rateLimit?: string;
  /** The form of Retry-After in a 429; by default that of the contract, or seconds if it leaves that open. */
  readonly retryAfter?: RetryAfterForm;
}

/** The chaos of a mock. */
export interface StartedChaos {
  readonly decider: ChaosDecider;
  /** Its reset forgets what the rate limit counted, too. */
  readonly chaos: Chaos;
}

/**
 * Makes the chaos. `apis` tells what is served, which may change while the mock runs; `wall` gives the instant on the wall.
 * @throws {UsageError} for chaos or a limit that cannot be read, or a form that is none.
 */
export function startChaos(options: ChaosOptions, seed: number, apis: () => readonly ServedApi[], wall: () => number): StartedChaos {
  const { rateLimit, retryAfter } = options;
  if (retryAfter !== undefined && retryAfter !== 'seconds' && retryAfter !== 'date')
    throw new UsageError(`Retry-After as ${String(retryAfter)} is unknown; write seconds or date`);
  const source = createChaos(seed, options.chaos ?? [], () => listChaosOperations(apis()));
  const limit = rateLimit === undefined ? undefined : createRateLimit(rateLimit, wall);
  const formOf = (asked: ChaosContext): RetryAfterForm => retryAfter ?? documentedForm(apis(), asked);
  const reset = (): void => {
    source.reset();
    limit?.reset();
  };
  return {
    decider: createChaosDecider({ chaos: source, wall, formOf, ...(limit === undefined ? {} : { limit }) }),
    chaos: { list: source.list, set: source.set, add: source.add, clear: source.clear, reset },
  };
}

/** Seconds, unless the closed contract refuses them and takes a date. */
function documentedForm(apis: readonly ServedApi[], { contract, operation }: ChaosContext): RetryAfterForm {
  const found = apis.find((api) => api.contract.name === contract)?.contract.operations.find(({ id }) => id === operation);
  const header = found === undefined ? undefined : responseFor(found, 429)?.headers.find(({ name }) => name === 'retry-after');
  const takes = (value: string): boolean => header === undefined || header.parameter.validate(value).length === 0;
  return !takes('1') && takes(new Date(0).toUTCString()) ? 'date' : 'seconds';
}
