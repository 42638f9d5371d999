/** The weather of a mock: its rate limit and its trouble, told together for each request, with a note of each for the journal. */

import type { RateLimit } from './rate-limit.ts';
import type { Blow, TroubleSource } from './trouble/trouble.ts';
import type { Forecast, Passage, Weather, Wire } from './weather.ts';

/** How Retry-After tells the time: as seconds to wait, or as the date that has to come (RFC 9110 §10.2.3). */
export type RetryAfterForm = 'seconds' | 'date';

/** What the weather is made of. */
export interface WeatherSources {
  readonly trouble: TroubleSource;
  /** Absent where nobody is limited. */
  readonly limit?: RateLimit;
  /** The instant on the wall. */
  readonly wall: () => number;
  readonly formOf: (passage: Passage) => RetryAfterForm;
}

/** Tells the weather: what the request asks for itself comes first, then the limit, which counts every request that could be read. */
export function createForecast({ trouble, limit, wall, formOf }: WeatherSources): Forecast {
  const meet = (passage: Passage): Weather => {
    const met = trouble.meet(passage);
    if ('refused' in met) return { refused: met.refused };
    const waitMs = limit?.take(`${passage.contract} ${passage.role}`) ?? 0;
    const { blows } = met;
    if (blows.length === 0 && waitMs === 0) return {};
    const limited = waitMs === 0 ? [] : [`429: the rate limit ${limit?.text} is reached for the role ${passage.role}`];
    return {
      ...throttle(blows, waitMs, wall(), () => formOf(passage)),
      ...outage(blows),
      ...onTheWire(blows),
      notes: [...limited, ...blows.map(describe)],
    };
  };
  return { meet };
}

/** Who is told to wait for two reasons waits for the longer one. */
function throttle(blows: readonly Blow[], waitMs: number, nowMs: number, form: () => RetryAfterForm): Pick<Weather, 'throttled'> {
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
function outage(blows: readonly Blow[]): Pick<Weather, 'unavailable'> {
  const codes = blows.flatMap(({ happening }) => (happening.kind === 'unavailable' ? [happening.code] : []));
  return codes.length === 0 ? {} : { unavailable: { code: codes.find((code) => code !== undefined) } };
}

/** Delays add up, the slowest speed holds, and what is reset cannot be truncated any more. */
function onTheWire(blows: readonly Blow[]): Pick<Weather, 'wire'> {
  const kinds = new Set(blows.map(({ happening }) => happening.kind));
  const speeds = blows.flatMap(({ happening }) => (happening.kind === 'slow' ? [happening.bytesPerSecond] : []));
  const delayMs = blows.reduce((sum, blow) => sum + blow.delayMs, 0);
  const wire: Wire = {
    ...(delayMs === 0 ? {} : { delayMs }),
    ...(kinds.has('reset') ? { cut: 'reset' } : kinds.has('truncated') ? { cut: 'truncated' } : {}),
    ...(speeds.length === 0 ? {} : { bytesPerSecond: Math.min(...speeds) }),
  };
  return Object.keys(wire).length === 0 ? {} : { wire };
}

function describe({ rule, isOwn, happening, delayMs }: Blow): string {
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
