/** Pacts of a running mock: from its handle, over `/__mock/pact`, and with the control client. */

import { describe, expect, it } from 'vitest';
import { connectControl, UsageError } from '../../../../mocks/control/index.ts';
import { startMock } from '../../../../mocks/start-mock.ts';
import { startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';

describe('the pact of a mock', () => {
  it('is made from the journal by default', async () => {
    await using mock = await startJudgedMock({ contracts: ['wiki'], journal: 2 });
    for (const target of [`${wiki}?limit=1`, `${wiki}?type=brand`, '/nowhere']) await ask(mock, target);
    const { pact, text, provider, interactions, leftOut } = mock.recordPact({ consumer: 'game' });
    expect(JSON.parse(text)).toEqual(pact);
    expect({ provider, interactions }).toEqual({ provider: 'wiki', interactions: 1 });
    expect(leftOut).toEqual([{ reason: 'no operation of the contract has its path and method', count: 1, example: 'GET /nowhere' }]);
    expect(pact).toMatchObject({
      consumer: { name: 'game' },
      provider: { name: 'wiki' },
      metadata: { pactSpecification: { version: '4.0' } },
    });
    mock.reset();
    expect(mock.recordPact({ consumer: 'game' }).interactions).toBe(0);
  });

  it('has all requests with recordPacts, even those that the journal has dropped', async () => {
    let told = 0;
    await using mock = await startJudgedMock({ contracts: ['wiki'], journal: 0, recordPacts: true, onPact: () => (told += 1) });
    for (const target of [`${wiki}?limit=1`, `${wiki}?limit=1`, `${wiki}?limit=22`, `${wiki}?type=brand`]) await ask(mock, target);
    mock.reset();
    expect(mock.recordPact({ consumer: 'game' }).interactions).toBe(2);
    expect(told).toBe(2);
  });

  it('has one provider, which must be named if the client called several', async () => {
    await using mock = await startJudgedMock();
    expect(() => mock.recordPact({ consumer: 'shop' })).toThrow(
      'this mock serves business, wiki; name one of them as the provider of the pact',
    );
    await ask(mock, wiki);
    expect(mock.recordPact({ consumer: 'shop' }).provider).toBe('wiki');
    await ask(mock, business.menu, withKey(mock.keys['full']));
    expect(() => mock.recordPact({ consumer: 'shop' })).toThrow(UsageError);
    expect(mock.recordPact({ consumer: 'shop', provider: 'business' }).interactions).toBe(1);
    expect(() => mock.recordPact({ consumer: 'shop', provider: 'other' })).toThrow(
      'this mock does not serve other; name one of business, wiki',
    );
    expect(() => mock.recordPact({ consumer: '' })).toThrow('the consumer of a pact needs a name');
  });

  it('is refused for a mock with mutants', async () => {
    await using mock = await startMock({ contracts: ['wiki'], mutants: ['search-ignored:listEntries.q'] });
    expect(() => mock.recordPact({ consumer: 'game' })).toThrow('this mock deviates from its contract');
  });

  it('is read over HTTP', async () => {
    await using mock = await startJudgedMock({ contracts: ['wiki'] });
    await ask(mock, `${wiki}?limit=1`);
    await ask(mock, '/nowhere');
    const control = connectControl(mock.url);
    const pact = await control.pact.read({ consumer: 'game' });
    expect(pact).toEqual(mock.recordPact({ consumer: 'game' }).pact);
    expect(await control.pact.leftOut({ consumer: 'game', provider: 'wiki' })).toMatchObject({
      provider: 'wiki',
      interactions: 1,
      leftOut: [{ count: 1 }],
    });
    await expect(control.pact.read({ consumer: 'game', provider: 'x' })).rejects.toThrow('this mock does not serve x');
    expect((await ask(mock, '/__mock/pact')).at('/error/message')).toBe(
      'The consumer is missing; name the program that calls the mock, as in ?consumer=NAME.',
    );
    expect((await ask(mock, '/__mock/pact?consumr=a')).at('/error/message')).toBe(
      'A pact has no parameter consumr; did you mean consumer?',
    );
    expect((await ask(mock, '/__mock/pact?consumer=a&consumer=b')).at('/error/message')).toBe(
      'consumer was given more than once; give it once.',
    );
  });
});
