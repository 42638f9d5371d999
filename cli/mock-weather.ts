/** The options of `touchstone mock` that say what requests meet on their way, and how open questions are answered. */

import { UsageError } from '../core/errors.ts';
import type { MockOptions } from '../mocks/start.ts';
import type { Visit } from '../mocks/visit.ts';
import type { Arguments, OptionSpec } from './command.ts';

/** The options, in the order of the help. */
export const weatherOptions: readonly OptionSpec[] = [
  {
    name: 'trouble',
    value: 'RULE',
    repeatable: true,
    summary:
      'Let requests meet trouble: "503 10%", "503:CODE OPERATION", "429 retry-after=2 key=ROLE", "latency 50ms..400ms", "latency lognormal(120ms,0.5)", "reset 2%", "truncated", "slow 2kB/s"; several rules stand between semicolons. The same requests meet the same trouble each time. The header Mock-Trouble brings rules for one request, or "off". May be given several times.',
  },
  {
    name: 'rate-limit',
    value: 'N/TIME',
    summary: 'Answer a key role at most so often in any such span, 20/s, 600/m or 100/10s, and 429 beyond. No limit unless given.',
  },
  {
    name: 'retry-after',
    value: 'FORM',
    summary: 'How a 429 tells the time to wait. As the contract says, and in seconds where it leaves that open.',
  },
  {
    name: 'profile',
    value: 'PROFILE',
    summary:
      'Answer the open questions of the contracts otherwise: strict, lenient, terse, null, absent or other, or as a YAML or JSON file says (question: answer, or contract: {question: answer}).',
  },
];

/**
 * What the options say.
 * @throws {UsageError} for a form of Retry-After that is none.
 */
export function readWeather({ values, lists }: Arguments): Pick<MockOptions, 'trouble' | 'rateLimit' | 'retryAfter' | 'profile'> {
  const { 'rate-limit': rateLimit, 'retry-after': form, profile } = values;
  if (form !== undefined && form !== 'seconds' && form !== 'date')
    throw new UsageError(`--retry-after ${form} is no form of Retry-After; write --retry-after seconds or --retry-after date`);
  return {
    trouble: lists['trouble'] ?? [],
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(form === undefined ? {} : { retryAfter: form }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** What trouble an exchange met: whoever reads the line must not take it for a fault of the mock or of the client. */
export function describeTrouble(visit: Visit | undefined): string {
  return visit === undefined || visit.trouble.length === 0 ? '' : `  (${visit.trouble.join('; ')})`;
}
