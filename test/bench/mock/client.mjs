/**
 * Sends the load, in a process of its own so that its processor time is not the server's. A message asks for a load (where, what, how many connections); the
 * reply counts the answers by status.
 */

import { Agent, request } from 'node:http';

process.on('message', async ({ port, headers, paths, times, connections }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses = {};
  let next = 0;
  const total = paths.length * times;
  const worker = async () => {
    while (next < total) {
      const path = paths[next % paths.length];
      next += 1;
      const status = await ask(agent, port, path, headers);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, worker));
    process.send({ statuses });
  } catch (error) {
    process.send({ error: String(error) });
  } finally {
    agent.destroy();
  }
});

function ask(agent, port, path, headers) {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, agent }, (incoming) => {
      incoming.on('error', reject);
      incoming.on('end', () => resolve(incoming.statusCode));
      incoming.resume();
    })
      .on('error', reject)
      .end();
  });
}
