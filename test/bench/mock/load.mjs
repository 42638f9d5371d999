/** Loads a server from another process, and measures what a request costs it. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuMs } from './process.mjs';

const connections = 8;
const leastBatch = 50;

/** A client process that serves one load after the other. */
export function startClient() {
  const child = fork(fileURLToPath(new URL('./client.mjs', import.meta.url)));
  return {
    run: async (load) => {
      child.send({ connections, times: 1, ...load });
      const [{ statuses, error }] = await once(child, 'message');
      if (error !== undefined) throw new Error(`the load on port ${load.port} failed: ${error}`);
      return statuses;
    },
    stop: () => child.kill(),
  };
}

/**
 * The processor time of one request in microseconds. Sends growing batches until the resolution of the measurement, a hundredth of a second, no longer
 * matters. `paths(count)` returns that many paths.
 */
export async function measureCost(client, server, { paths, headers = {} }, wantedMs) {
  const statuses = {};
  let [requests, usedMs, batch] = [0, 0, leastBatch];
  while (usedMs < wantedMs) {
    const next = paths(batch);
    const before = cpuMs(server.pid);
    const seen = await client.run({ port: server.port, headers: { ...server.headers, ...headers }, paths: next });
    usedMs += cpuMs(server.pid) - before;
    requests += next.length;
    for (const [status, count] of Object.entries(seen)) statuses[status] = (statuses[status] ?? 0) + count;
    batch = Math.min(batch * 2, 5000);
  }
  return { microseconds: (usedMs * 1000) / requests, requests, statuses };
}

export function same(path) {
  return (count) => Array.from({ length: count }, () => path);
}

/** Fresh paths: `make` gets a number that never repeats. */
export function fresh(make) {
  let next = 0;
  return (count) =>
    Array.from({ length: count }, () => {
      next += 1;
      return make(next - 1);
    });
}

export function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
