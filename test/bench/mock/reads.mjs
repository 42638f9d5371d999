/** Cost of a request at each server: first reads of lists and records, repeated reads, and conditional reads. */

import { join } from 'node:path';
import { fresh, measureCost, median, same, startClient } from './load.mjs';
import { ask, residentMb } from './process.mjs';
import { paths, readKey, startBackend, startBare, startOurs, startPrism, writeAnswers } from './servers.mjs';

/** More than the cache of responses holds, so each is forgotten before the measurement asks for it again. */
const records = 40_000;

/** Microseconds of processor time for a request, by measurement and server, and MB under load by server: the medians. */
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
    return await measureAll(client, servers, measurements, plan);
  } finally {
    client.stop();
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/**
 * Every measurement at every server in turns, so that a disturbance of the machine affects all of them. The first round warms up and does not count. Memory
 * is read after each measurement: it rises by half between two garbage collections, so a single reading would compare chance moments.
 */
async function measureAll(client, servers, measurements, { rounds, cpuMs }) {
  const samples = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [measurement, load] of Object.entries(measurements)) {
      for (const [name, server] of Object.entries(servers)) {
        const cost = await measureCost(client, server, load(name), cpuMs);
        if (round > 0) samples.push({ measurement, name, mb: residentMb(server.pid), ...cost });
      }
    }
  }
  const byServer = (summarise) => Object.fromEntries(Object.keys(servers).map((name) => [name, summarise(name)]));
  const costs = Object.keys(measurements).map((measurement) => {
    const samplesOf = (name) => samples.filter((sample) => sample.measurement === measurement && sample.name === name);
    return [measurement, byServer((name) => summarise(samplesOf(name)))];
  });
  const loadedMb = byServer((name) => median(samples.filter((sample) => sample.name === name).map(({ mb }) => mb)));
  return { costs: Object.fromEntries(costs), loadedMb };
}

async function planMeasurements(ours, id, etag) {
  const ids = await listIds(ours);
  const order = `${paths.order}?id=${id}`;
  // Each server gets its own paths: one that a server has answered is still fresh for another.
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
    'an order, first time': byServer(() => fresh((number) => `${paths.order}?id=${ids[number % ids.length]}`)),
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

function summarise(samples) {
  const statuses = [...new Set(samples.flatMap((sample) => Object.keys(sample.statuses)))];
  return { median: median(samples.map(({ microseconds }) => microseconds)), statuses };
}
