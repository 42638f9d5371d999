/** A dataset of a million records beside one of a thousand: start, pages, sparse pages, memory, and a walk over all of it. */

import { fresh, measureCost, startClient } from './load.mjs';
import { ask, cpuMs, residentMb } from './process.mjs';
import { paths, readKey, startOurs } from './servers.mjs';

const few = 1000;

export async function measureMillion(plan) {
  const key = await readKey();
  const small = await startOurs(key, ['--size', `orders=${few}`]);
  const large = await startOurs(key, ['--size', `orders=${plan.million}`]);
  const client = startClient();
  try {
    const idleMb = { small: residentMb(small.pid), large: residentMb(large.pid) };
    const costs = {};
    for (const [name, query] of Object.entries({ page: '', sparse: '&status=pending' })) {
      costs[name] = { small: await cost(client, small, query, plan), large: await cost(client, large, query, plan) };
    }
    const walk = await walkAll(large);
    return {
      records: plan.million,
      startMs: { small: small.startMs, large: large.startMs },
      costs,
      walk,
      idleMb,
      loadedMb: residentMb(large.pid),
      bytesEach: ((idleMb.large - idleMb.small) * 2 ** 20) / (plan.million - few),
    };
  } finally {
    client.stop();
    await Promise.all([small.stop(), large.stop()]);
  }
}

/** Cost of pages anywhere in the list: from instants before all records, and from the cursors of a walk followed so far. */
async function cost(client, server, query, plan) {
  const first = fresh(
    (number) => `${paths.page}${query}&updated_after=${new Date(Date.UTC(2001, 0, 1) + number * 1000).toISOString().replace('.000', '')}`,
  );
  await measureCost(client, server, { paths: first }, plan.cpuMs / 3);
  const { microseconds, statuses } = await measureCost(client, server, { paths: first }, plan.cpuMs);
  return { microseconds, statuses: Object.keys(statuses) };
}

/**
 * Walks all records at limit 100 while the clock moves by a second with each page. What changes meanwhile moves to the front, and a read from the newest
 * change on the first page finds it.
 */
async function walkAll(server) {
  const seen = new Set();
  const [startedMs, before] = [performance.now(), cpuMs(server.pid)];
  const first = await readPage(server, '', 0);
  let [pages, delivered, page] = [0, 0, first];
  for (;;) {
    for (const order of page.orders) seen.add(order.id);
    delivered += page.orders.length;
    pages += 1;
    if (!page.page.has_more) break;
    page = await readPage(server, `&cursor=${encodeURIComponent(page.page.next_cursor)}`, pages);
  }
  const [seconds, usedMs] = [(performance.now() - startedMs) / 1000, cpuMs(server.pid) - before];
  const walked = seen.size;
  const since = `&updated_after=${encodeURIComponent(first.orders[0].changed_at)}`;
  for (let cursor = ''; cursor !== undefined; ) {
    const changed = await readPage(server, `${since}${cursor}`, pages);
    for (const order of changed.orders) seen.add(order.id);
    cursor = changed.page.has_more ? `&cursor=${encodeURIComponent(changed.page.next_cursor)}` : undefined;
  }
  return { pages, delivered, walked, found: seen.size, seconds, microsecondsPerPage: (usedMs * 1000) / pages };
}

async function readPage(server, query, second) {
  const { body } = await ask(server, `${paths.page.replace('limit=50', 'limit=100')}${query}`, { 'mock-clock': `PT${second}S` });
  return JSON.parse(body).data;
}
