/** A recorded pact holds at a mock with another seed and time, and at a server written independently. */

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyPacts } from '../../../../contracts/pact/verify/verify-pacts.ts';
import type { Json } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { PactVerification } from '../../../../core/results/pact-verify-result.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { startMock } from '../../../../mocks/start-mock.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { type RecordingMock, recordBusiness, recordWiki } from '../../../helpers/recording-mock.ts';
import { business, wiki } from '../../../helpers/request-targets.ts';
import { startSecondServer } from '../../../second/second-server.ts';
import { complaintsOf } from '../../contracts/pact/verify/verifying.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Server {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
}

async function verify({ pact, api }: RecordingMock, server: Server, require: number | 'all' = 'all'): Promise<PactVerification> {
  const contract = await openContract(contractFile(api.contract.name));
  const keys = Object.entries(server.keys).map(
    ([role, value]) => [role, { variable: `KEY_${role.replaceAll(/\W/g, '_')}`, value }] as const,
  );
  return verifyPacts({ pairs: [{ pact: pact(), contract }], target: server.url, keys: Object.fromEntries(keys), require });
}

const textAt = (body: Json | undefined, pointer: string): string => String(valueAt(body, pointer));

/** A shop that pages through changes, reads what it found, and is refused now and then. */
async function visitBusiness(): Promise<RecordingMock> {
  const mock = await recordBusiness();
  const withRole = (role: string, more = {}): Readonly<Record<string, string>> => ({
    'x-service-api-key': mock.api.keys.byRole.get(role) ?? role,
    ...more,
  });
  const since = 'updated_after=2020-01-01T00:00:00Z';
  const page = await mock.get(`${business.orders}?${since}&limit=3`);
  await mock.get(`${business.orders}?${since}&limit=3&cursor=${encodeURIComponent(textAt(page, '/data/page/next_cursor'))}`);
  await mock.get(`${business.orders}?updated_after=2026-03-29T15:30:00Z`);
  await mock.get(`${business.reservations}?date_from=2026-03-29&date_to=2026-03-29&status=pending,confirmed&limit=100`);
  const id = textAt(page, '/data/orders/0/id');
  await mock.get(`${business.order}?code=${textAt(page, '/data/orders/0/code')}`);
  await mock.get(`${business.order}?id=${id}`, withRole('full', { 'if-none-match': '*' }));
  await mock.get(`${business.order}?id=987654321`);
  await mock.get(business.menu, withRole('full', { 'if-none-match': '*' }));
  await mock.get(business.menu, withRole('no-menu'));
  await mock.get(business.identity, {});
  await mock.get(business.identity, withRole('expired'));
  await mock.get(business.orders, withRole('without:orders.read'));
  await mock.get(`${business.orders}?limit=101`);
  return mock;
}

async function visitWiki(): Promise<RecordingMock> {
  const mock = await recordWiki();
  const page = await mock.get(`${wiki}?type=creature&limit=2`);
  await mock.get(`${wiki}?limit=2&page=2`);
  await mock.get(`${wiki}?q=sale`);
  await mock.get(`${wiki}/${textAt(page, '/data/0/slug')}`);
  await mock.get(`${wiki}/nothing-of-this-name`);
  return mock;
}

describe('a recorded pact', () => {
  let shop: RecordingMock;
  let game: RecordingMock;
  beforeAll(async () => {
    [shop, game] = [await visitBusiness(), await visitWiki()];
  });

  it('has all requests of these clients', () => {
    expect([...shop.leftOut(), ...game.leftOut()]).toEqual([]);
    expect([shop.pact().interactions.length, game.pact().interactions.length]).toEqual([13, 5]);
  });

  it('holds at a mock with another seed and time', async () => {
    await using mock = await startMock({ seed: 4, clock: '2027-02-03T19:00:00Z' });
    expect(complaintsOf(await verify(shop, mock))).toEqual([]);
    expect(complaintsOf(await verify(game, mock))).toEqual([]);
  });

  it('holds at a server that was written from the documents alone', async () => {
    await using server = await startSecondServer({ api: 'business' });
    expect(complaintsOf(await verify(shop, server))).toEqual([]);
    await using other = await startSecondServer({ api: 'wiki' });
    expect(complaintsOf(await verify(game, other))).toEqual([]);
  });

  it('fails at a server that violates an expectation of the client', async () => {
    await using mock = await startMock({ mutants: ['field-of-other-type:listOrders.id'] });
    const client = await recordBusiness();
    await client.get(`${business.orders}?updated_after=2026-03-29T15:30:00Z`);
    const complaints = complaintsOf(await verify(client, mock));
    expect(complaints.join('\n')).toContain('a request to list orders by updated_after');
  });
});
