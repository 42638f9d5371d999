/** Reported failure when several apply: every order that `precedence` offers, each pair of conditions. */

import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../core/openapi/contract.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import type { Dataset } from '../../../mocks/data/dataset.ts';
import { createExampleDataset } from '../../../mocks/data/example-dataset.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import type { Fields } from '../../helpers/plain-client.ts';
import { business } from '../../helpers/request-targets.ts';
import { createDirectMock, type DirectMock, serveApi } from '../../helpers/served.ts';

/** Orders without a menu, so that a menu can be absent for a key that lacks its scope. */
function withoutMenu(contract: Contract): Dataset {
  return { ...createExampleDataset(contract), resource: () => undefined };
}

interface Stage {
  readonly mock: DirectMock;
  readonly key: (role: string) => Fields;
}

async function stage(precedence: string): Promise<Stage> {
  const api = await serveApi('business', { profile: { precedence }, dataset: withoutMenu });
  const key = (role: string): Fields => ({ 'x-service-api-key': api.keys.byRole.get(role) ?? '' });
  return { mock: createDirectMock([api]), key };
}

const contract = await openContract(contractFile('business'));
const choices = [...(contract.questions.get('precedence')?.choices.keys() ?? [])];

it('the question has the choices that are tried here', () => {
  expect(choices).toEqual(['key-first', 'query-first', 'limit-first', 'service-first']);
});

describe.each(choices)('with the precedence %s', async (precedence) => {
  const { mock, key } = await stage(precedence);
  const queryFirst = precedence === 'query-first';

  it('a request without a valid key is told so before anything else', async () => {
    for (const headers of [{}, { 'x-service-api-key': 'wrong' }, key('expired')]) {
      for (const target of [
        business.orders,
        `${business.orders}?limit=0`,
        `${business.order}?id=1`,
        `${business.order}?id=x`,
        business.menu,
      ]) {
        expect((await mock.get(target, { ...headers, 'if-none-match': '*' })).status).toBe(401);
      }
    }
  });

  it(`a missing scope is told ${queryFirst ? 'after' : 'before'} a wrong parameter`, async () => {
    const headers = key('without:orders.read');
    for (const wrong of [`${business.orders}?limit=101`, `${business.orders}?cursor=x`, `${business.order}?id=0`, business.order]) {
      expect((await mock.get(wrong, headers)).status).toBe(queryFirst ? 422 : 403);
    }
    expect((await mock.get(business.orders, headers)).status).toBe(403);
  });

  it('a missing scope is told before absence and before the copy is compared', async () => {
    expect((await mock.get(`${business.order}?id=1`, key('without:orders.read'))).status).toBe(403);
    expect((await mock.get(business.menu, key('without:menu'))).status).toBe(403);
    expect((await mock.get(`${business.order}?id=4711`, { ...key('without:orders.read'), 'if-none-match': '*' })).status).toBe(403);
  });

  it('a wrong parameter is told before absence, even if another one names nothing', async () => {
    expect((await mock.get(`${business.order}?id=1&code=x`, key('full'))).status).toBe(422);
    expect((await mock.get(`${business.order}?id=0`, key('full'))).status).toBe(422);
  });

  it('absence is told before the copy is compared', async () => {
    expect((await mock.get(business.menu, { ...key('full'), 'if-none-match': '*' })).status).toBe(404);
    expect((await mock.get(`${business.order}?id=1`, { ...key('full'), 'if-none-match': '*' })).status).toBe(404);
    expect((await mock.get(`${business.order}?id=4711`, { ...key('other'), 'if-none-match': '*' })).status).toBe(404);
    expect((await mock.get(`${business.order}?id=4711`, { ...key('full'), 'if-none-match': '*' })).status).toBe(304);
  });
});
