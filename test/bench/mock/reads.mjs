/** Cost of a request at each server: first reads of lists and records, repeated reads, and conditional reads. */

import { join } from 'node:path';
import { fresh, measureCost, median, same, startClient } from './load.mjs';
import { ask, residentMb } from './process.mjs';
import { paths, readKey, startBackend, startBare, startOurs, startPrism, writeAnswers } from './servers.mjs';

/** So many records that no measurement has to ask for one twice. */
const records = 40_000;

/** Microseconds of processor time for a request, by measurement and server, and MB under load by server. */
export async function measureReads(folder, plan) {
  const home = join(folder, 'reads');
  const key = await readKey();
  const ours = await startOurs(key, ['--size', `orders=${records}`]);
  const { id, etag } = await writeAnswers(home, ours);
  const servers = { bare: await startBare(home), ours, prism: await startPrism(home, key) };
  if (plan.peer !== undefined) servers.backend = await startBackend(home, plan.peer, key);
  const client = startClient();
  try {
    const measurements = await planMeasurements(ours, id, etag);
    const costs = await measureAll(client, servers, measurements, plan);
    const loadedMb = Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, residentMb(server.pid)]));
    return { costs, loadedMb };
  } finally {
    client.stop();
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** Every measurement at every server, in turns, so that what disturbs the machine disturbs all of them. The first round warms up, with as much processor time for each as the others have, and counts for nothing. */
async function measureAll(client, servers, measurements, { rounds, cpuMs }) {
  const samples = new Map();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [measurement, load] of Object.entries(measurements)) {
      for (const [name, server] of Object.entries(servers)) {
        const cost = await measureCost(client, server, load(name), cpuMs);
        const key = `${measurement}\n${name}`;
        samples.set(key, round === 0 ? [] : [...(samples.get(key) ?? []), cost]);
      }
    }
  }
  const summariseAt = (measurement) => Object.keys(servers).map((name) => [name, summarise(samples.get(`${measurement}\n${name}`) ?? [])]);
  return Object.fromEntries(Object.keys(measurements).map((measurement) => [measurement, Object.fromEntries(summariseAt(measurement))]));
}

async function planMeasurements(ours, id, etag) {
  const ids = await listIds(ours);
  const order = `${paths.order}?id=${id}`;
  // Each server gets paths of its own: what was asked of one was not asked of another.
  const byServer = (make) => {
    const given = new Map();
    return (name) => {
      if (!given.has(name)) given.set(name, make());
      return { paths: given.get(name) };
    };
  };
  const instant = (number) => new Date(Date.UTC(2001, 0, 1) + number * 1000).toISOString().replace('.000', '');
  return {
    'a page of 50, first time': byServer(() => fresh((number) => `${paths.page}&updated_after=${instant(number)}`)),
    'an order, first time': byServer(() => fresh((number) => (ids[number] === undefined ? undefined : `${paths.order}?id=${ids[number]}`))),
    'a page of 50, again': () => ({ paths: same(paths.page) }),
    'an order, again': () => ({ paths: same(order) }),
    'an order, unchanged (304)': () => ({ paths: same(order), headers: { 'if-none-match': etag } }),
  };
}

async function listIds(ours) {
  const ids = [];
  for (let cursor = ''; cursor !== undefined; ) {
    const page = JSON.parse((await ask(ours, `${paths.page.replace('limit=50', 'limit=100')}${cursor}`)).body).data;
    ids.push(...page.orders.map((each) => each.id));
    cursor = page.page.has_more ? `&cursor=${encodeURIComponent(page.page.next_cursor)}` : undefined;
  }
  return ids;
}

/** A measurement that ran out of paths has fewer rounds. */
function summarise(rounds) {
  const measured = rounds.filter(({ requests }) => requests > 0);
  const statuses = [...new Set(measured.flatMap((each) => Object.keys(each.statuses)))];
  return { median: median(measured.map(({ microseconds }) => microseconds)), statuses };
}
