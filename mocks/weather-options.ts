/** From the options of a mock to its weather: trouble, a rate limit, and how long those who meet them are told to wait. */

import { UsageError } from '../core/errors.ts';
import { responseFor } from '../core/operation.ts';
import { createForecast, type RetryAfterForm } from './forecast.ts';
import { createRateLimit } from './rate-limit.ts';
import type { ServedApi } from './served-api.ts';
import { createTrouble, listSubjects, type Trouble } from './trouble/trouble.ts';
import type { Forecast, Passage } from './weather.ts';

/** What can be said of the weather when a mock is started. */
export interface WeatherOptions {
  /** Trouble that each request may meet, such as `503 10%; latency 50ms..400ms`; none unless said otherwise. */
  readonly trouble?: string | readonly string[];
  /** How many requests of one key role are answered in a time, such as `20/s`, `600/m` or `100/10s`; the others get 429. No limit unless said otherwise. */
  readonly rateLimit?: string;
  /** How a 429 tells the time to wait; as the contract says unless given, and in seconds where it leaves that open. */
  readonly retryAfter?: RetryAfterForm;
}

/** The weather of a mock. */
export interface StartedWeather {
  readonly forecast: Forecast;
  /** Its reset forgets what the rate limit counted, too. */
  readonly trouble: Trouble;
}

/**
 * Makes the weather. `apis` tells what is served, which may change while the mock runs; `wall` gives the instant on the wall.
 * @throws {UsageError} for trouble or a limit that cannot be read, or a form that is none.
 */
export function createWeather(options: WeatherOptions, seed: number, apis: () => readonly ServedApi[], wall: () => number): StartedWeather {
  const { rateLimit, retryAfter } = options;
  if (retryAfter !== undefined && retryAfter !== 'seconds' && retryAfter !== 'date')
    throw new UsageError(`Retry-After as ${String(retryAfter)} is unknown; write seconds or date`);
  const source = createTrouble(seed, options.trouble ?? [], () => listSubjects(apis()));
  const limit = rateLimit === undefined ? undefined : createRateLimit(rateLimit, wall);
  const formOf = (passage: Passage): RetryAfterForm => retryAfter ?? documentedForm(apis(), passage);
  const reset = (): void => {
    source.reset();
    limit?.reset();
  };
  return {
    forecast: createForecast({ trouble: source, wall, formOf, ...(limit === undefined ? {} : { limit }) }),
    trouble: { list: source.list, set: source.set, add: source.add, clear: source.clear, reset },
  };
}

/** Seconds, unless the closed contract refuses them and takes a date. */
function documentedForm(apis: readonly ServedApi[], { contract, operation }: Passage): RetryAfterForm {
  const found = apis.find((api) => api.contract.name === contract)?.contract.operations.find(({ id }) => id === operation);
  const header = found === undefined ? undefined : responseFor(found, 429)?.headers.find(({ name }) => name === 'retry-after');
  const takes = (value: string): boolean => header === undefined || header.parameter.validate(value).length === 0;
  return !takes('1') && takes(new Date(0).toUTCString()) ? 'date' : 'seconds';
}
