/** The till's pact with the service: what the service says when it cannot answer now, and how long the till waits. */

import { describe, expect, it } from 'vitest';
import { startPactVerifier } from '../interaction.ts';
import { failure, failureOf, keyed, oneOf, retryAfter } from './promised.ts';
import { createTill, type Till } from './till.ts';

const play = startPactVerifier('point-of-sale', 'business');
const root = '/api/integrations/v1';
const notReady = failure(oneOf(['API_NOT_READY', 'ORDERS_NOT_READY'], 'API_NOT_READY'));

/** The outcome of an action, and the pauses of the till. */
async function patience(till: Till, act: (till: Till) => Promise<unknown>): Promise<unknown> {
  const outcome = await act(till).catch(String);
  return [outcome, till.pauses];
}

describe('a service that cannot answer now', () => {
  it('says how long to wait when it allows no more requests', async () => {
    const asked = {
      path: `${root}/orders/index.php`,
      query: { limit: '100' },
      headers: keyed,
      given: { 'the service allows no more requests': {} },
    };
    const interaction = { ...asked, description: 'one request for orders too many', status: 429, responseHeaders: retryAfter };
    const waited = play({ ...interaction, body: failureOf('RATE_LIMITED') }, (url) =>
      patience(createTill(url), (till) => till.syncOrders()),
    );
    expect(await waited).toEqual([expect.stringMatching(/^Unavailable: the service allows no more requests/), [7000, 7000]]);
  });

  it('says so when its orders are not ready', async () => {
    const asked = { path: `${root}/orders/index.php`, query: { limit: '100' }, headers: keyed, given: { 'the service is not ready': {} } };
    const interaction = { ...asked, description: 'a request for orders that comes too early', status: 503, body: notReady };
    const waited = play(interaction, (url) => patience(createTill(url, { attempts: 4 }), (till) => till.syncOrders()));
    expect(await waited).toEqual([expect.stringMatching(/^Unavailable: the service is not ready/), [1000, 2000, 4000]]);
  });

  it('says so when nothing is ready', async () => {
    const asked = { path: `${root}/whoami.php`, headers: keyed, given: { 'the service is not ready': {} } };
    const interaction = { ...asked, description: 'a request for the identity that comes too early', status: 503, body: notReady };
    const waited = play(interaction, (url) => patience(createTill(url), (till) => till.service.identity()));
    expect(await waited).toEqual([expect.stringMatching(/^Unavailable/), [1000, 2000]]);
  });
});
