/** Progress of a run: a line for each phase, or one line that is rewritten. */

import { describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../../../cli/verify/print-progress.ts';
import type { RunEvent } from '../../../../core/results/run-result.ts';
import { checkOf, resultOf } from '../../../helpers/reports/sample-results.ts';

const events: readonly RunEvent[] = [
  { kind: 'started', target: 'http://127.0.0.1:8080', budget: 400, checks: 2 },
  { kind: 'request', number: 1, method: 'GET', target: '/notes', status: 200 },
  { kind: 'phase', title: 'checking', done: 0, of: 2 },
  { kind: 'request', number: 2, method: 'GET', target: '/notes?q=\u001b[2J', status: undefined },
  { kind: 'waiting', seconds: 30, because: 'the target asks for fewer requests (429)' },
  { kind: 'phase', title: 'checking', done: 1, of: 2 },
  { kind: 'waiting', seconds: 0, because: 'the budget of 400 requests is too small for this; raise --budget' },
  { kind: 'phase', title: 'checking', done: 2, of: 2 },
  { kind: 'phase', title: 'confirming', done: 0, of: 1 },
  { kind: 'check', result: checkOf() },
  { kind: 'finished', result: resultOf() },
];

function tell(columns: number | undefined, shown: readonly RunEvent[] = events): readonly string[] {
  const printed: string[] = [];
  const progress = createProgress({ title: 'Notes 1.0', print: (text) => printed.push(text), columns });
  for (const event of shown) progress.onEvent(event);
  progress.end();
  return printed;
}

/** Final content of a terminal: each rewritten line in its last form. */
function seen(printed: readonly string[]): readonly string[] {
  return printed
    .join('')
    .split('\n')
    .map((line) => line.split('\r\u001b[K').at(-1) ?? '');
}

describe('progress where lines stay', () => {
  it('is the ceiling before any request, a line for each phase, and the waits', () => {
    expect(tell(undefined).join('')).toBe(`Verifying Notes 1.0 at http://127.0.0.1:8080: at most 400 requests, 2 checks.
Checking: 2 checks, 1 of at most 400 requests.
Waiting 30 s: the target asks for fewer requests (429).
Note: the budget of 400 requests is too small for this; raise --budget.
Confirming: 1 check, 2 of at most 400 requests.
`);
  });
});

describe('progress of a watch', () => {
  it('counts seconds', () => {
    const watching: RunEvent = { kind: 'phase', title: 'watching', done: 6, of: 60, unit: 'second' };
    expect(tell(undefined, [watching])).toEqual(['Watching: 60 seconds, 0 of at most 0 requests.\n']);
    expect(seen(tell(200, [watching]))).toEqual(['']);
    expect(tell(200, [watching]).join('')).toContain('Watching, 6 of 60 seconds  ');
  });
});

describe('progress on a terminal', () => {
  it('says after a few seconds that the target is silent, and a log stays as it is', () => {
    vi.useFakeTimers();
    const printed: Record<string, string[]> = { terminal: [], log: [] };
    const [started] = events;
    const bars = Object.entries({ terminal: 200, log: undefined }).map(([name, columns]) =>
      createProgress({ title: 'Notes 1.0', print: (text) => printed[name]?.push(text), columns }),
    );
    for (const progress of bars) if (started !== undefined) progress.onEvent(started);
    vi.advanceTimersByTime(5000);
    expect(printed['terminal']?.at(-1)).toBe('\r\u001b[KConnecting to the target  no response for 5 s  0 of at most 400 requests');
    expect(printed['log']).toHaveLength(1);
    for (const progress of bars) progress.end();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('is one line that is rewritten, and gone at the end', () => {
    const printed = tell(200);
    expect(printed).toContain('\r\u001b[KChecking, 1 of 2 checks  2 of at most 400 requests  GET /notes?q=\\u001b[2J no response');
    expect(printed.at(-1)).toBe('\r\u001b[K');
    expect(seen(printed)).toEqual([
      'Verifying Notes 1.0 at http://127.0.0.1:8080: at most 400 requests, 2 checks.',
      'Waiting 30 s: the target asks for fewer requests (429).',
      'Note: the budget of 400 requests is too small for this; raise --budget.',
      '',
    ]);
  });

  it.each([0, 10, 40, 80])('never fills a line of %i columns, which would wrap', (columns) => {
    for (const text of tell(columns)) {
      if (text.startsWith('\r') && !text.endsWith('\n')) expect(text.length - '\r\u001b[K'.length).toBeLessThan(Math.max(2, columns));
    }
  });

  it('writes nothing to the terminal that a target sent as it was sent', () => {
    expect(tell(200).join('').replaceAll('\r\u001b[K', '')).not.toContain('\u001b');
  });

  it('has nothing to take away when nothing was begun', () => {
    expect(tell(80, [])).toEqual([]);
  });
});
