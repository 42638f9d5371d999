/** Prism's pipeline around a behaviour: it gives the answer of the behaviour, whatever the validators found, and fails with its error. */

import { describe, expect, it } from 'vitest';
import { createBehaviour } from '../../../mocks/behaviour.ts';
import { identify } from '../../../mocks/caller.ts';
import { throughPrism } from '../../../mocks/prism.ts';
import { serveApi } from '../../helpers/served.ts';
import { business } from '../../helpers/targets.ts';

const api = await serveApi('business');
const operation = api.contract.operations.find(({ id }) => id === 'listOrders');
if (operation === undefined) throw new Error('the contract has no orders');

/** A request that has neither a key nor a parameter that is right. */
const request = { method: 'GET', target: `${business.orders}?limit=none`, headers: {} };
const identification = identify(operation, request, api.keys, api.world);
const call = createBehaviour(api, operation).call({ request, segments: new Map(), nowMs: 0, identification });

describe('a call through Prism', () => {
  it('is answered by the behaviour, which knows the problems', async () => {
    expect([call.identification.kind, call.reading.problems.length]).toEqual(['stranger', 1]);
    const answer = { status: 200, headers: {}, body: 'mine' };
    expect(await throughPrism(call, async () => answer)).toBe(answer);
    expect((await throughPrism(call, async () => call.behave())).status).toBe(401);
  });

  it('fails with the error of the behaviour', async () => {
    const error = new Error('broken');
    await expect(throughPrism(call, () => Promise.reject(error))).rejects.toBe(error);
  });
});
