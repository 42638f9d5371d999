/** Sample results of runs of every kind, for tests of each report format: good, bad, hostile and huge ones. */

import type { Exchange } from '../../../core/http/exchange.ts';
import type { CheckResult, Observation, RunResult, Verdict } from '../../../core/results/run-result.ts';
import { hostile, huge } from './sample-comparisons.ts';
import { checkOf, counterexample, gapOf, resultOf, violationOf } from './sample-results.ts';

/** Observation of an open question. */
export const observation: Observation = {
  id: 'order',
  question: 'In which order?',
  source: '§4',
  answers: ['by-title'],
  evidence: 'Two pages were in it',
};

/** A waived violation. */
export function waivedOf(changes: Partial<CheckResult> = {}): CheckResult {
  return violationOf({ rule: 'order/within', waiver: { reason: 'Known since spring', expires: '2026-12-31' }, ...changes });
}

/** A check without a verdict on the target. */
export function doubtOf(verdict: 'inconclusive' | 'blocked' | 'not-testable', message = 'The data changed: id 4 came back'): CheckResult {
  return checkOf({ rule: `doubt/${verdict}`, verdict, instances: 0, killed: [], message });
}

/** One check of each state at two operations, with observations and notes. */
export function mixedRun(): RunResult {
  const checks = [
    checkOf({ rule: 'filters/complete', alive: [{ id: 'a', title: 'case were ignored', missing: 'two records of one name' }] }),
    violationOf(),
    waivedOf(),
    gapOf('order/across', 'getNote', 'two pages'),
    doubtOf('inconclusive'),
    doubtOf('blocked', 'getNote is not available (503)'),
    doubtOf('not-testable', 'a key of another tenant: --key other=VARIABLE'),
  ];
  const notes = ['The waiver of paging/unique in listNotes has expired on 2026-01-31.'];
  return resultOf({
    verdict: 'violated',
    exitCode: 1,
    checks: checks,
    observations: [observation, { ...observation, id: 'cap', answers: [] }],
    notes,
  });
}

/** A run as long as one of a real contract: one mistake that three checks show, in a long body, and 235 more checks. */
export function oneMistake(): RunResult {
  const body = JSON.stringify({ data: Array.from({ length: 100 }, (_, id) => ({ id, title: `Note ${id}`, tags: ['red', 'blue'] })) });
  const [exchange] = counterexample.exchanges;
  if (exchange === undefined) throw new TypeError('the sample has no exchange');
  const long = { ...exchange, response: { ...exchange.response, body } };
  const target = `${exchange.request.target}&cursor=${'WyJsaXN0'.repeat(30)}`;
  const shown = {
    ...counterexample,
    exchanges: Array.from({ length: 4 }, () => ({ ...long, request: { ...long.request, target } })),
    curl: Array.from({ length: 4 }, () => `curl -si -H "x-key: $FULL_KEY" 'http://127.0.0.1:8080${target}'`),
  };
  const others = Array.from({ length: 235 }, (_, index) => checkOf({ rule: `rule${index % 12}/name`, operation: `operation${index % 9}` }));
  const command = 'touchstone verify notes --target https://notes.example --key full=FULL_KEY --report json=run.json';
  return resultOf({ verdict: 'violated', exitCode: 1, checks: [violationOf({ counterexample: shown }), ...others], command });
}

/** A run with this text in every member that comes from outside. */
export function hostileRun(text: string = hostile): RunResult {
  const exchange: Exchange = {
    request: { method: text, target: text, headers: { [text]: text, list: [text, text] } },
    response: { status: 200, headers: { [text]: text }, body: `{"a":${JSON.stringify(text)},${text}` },
  };
  const place = { file: text, line: 3, column: 4 };
  const shown = {
    exchanges: [exchange, exchange],
    expected: text,
    actual: text,
    records: [{ [text]: text }, text],
    clause: place,
    curl: [text, text],
  };
  const common = {
    rule: text,
    operation: text,
    title: text,
    source: `${text}:3:4`,
    killed: [{ id: text, title: text }],
    alive: [{ id: text, title: text, missing: text }],
    message: text,
  };
  const checks = (['holds', 'violated', 'inconclusive', 'blocked', 'not-testable', 'not-exercised'] satisfies Verdict[]).map((verdict) =>
    checkOf({
      ...common,
      verdict,
      ...(verdict === 'violated' ? { fingerprint: '493e30-000001', diagnosis: text, counterexample: shown } : {}),
    }),
  );
  return resultOf({
    verdict: 'violated',
    exitCode: 1,
    contract: { name: text, title: text, version: text },
    target: text,
    unavailable: text,
    checks: [...checks, checkOf({ ...common, verdict: 'violated', counterexample: shown, waiver: { reason: text, expires: text } })],
    observations: [{ id: text, question: text, source: text, answers: [text, text], evidence: text }],
    notes: [text],
  });
}

/** A run with a number of checks in every state, this text in every member, and the pagination of a long list as the counterexample. */
export function hugeRun(checks: number, text: string): RunResult {
  const [violated] = hostileRun(text).checks.filter(({ verdict }) => verdict === 'violated');
  const [exchange] = violated?.counterexample?.exchanges ?? [];
  const pagination = {
    ...counterexample,
    exchanges: Array.from({ length: 40 }, () => exchange ?? noExchange()),
    curl: Array(40).fill(text),
  };
  const mutants = Array.from({ length: 30 }, (_, index) => ({ id: `mutant:${index}`, title: text, missing: `${index} ${text}` }));
  const verdicts: readonly Verdict[] = ['violated', 'violated', 'holds', 'inconclusive', 'not-exercised', 'not-testable'];
  return resultOf({
    verdict: 'violated',
    exitCode: 1,
    checks: Array.from({ length: checks }, (_, index) => {
      const verdict = verdicts[index % verdicts.length] ?? 'holds';
      const changes = {
        rule: `group-${index % 12}/check-${index}`,
        operation: `operation${index % 40}`,
        verdict,
        alive: mutants,
        killed: mutants,
      };
      if (verdict !== 'violated') return checkOf({ ...changes, message: `${index} ${text}` });
      return violationOf({ ...changes, counterexample: pagination, ...(index % 12 === 0 ? { waiver: { reason: text } } : {}) });
    }),
    observations: Array.from({ length: 80 }, (_, index) => ({ ...observation, id: `question-${index}`, question: text, evidence: text })),
    notes: Array.from({ length: 100 }, () => text),
  });
}

/** Runs of every kind, by name. */
export const runs: readonly (readonly [string, RunResult])[] = [
  ['nothing found', resultOf()],
  ['no check at all', resultOf({ checks: [] })],
  ['every state', mixedRun()],
  ['only what is waived', resultOf({ checks: [waivedOf({ waiver: { reason: 'Known' } }), checkOf()] })],
  ['an unavailable target', resultOf({ verdict: 'blocked', exitCode: 3, unavailable: 'Nothing listens there.', checks: [] })],
  ['a part that was not available', resultOf({ verdict: 'blocked', exitCode: 3, checks: [doubtOf('blocked'), checkOf()] })],
  ['too little evidence', resultOf({ verdict: 'not-exercised', exitCode: 4, checks: [gapOf('order/across', 'listNotes', 'two pages')] })],
  ['less than was asked for', resultOf({ verdict: 'not-exercised', exitCode: 4, notes: ['order/across is required'] })],
  ['an interrupted run', resultOf({ verdict: 'inconclusive', exitCode: 130 })],
  ['a violation without a counterexample', resultOf({ exitCode: 1, checks: [checkOf({ verdict: 'violated', message: 'it does not' })] })],
  ['a source that is no place', resultOf({ exitCode: 3, checks: [{ ...doubtOf('blocked'), source: 'RFC 9110 §13.1.2' }] })],
  ['hostile texts', hostileRun()],
  ['huge texts', hostileRun(huge)],
];

function noExchange(): Exchange {
  throw new Error('a violation has exchanges');
}
