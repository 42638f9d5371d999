/** Time from the start of the process to the first page, and memory after it. Each server starts several times, in turns. */

import { join } from 'node:path';
import { median } from './load.mjs';
import { residentMb } from './process.mjs';
import { readKey, startBackend, startBare, startOurs, startPrism, writeAnswers } from './servers.mjs';

/** Milliseconds to the first answer and MB after it, by server: the medians. */
export async function measureStarts(folder, plan) {
  const home = join(folder, 'starts');
  const key = await readKey();
  const ours = await startOurs(key);
  await writeAnswers(home, ours);
  await ours.stop();
  const starters = {
    bare: () => startBare(home),
    ours: () => startOurs(key),
    prism: () => startPrism(home, key),
    ...(plan.peer === undefined ? {} : { backend: () => startBackend(home, plan.peer, key) }),
  };
  const samples = Object.fromEntries(Object.keys(starters).map((name) => [name, []]));
  for (let round = 0; round < plan.starts; round += 1) {
    for (const [name, starter] of Object.entries(starters)) {
      const server = await starter();
      samples[name].push({ ms: server.startMs, mb: residentMb(server.pid) });
      await server.stop();
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [
      name,
      { ms: median(list.map(({ ms }) => ms)), idleMb: median(list.map(({ mb }) => mb)) },
    ]),
  );
}
