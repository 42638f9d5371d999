/** The header Mock-Profile: rare but valid records for one request, and nothing changes for others. */

import { expect, it } from 'vitest';
import { valueAt } from '../../../../core/pointer.ts';
import { startSequence } from '../../../helpers/client-sequence.ts';

const orders = '/api/integrations/v1/orders/index.php?limit=100';

it('answers open questions otherwise for one request', async () => {
  const client = await startSequence();
  const phonesWith = async (headers: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
    const { body } = await client.send(orders, { headers });
    return (valueAt(body, '/data/orders') as readonly { readonly customer?: object }[]).map(({ customer }) =>
      customer !== undefined && 'phone' in customer ? customer.phone : 'absent',
    );
  };
  const usual = await phonesWith({});
  const [nulls, absent] = [await phonesWith({ 'mock-profile': 'null' }), await phonesWith({ 'mock-profile': 'absent' })];
  const rare = nulls.flatMap((phone, index) => (phone === null ? [index] : []));
  expect(rare.length).toBeGreaterThan(0);
  expect(rare.map((index) => absent[index])).toEqual(rare.map(() => 'absent'));
  expect(usual).not.toContain(null);
  expect(await phonesWith({})).toEqual(usual);
  // Such a request is what a developer asked for.
  expect(client.report().requests).toBe(2);
});

it.each([
  ['purple', /; the choices are absent, /],
  ['refusd', /; did you mean refused\?$/],
])('is ignored, with advice, where no question has the choice %s', async (choice, advice) => {
  const client = await startSequence({ contract: 'wiki' });
  const { status, headers } = await client.send('/api/v1/wiki?limit=1', { role: 'none', headers: { 'mock-profile': choice } });
  expect(status).toBe(200);
  expect(headers['mock-note']).toMatch(/^Mock-Profile is ignored: no open question has this choice; /);
  expect(headers['mock-note']).toMatch(advice);
});
