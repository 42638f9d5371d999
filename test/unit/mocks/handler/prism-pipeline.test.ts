/** Prism's pipeline: it returns the answer of the behaviour also if validation fails, and throws its error. */

import { describe, expect, it } from 'vitest';
import { identify } from '../../../../mocks/handler/caller.ts';
import { createOperationHandler } from '../../../../mocks/handler/operation-handler.ts';
import { throughPrism } from '../../../../mocks/handler/prism-pipeline.ts';
import { business } from '../../../helpers/request-targets.ts';
import { serveApi } from '../../../helpers/served.ts';

const api = await serveApi('business');
const operation = api.contract.operations.find(({ id }) => id === 'listOrders');
if (operation === undefined) throw new Error('the contract has no orders');

/** A request without a key, with a wrong parameter. */
const request = { method: 'GET', target: `${business.orders}?limit=none`, headers: {} };
const identification = identify(operation, request, api.keys, api.dataset);
const call = createOperationHandler(api, operation).call({ request, segments: new Map(), nowMs: 0, identification });

describe('a call through Prism', () => {
  it('is answered by the behaviour', async () => {
    expect([call.identification.kind, call.reading.problems.length]).toEqual(['stranger', 1]);
    const answer = { status: 200, headers: {}, body: 'mine' };
    expect(await throughPrism(call, async () => answer)).toBe(answer);
    expect((await throughPrism(call, async () => call.respond())).status).toBe(401);
  });

  it('fails with the error of the behaviour', async () => {
    const error = new Error('broken');
    await expect(throughPrism(call, () => Promise.reject(error))).rejects.toBe(error);
  });
});
