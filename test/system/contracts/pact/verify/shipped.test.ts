/** The pacts of this package pass at the mock, and at a server written independently. */

import { describe, expect, it, vi } from 'vitest';
import { startMock } from '../../../../../mocks/start-mock.ts';
import { closeServers, openServer } from '../../../../integration/cli/verifying.ts';
import { startSecondServer } from '../../../../second/second-server.ts';
import { complaintsOf, countShipped, verifyShipped } from './verifying.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('the pacts of the package', () => {
  it('pass at the mock, with few requests', async () => {
    await using mock = await startMock();
    const result = await verifyShipped(['business', 'wiki'], mock, { require: 'all' });
    expect(complaintsOf(result)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, verdict: 'passed' });
    expect(result.interactions).toHaveLength(countShipped('business', 'wiki'));
    // One request for each interaction; finding the provider states may not double that.
    expect(result.requests).toBeLessThan(result.interactions.length * 2);
  });

  it('pass at the second server, which produces chaos by state change requests', async () => {
    let chaos: 'throttled' | 'not-ready' | undefined;
    const told: string[] = [];
    const states = await openServer(async (request, response) => {
      const { action, state } = JSON.parse(await textOf(request)) as { readonly action: string; readonly state: string };
      told.push(`${action} ${state}`);
      chaos = action === 'teardown' ? undefined : state.includes('no more requests') ? 'throttled' : 'not-ready';
      response.writeHead(204).end();
    });
    await using server = await startSecondServer({ api: 'business', turnedAway: () => chaos });
    const result = await verifyShipped(['business'], server, { require: 'all', stateChangeUrl: states.url });
    await closeServers();
    expect(complaintsOf(result)).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(told.filter((each) => each.startsWith('setup'))).toHaveLength(3);
    expect(told.filter((each) => each.startsWith('teardown'))).toHaveLength(3);
  });

  it('pass at the second server of the other API', async () => {
    await using server = await startSecondServer({ api: 'wiki' });
    const result = await verifyShipped(['wiki'], server, { require: 'all' });
    expect(complaintsOf(result)).toEqual([]);
  });

  it('skip the interactions that only a mock can answer', async () => {
    await using server = await startSecondServer({ api: 'business' });
    const result = await verifyShipped(['business'], server, {
      require: 1,
      only: ['*too early*', '*too many', '*comes too early', 'a request for all *'],
    });
    expect(complaintsOf(result).filter((line) => !line.includes('only a --state-change-url'))).toEqual([]);
    expect(result.interactions.filter(({ verdict }) => verdict === 'not-exercised')).toHaveLength(3);
    expect(result.exitCode).toBe(0);
  });
});

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
