import { findCauses } from '../../../contracts/verify/find-causes.ts';
import { fingerprintOf } from '../../../contracts/verify/violation-fingerprint.ts';
import type { CheckResult, Counterexample, RunResult } from '../../../core/results/run-result.ts';

/** A counterexample of two requests. */
export const counterexample: Counterexample = {
  exchanges: [
    {
      request: { method: 'GET', target: '/notes?tag=red', headers: { accept: 'application/json', 'x-key': '$FULL_KEY' } },
      response: { status: 200, headers: { 'content-type': 'application/json', vary: ['Accept', 'Origin'] }, body: '{"data":[{"id":4}]}' },
    },
    {
      request: { method: 'GET', target: '/notes/4', headers: { 'x-key': '$FULL_KEY' } },
      response: { status: 200, headers: {}, body: '{"id":4,"tags":["blue"]}' },
    },
  ],
  expected: 'listNotes with tag=red gives only records that satisfy it',
  actual: 'it gives id 4, which does not',
  records: [{ id: 4, tags: ['blue'], author: '‹personal›' }],
  clause: { file: 'notes.yaml', line: 31, column: 9 },
  curl: [
    `curl -si --path-as-is -H "x-key: $FULL_KEY" 'http://127.0.0.1:8080/notes?tag=red'`,
    `curl -si -H "x-key: $FULL_KEY" http://x/notes/4`,
  ],
};

/** A check that holds, with the members that a test sets. */
export function checkOf(changes: Partial<CheckResult> = {}): CheckResult {
  return {
    rule: 'filters/sound',
    operation: 'listNotes',
    title: 'Every record of a filtered list satisfies every filter',
    source: 'notes.yaml:31:9',
    strength: 'stated',
    verdict: 'holds',
    instances: 3,
    killed: [{ id: 'ignored:tag', title: 'tag were ignored' }],
    alive: [],
    message: '',
    ...changes,
  };
}

/** A violation with every optional member. */
export function violationOf(changes: Partial<CheckResult> = {}): CheckResult {
  const check = checkOf({
    verdict: 'violated',
    message: `${counterexample.expected}; ${counterexample.actual}`,
    subject: 'tag',
    diagnosis: 'The server behaves as if tag were ignored',
    counterexample,
    evidence: [],
    ...changes,
  });
  return { fingerprint: fingerprintOf(check.rule, check.operation, { stableName: 'tag' }), ...check };
}

/** A check that was not exercised, because these data were missing. */
export function gapOf(id: string, operation: string, ...missing: readonly string[]): CheckResult {
  return checkOf({
    rule: id,
    operation,
    verdict: 'not-exercised',
    instances: 0,
    killed: [],
    alive: missing.map((each) => ({ id: `mutant:${each}`, title: 'something else were right', missing: each })),
    message: `The data lacks ${missing.join('; ')}`,
  });
}

/** A run without violations, with the members that a test sets. */
export function resultOf(changes: Partial<RunResult> = {}): RunResult {
  const { checks = [checkOf()] } = changes;
  return {
    verdict: 'holds',
    exitCode: 0,
    contract: { name: 'notes', title: 'Notes', version: '1.0' },
    target: 'http://127.0.0.1:8080/v1',
    requests: 96,
    budget: 400,
    durationMs: 2840,
    seed: 7,
    started: '2026-07-01T09:30:00.000Z',
    toolVersion: '0.1.0',
    causes: findCauses(checks),
    checks,
    observations: [],
    ...changes,
  };
}
