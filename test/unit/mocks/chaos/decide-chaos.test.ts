/** Decisions from chaos rules and the rate limit, with their notes. */

import { describe, expect, it } from 'vitest';
import type { ChaosContext, ChaosDecision } from '../../../../mocks/chaos/chaos-decision.ts';
import type { RetryAfterForm } from '../../../../mocks/chaos/chaos-rule.ts';
import { startChaos } from '../../../../mocks/chaos/decide-chaos.ts';
import { serveApi } from '../../../helpers/served.ts';

const api = await serveApi('business');

/** The clock on the wall when nothing else is said: half a second past eight. */
const eight = Date.UTC(2026, 2, 29, 8, 0, 0, 500);

interface Setting {
  readonly rules?: string | readonly string[];
  readonly limit?: string;
  readonly form?: RetryAfterForm;
  readonly own?: string;
  readonly requests?: number;
}

/** The chaos of the last of some equal requests. */
function tell({ rules = [], limit, form = 'seconds', own, requests = 1 }: Setting): ChaosDecision {
  const options = { chaos: rules, retryAfter: form, ...(limit === undefined ? {} : { rateLimit: limit }) };
  const { decider } = startChaos(
    options,
    1,
    () => [api],
    () => eight,
  );
  const headers = own === undefined ? {} : { 'mock-chaos': own };
  const asked: ChaosContext = {
    contract: 'business',
    operation: 'listOrders',
    role: 'full',
    request: { method: 'GET', target: '/', headers },
  };
  return Array.from({ length: requests }, () => decider.decide(asked)).at(-1) ?? {};
}

describe('the chaos', () => {
  it('is empty without effects', () => {
    expect(tell({ limit: '5/s', rules: '503 0%' })).toEqual({});
  });

  it('combines rules: delays add up, the slowest speed and a reset win', () => {
    const rules = 'latency 20ms; latency 30ms; slow 2kB/s; slow 1kB/s; truncated; reset; 503; 503:API_NOT_READY';
    expect(tell({ rules })).toEqual({
      wire: { delayMs: 50, cut: 'reset', bytesPerSecond: 1000 },
      unavailable: { code: 'API_NOT_READY' },
      notes: [
        'the response is delayed by 20 ms: by the rule latency 20ms',
        'the response is delayed by 30 ms: by the rule latency 30ms',
        'the body is sent slowly: by the rule slow 2kB/s',
        'the body is sent slowly: by the rule slow 1kB/s',
        'the body is truncated: by the rule truncated',
        'the connection is reset: by the rule reset',
        '503: by the rule 503',
        '503: by the rule 503:API_NOT_READY',
      ],
    });
    expect(tell({ rules: 'truncated' }).wire).toEqual({ cut: 'truncated' });
    expect(tell({ rules: '503' }).unavailable).toEqual({ code: undefined });
  });

  it('notes the origin of a rule', () => {
    expect(tell({ own: '429 retry-after=7' })).toEqual({
      throttled: { retryAfter: '7' },
      notes: ['429: requested by Mock-Chaos: 429 retry-after=7'],
    });
  });

  it('refuses a request with invalid rules, without counting it', () => {
    const { refused, ...rest } = tell({ rules: 'reset', limit: '1/h', own: 'hail', requests: 3 });
    expect(refused).toContain('"hail" is invalid');
    expect(rest).toEqual({});
  });
});

describe('Retry-After', () => {
  it('is the time until the limit allows the next request, in whole seconds', () => {
    expect(tell({ limit: '3/10s', requests: 3 })).toEqual({});
    expect(tell({ limit: '3/10s', requests: 4 })).toEqual({
      throttled: { retryAfter: '10' },
      notes: ['429: the rate limit 3/10s is reached for the role full'],
    });
  });

  it('is a date that is not too early, if the form is date', () => {
    expect(tell({ limit: '1/s', requests: 2, form: 'date' }).throttled).toEqual({ retryAfter: 'Sun, 29 Mar 2026 08:00:02 GMT' });
    expect(tell({ own: '429 retry-after=60', form: 'date' }).throttled).toEqual({ retryAfter: 'Sun, 29 Mar 2026 08:01:01 GMT' });
  });

  it('is the longest of several', () => {
    expect(tell({ rules: '429 retry-after=30; 429 retry-after=3', limit: '1/10s', requests: 2 }).throttled).toEqual({ retryAfter: '30' });
    expect(tell({ rules: '429', limit: '1/10s', requests: 2 }).throttled).toEqual({ retryAfter: '10' });
  });

  it('of the limit is not disabled by off', () => {
    expect(tell({ rules: 'reset', limit: '1/s', own: 'off', requests: 2 })).toMatchObject({ throttled: { retryAfter: '1' } });
    expect(tell({ rules: 'reset', limit: '1/s', own: 'off' })).toEqual({});
  });
});
