/** Mocks with mutants over HTTP. */

import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { serveMutants } from '../../../../mocks/mutants/add-mutants.ts';
import { mutantsOf } from '../../../../mocks/mutants/find-mutants.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { business, recordsOf, wiki, withKey } from '../../../helpers/request-targets.ts';
import { serveApi } from '../../../helpers/served.ts';

const started: RunningMock[] = [];
afterAll(() => Promise.all(started.map((mock) => mock.close())));

async function start(...mutants: readonly string[]): Promise<RunningMock> {
  const mock = await startMock({ mutants });
  started.push(mock);
  return mock;
}

describe('a mock with mutants', () => {
  it('deviates only at the place of the mutant', async () => {
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

  it('may have several of one list', async () => {
    const mock = await start('filter-ignored:listOrders.channel', 'filter-ignored-beside-other:listOrders.status+updated_after');
    const read = async (query: string): Promise<readonly JsonObject[]> =>
      recordsOf(await ask(mock, `${business.orders}?limit=9${query}`, withKey(mock.keys['full'])), '/data/orders');
    const since = '&updated_after=2020-01-01T00:00:00Z';
    expect(await read(`${since}&status=pending&channel=table`)).toEqual(await read(since));
    expect(await read('&status=pending&channel=table')).not.toEqual(await read(''));
  });

  it('serves a mutant that is named twice once', async () => {
    const mock = await start('total-off-by-one:listEntries', 'total-off-by-one:listEntries');
    expect(mock.mutants.map((mutant) => mutant.id)).toEqual(['total-off-by-one:listEntries']);
  });

  it('still has the contract without the mutant', async () => {
    const [faulty, sound] = [await start('level-shown:listEntries.team'), await start()];
    expect(faulty.hiddenRecords).toEqual(sound.hiddenRecords);
    expect(faulty.keys).toEqual(sound.keys);
    expect(faulty.contracts).toEqual(sound.contracts);
    expect(sound.mutants).toEqual([]);
  });

  it.each([
    ['exclusive-uper:listReservations.date_to', 'did you mean exclusive-upper:listReservations.date_to?'],
    ['nonsense', 'touchstone mock --list-mutants lists them'],
  ])('is refused when a mutant does not exist: %s', async (id, advice) => {
    await expect(startMock({ mutants: [id] })).rejects.toThrow(advice);
    await expect(startMock({ mutants: [id] })).rejects.toThrow(expect.objectContaining({ name: 'UsageError' }));
  });

  it('is refused when two mutants change the same place', async () => {
    const ids = ['inverted-range-empty:listReservations.date_from', 'inverted-range-swapped:listReservations.date_from'];
    await expect(startMock({ mutants: ids })).rejects.toThrow('cannot be combined');
  });
});

describe('a contract outside the package', () => {
  it.each(['parcels', 'library', 'plain'])('%s has mutants too, and each of them can be made', async (name) => {
    const api = await serveApi(fixture(name));
    const mutants = mutantsOf(api.contract);
    expect(mutants.length).toBeGreaterThan(0);
    expect(new Set(mutants.map((mutant) => mutant.id)).size).toBe(mutants.length);
    for (const mutant of mutants) expect(() => serveMutants(api, [mutant]), mutant.id).not.toThrow();
  });
});
