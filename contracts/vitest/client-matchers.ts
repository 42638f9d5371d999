/** Matchers for tests of a client against the mock. They evaluate the mock's report on its clients, and detect no mistakes themselves. */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import { type ClientReport, describeClientFinding } from '../../core/results/client-result.ts';
import { type ClientLevel, type ClientRuleId, clientLevels } from '../../core/results/client-rule.ts';

/** A mock that reports on its clients: of `startMock`, or of `connectControl`. */
export interface ReportingMock {
  /** Returns the report on the clients, or on those with one key role. */
  readonly client: (query?: {
    /** The role of the key. */
    readonly role?: string;
  }) => ClientReport | Promise<ClientReport>;
}

/** Settings of the matcher. */
export interface ClientExpectation {
  /** The lowest severity at which a matcher fails. Default: `warning`. */
  readonly level?: ClientLevel;
  /** The role of the key; all roles by default. */
  readonly role?: string;
  /** Rules that the requests must have exercised. */
  readonly require?: readonly ClientRuleId[];
}

/** The outcome of a matcher. */
export interface MatcherOutcome {
  /** True if the expectation is met. */
  readonly pass: boolean;
  /** Makes the text of the failure. */
  readonly message: () => string;
}

/** The matchers, as an argument of `expect.extend`. */
export type ClientMatchers = {
  /** Passes if no client of the mock made a mistake of a level. The result of a client in another process is a promise. */
  readonly toHaveNoClientFindings: (mock: ReportingMock, expectation?: ClientExpectation) => MatcherOutcome | Promise<MatcherOutcome>;
};

/**
 * The matchers.
 * @example
 * ```ts
 * import { startMock } from 'touchstone/mock';
 * import { clientMatchers } from 'touchstone/vitest';
 * import { expect, it } from 'vitest';
 *
 * expect.extend(clientMatchers);
 *
 * it('reads the list without mistakes', async () => {
 *   const mock = await startMock({ contracts: ['wiki'] });
 *   await fetch(`${mock.url}/api/v1/wiki`);
 *   expect(mock).toHaveNoClientFindings();
 *   await mock.close();
 * });
 * ```
 */
export const clientMatchers: ClientMatchers = {
  toHaveNoClientFindings: (mock, expectation = {}) => {
    const report = mock.client(withoutUndefined({ role: expectation.role }));
    return report instanceof Promise ? report.then((settled) => judgeReport(settled, expectation)) : judgeReport(report, expectation);
  },
};

function judgeReport({ requests, findings, exercised, notExercised }: ClientReport, expectation: ClientExpectation): MatcherOutcome {
  const { level = 'warning', require = [] } = expectation;
  const failing = findings.filter((finding) => clientLevels.indexOf(finding.level) <= clientLevels.indexOf(level));
  const unexercised = require.filter((rule) => !exercised.includes(rule));
  const lines = [
    ...failing.flatMap((finding) => describeClientFinding(finding).map((line, index) => (index === 0 ? line : `  ${line}`))),
    ...unexercised.map(
      (rule) => `${rule} was not exercised: ${notExercised.find((gap) => gap.rule === rule)?.reason ?? 'it does not apply.'}`,
    ),
  ];
  return {
    pass: lines.length === 0,
    message: () =>
      lines.length === 0 ? `expected a finding in ${requests} requests from the client, but there is none` : lines.join('\n'),
  };
}

declare module 'vitest' {
  interface Matchers<T> {
    /** Passes if no client of the mock made a mistake of a level, by default an error or a warning. */
    toHaveNoClientFindings: (expectation?: ClientExpectation) => void | Promise<void>;
  }
}
