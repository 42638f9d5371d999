/** Parsing of chaos rules, and messages for invalid texts. */

import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../core/errors.ts';
import type { ChaosKind, ChaosRule } from '../../../../mocks/chaos/chaos-rule.ts';
import { readChaosRules } from '../../../../mocks/chaos/chaos-rule.ts';

const plain: Omit<ChaosRule, 'text' | 'disturbance'> = { share: 1, operations: [], roles: [] };

describe('a rule', () => {
  const happenings: readonly (readonly [text: string, disturbance: ChaosKind])[] = [
    ['503', { kind: 'unavailable', code: undefined }],
    ['503:NOT_READY', { kind: 'unavailable', code: 'NOT_READY' }],
    ['429', { kind: 'throttled', retryAfterSeconds: 1 }],
    ['429 retry-after=30', { kind: 'throttled', retryAfterSeconds: 30 }],
    ['latency 200ms', { kind: 'latency', delay: { kind: 'fixed', ms: 200 } }],
    ['latency 1.5s', { kind: 'latency', delay: { kind: 'fixed', ms: 1500 } }],
    ['latency 10m', { kind: 'latency', delay: { kind: 'fixed', ms: 600_000 } }],
    ['latency 50ms..2s', { kind: 'latency', delay: { kind: 'between', leastMs: 50, mostMs: 2000 } }],
    ['latency lognormal(120ms,0.5)', { kind: 'latency', delay: { kind: 'lognormal', medianMs: 120, spread: 0.5 } }],
    ['latency lognormal(120ms, 0.5)', { kind: 'latency', delay: { kind: 'lognormal', medianMs: 120, spread: 0.5 } }],
    ['reset', { kind: 'reset' }],
    ['truncated', { kind: 'truncated' }],
    ['slow 500B/s', { kind: 'slow', bytesPerSecond: 500 }],
    ['slow 2kB/s', { kind: 'slow', bytesPerSecond: 2000 }],
    ['slow 1.5MB/s', { kind: 'slow', bytesPerSecond: 1_500_000 }],
  ];
  it.each(happenings)('has a kind: %s', (text, disturbance) => {
    expect(readChaosRules(text)).toEqual({ isOff: false, rules: [{ ...plain, text, disturbance }] });
  });

  it.each([
    ['reset 10%', 0.1],
    ['reset 0.5%', 0.005],
    ['reset 0%', 0],
    ['reset 100%', 1],
    ['latency 1ms 30%', 0.3],
  ])('has a share: %s', (text, share) => {
    expect(readChaosRules(text).rules.map((rule) => rule.share)).toEqual([share]);
  });

  it('is limited to operations and key roles, in any order', () => {
    const [rule] = readChaosRules('429 key=without:* readBook 20% *Books retry-after=2 key=full').rules;
    expect(rule).toMatchObject({ share: 0.2, operations: ['readBook', '*Books'], roles: ['without:*', 'full'] });
    expect(rule?.disturbance).toEqual({ kind: 'throttled', retryAfterSeconds: 2 });
  });
});

describe('several rules', () => {
  it.each(['503 10%;reset 2%', '503  10% ; reset\t2%', '503 10%, reset 2%', ';503 10%;;reset 2%;'])(
    'stand between semicolons or commas, with any spaces: %s',
    (text) => {
      expect(readChaosRules(text).rules.map((rule) => rule.text)).toEqual(['503 10%', 'reset 2%']);
    },
  );

  it('are not separated by the comma of a delay', () => {
    const texts = readChaosRules('latency lognormal(1s,0.5) 3%,503').rules.map((rule) => rule.text);
    expect(texts).toEqual(['latency lognormal(1s,0.5) 3%', '503']);
  });

  it('may disable the rules of the mock', () => {
    expect(readChaosRules('off')).toEqual({ isOff: true, rules: [] });
    expect(readChaosRules('off; reset').isOff).toBe(true);
    expect(readChaosRules('reset, off').rules.map((rule) => rule.text)).toEqual(['reset']);
  });
});

describe('an invalid text', () => {
  it.each([
    ['', 'it has no rule'],
    [' ;, ', 'it has no rule'],
    ['500', '"500" is invalid; a rule is KIND [10%] [OPERATION] [key=ROLE]; a KIND is 503, 503:CODE, 429 [retry-after=SECONDS], reset'],
    ['latancy 5ms', '"latancy" is invalid'],
    ['hail 5%', '"hail" is invalid'],
    ['429:SLOW_DOWN', '"429:SLOW_DOWN" is invalid'],
    ['off 10%', '"10%" is invalid'],
    ['503:', '"503:" is invalid'],
    ['503:A B:C!', '"B:C!" is invalid'],
    ['latency', '"latency" is invalid'],
    ['latency 5', '"5" is invalid'],
    ['latency 11m', '"11m" is invalid'],
    ['latency 400ms..50ms', '"400ms..50ms" is invalid'],
    ['latency lognormal(5,1)', '"lognormal(5,1)" is invalid'],
    ['slow', '"slow" is invalid'],
    ['slow 0B/s', '"0B/s" is invalid'],
    ['slow 5kb/s', '"5kb/s" is invalid'],
    ['503 101%', '"101%" is invalid'],
    ['503 ten%', '"ten%" is invalid'],
    ['503 10% 20%', '"20%" is invalid'],
    ['429 retry-after=1 retry-after=2', '"retry-after=2" is invalid'],
    ['429 retry-after=1.5', '"retry-after=1.5" is invalid'],
    ['429 retry-after=601', '"retry-after=601" is invalid'],
    ['503 retry-after=2', '"retry-after=2" is invalid'],
    ['503 kay=full', '"kay=full" is invalid'],
    ['503 chaos=bad', '"chaos=bad" is invalid'],
    ['503 10', '"10" is invalid'],
    ['503 key=', '"key=" is invalid'],
    ['503 "quoted"', 'is invalid'],
    ['503 10 %', '"10" is invalid'],
    ['reset; 42', 'the chaos rule "42" cannot be read'],
  ])('is reported with the invalid part and the forms of a rule: %s', (text, message) => {
    expect(() => readChaosRules(text)).toThrow(UsageError);
    expect(() => readChaosRules(text)).toThrow(message);
  });

  it('is shortened in messages, and has a maximum number of rules', () => {
    expect(() => readChaosRules(`x${'y'.repeat(5000)}`)).toThrow(/^.{0,400}$/);
    expect(() => readChaosRules(Array.from({ length: 101 }, () => 'reset').join(';'))).toThrow('it has 101 rules; write at most 100');
  });

  it('is parsed in linear time', () => {
    const hostile = [
      '('.repeat(60_000),
      `latency ${'('.repeat(30_000)}`,
      ' '.repeat(60_000),
      `503 ${'*a'.repeat(30_000)}`,
      'a='.repeat(30_000),
    ];
    const read = (text: string): string => {
      try {
        return readChaosRules(text)
          .rules.map((rule) => rule.text.slice(0, 3))
          .join();
      } catch (error) {
        return error instanceof UsageError ? 'refused' : String(error);
      }
    };
    expect(hostile.map(read)).toEqual(['refused', 'refused', 'refused', '503', 'refused']);
  });
});
