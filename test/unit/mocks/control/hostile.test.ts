/** Random requests to the control endpoint: each one gets a valid answer, and none causes an internal error. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClientJudge } from '../../../../mocks/client/client-judge.ts';
import { createControlHandler } from '../../../../mocks/control/control-handler.ts';
import { createEventStreams } from '../../../../mocks/control/event-stream.ts';
import { createOriginGuard } from '../../../../mocks/control/origin-guard.ts';
import { createJournal } from '../../../../mocks/journal/journal.ts';
import { createRecording } from '../../../../mocks/pact/pact-recorder.ts';
import { stillClock } from '../../../helpers/still-clock.ts';

const errors: unknown[] = [];
const clock = stillClock(Date.UTC(2026, 2, 29, 16));
const journal = createJournal({ apis: () => [], now: clock.now, wall: () => 0 });
const handler = createControlHandler({
  served: () => ({ url: 'http://127.0.0.1:1', seed: 1, contracts: [], mutants: [], keys: {} }),
  clock,
  chaos: { list: () => [], set: () => undefined, add: () => undefined, clear: () => undefined, reset: () => undefined },
  journal,
  events: createEventStreams(),
  recording: createRecording(
    {},
    { apis: () => [], mutants: () => [], journaled: journal.exchanges, onError: (error) => errors.push(error) },
  ),
  judge: createClientJudge({ apis: () => [], url: () => 'http://127.0.0.1:1', onFinding: () => undefined }),
  reset: () => journal.clear(),
  guard: createOriginGuard('127.0.0.1', []),
  onError: (error) => errors.push(error),
});

const words = [
  '',
  'keys',
  'clock',
  'chaos',
  'journal',
  'journal/1',
  'pact',
  'pact/left-out',
  'client',
  'events',
  'reset',
  '..',
  '%00',
  '%',
  '//',
  '{number}',
  'journal/{number}',
];
const path = fc.oneof(fc.constantFrom(...words), fc.string(), fc.webPath());
const query = fc.oneof(
  fc.constant(''),
  fc.string().map((text) => `?${text}`),
  fc
    .tuple(fc.constantFrom('after', 'limit', 'status', 'role', 'consumer', 'provider', '__proto__'), fc.string())
    .map(([name, value]) => `?${name}=${value}`),
);
const value = fc.oneof(
  fc.constantFrom('PT2H', '-PT1S', 'P0D', '2026-03-29T02:30:00+01:00', '503', 1, -0, 1e308, true, null),
  fc.jsonValue(),
);
const members = fc.dictionary(fc.constantFrom('set', 'advance', 'pace', 'reset', 'add', '__proto__', 'constructor'), value);
const body = fc.oneof(
  members.map((object) => JSON.stringify(object)),
  fc.string(),
  fc.constantFrom({ refused: 'too-large' } as const, { refused: 'not-utf8' } as const),
);
const headers = fc
  .dictionary(fc.constantFrom('origin', 'host', 'sec-fetch-site', 'last-event-id'), fc.oneof(fc.string(), fc.webUrl()), { maxKeys: 1 })
  .map((drawn) => ({ host: '127.0.0.1:4010', ...drawn }));
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PROPFIND', 'constructor', '__proto__');

describe('the control endpoint', () => {
  it('answers every request with a known status and in its own envelope', () => {
    const statuses = new Set<number>();
    const request = fc.record({ method, path, query, headers, body });
    fc.assert(
      fc.property(request, ({ path: at, query: asked, ...rest }) => {
        const answer = handler({ ...rest, target: `/__mock/${at}${asked}` });
        statuses.add(answer.status);
        expect([200, 204, 400, 403, 404, 405, 413]).toContain(answer.status);
        if (typeof answer.body === 'function') return;
        const text = answer.body.toString();
        if (answer.status >= 400) expect(JSON.stringify(JSON.parse(text))).toMatch(/^\{"error":\{"message":".+"\}\}$/);
        expect(text.length).toBeLessThan(5000);
        expect(Number.isSafeInteger(clock.now()) && clock.pace() >= 0).toBe(true);
      }),
      { seed: 7, numRuns: 1000 },
    );
    expect(errors).toEqual([]);
    expect([...statuses].toSorted()).toEqual([200, 204, 400, 403, 404, 405, 413]);
  });
});
