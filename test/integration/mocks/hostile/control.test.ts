/** Hostile requests to the control endpoint: told what is wrong in its own envelope, or ended; neither clock nor trouble moves. */

import { afterAll, describe, expect, it, vi } from 'vitest';
import { type RunningMock, startMock } from '../../../../mocks/start.ts';
import { ask } from '../../../helpers/client.ts';
import { requestsToControl } from './control.ts';
import type { Hostile } from './requests.ts';
import { send } from './sending.ts';

vi.setConfig({ testTimeout: 60_000 });

const errors: unknown[] = [];
const mock: RunningMock = await startMock({ requestTimeoutMs: 400, onError: (error) => errors.push(error) });
afterAll(async () => {
  await mock.close();
  expect(errors).toEqual([]);
});

describe('the control endpoint', () => {
  it.each(requestsToControl)('is asked $title', async ({ parts, expected }: Hostile) => {
    const { answers, isWhole } = await send(mock.port, parts);
    expect(expected).toContainEqual(answers.map(({ status }) => status));
    expect(isWhole).toBe(true);
    for (const { status, headers, body } of answers.slice(0, 1)) {
      if (status < 400 || body.includes('"ok":false')) continue;
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(JSON.parse(body)).toEqual({ error: { message: expect.any(String) } });
    }
  });

  it('is as it was afterwards', async () => {
    expect((await ask(mock, '/__mock/clock')).at()).toMatchObject({ pace: 0 });
    expect((await ask(mock, '/__mock/trouble')).at('/rules')).toEqual([]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});
