/** Mocks that are started with faults, over HTTP. */

import { afterAll, describe, expect, it } from 'vitest';
import { mutantsOf, serveMutants } from '../../../../mocks/mutants/serve-mutants.ts';
import { type RunningMock, startMock } from '../../../../mocks/start.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';
import { serveApi } from '../../../helpers/served.ts';

const started: RunningMock[] = [];
afterAll(() => Promise.all(started.map((mock) => mock.close())));

async function start(...faults: readonly string[]): Promise<RunningMock> {
  const mock = await startMock({ faults });
  started.push(mock);
  return mock;
}

describe('a mock with faults', () => {
  it('deviates where the fault is, and nowhere else', async () => {
    const [faulty, sound] = [await start('filter-ignored:listOrders.channel'), await start()];
    const read = async (mock: RunningMock, query: string): Promise<string> =>
      (await ask(mock, `${business.orders}?limit=9&${query}`, withKey(mock.keys['full']))).text;
    expect(await read(faulty, 'channel=table')).not.toBe(await read(sound, 'channel=table'));
    expect(await read(faulty, 'channel=table')).toContain('takeaway');
    expect(await read(faulty, 'status=pending')).toBe(await read(sound, 'status=pending'));
  });

  it('may have several, also of both contracts', async () => {
    const mock = await start('expired-key-accepted:business', 'search-ignored:listEntries.q', 'failure-html:wiki');
    expect((await ask(mock, business.identity, withKey(mock.keys['expired']))).status).toBe(200);
    expect((await ask(mock, `${wiki}?q=zzzzqqqq`)).at('/meta/total')).toBeGreaterThan(0);
    expect((await ask(mock, `${wiki}/nothing-here`)).text).toMatch(/^<!doctype html>/);
    expect((await ask(mock, business.identity)).at('/error/code')).toBe('UNAUTHORIZED');
  });

  it('has the faults named twice only once', async () => {
    const mock = await start('total-off-by-one:listEntries', 'total-off-by-one:listEntries');
    expect(mock.faults.map((fault) => fault.id)).toEqual(['total-off-by-one:listEntries']);
  });

  it('still says what it ought to do', async () => {
    const [faulty, sound] = [await start('level-shown:listEntries.team'), await start()];
    expect(faulty.hiddenSlugs).toEqual(sound.hiddenSlugs);
    expect(faulty.keys).toEqual(sound.keys);
    expect(faulty.contracts).toEqual(sound.contracts);
    expect(sound.faults).toEqual([]);
  });

  it.each([
    ['exclusive-uper:listReservations.date_to', 'is exclusive-upper:listReservations.date_to meant?'],
    ['nonsense', 'touchstone mock --list-faults lists them'],
  ])('is refused when a fault does not exist: %s', async (id, advice) => {
    await expect(startMock({ faults: [id] })).rejects.toThrow(advice);
    await expect(startMock({ faults: [id] })).rejects.toThrow(expect.objectContaining({ name: 'UsageError' }));
  });

  it('is refused when two faults change the same place', async () => {
    const ids = ['bound-ignored:listReservations.date_to', 'exclusive-upper:listReservations.date_to'];
    await expect(startMock({ faults: ids })).rejects.toThrow('cannot stand together');
  });
});

describe('a contract of somebody else', () => {
  it.each(['parcels', 'library', 'plain'])('%s has faults too, and each of them can be made', async (name) => {
    const api = await serveApi(fixture(name));
    const faults = mutantsOf(api.contract);
    expect(faults.length).toBeGreaterThan(0);
    expect(new Set(faults.map((fault) => fault.id)).size).toBe(faults.length);
    for (const fault of faults) expect(() => serveMutants(api, [fault]), fault.id).not.toThrow();
  });
});
