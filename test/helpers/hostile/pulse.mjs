/**
 * Loaded into a process before its program (`node --import`): measures the longest block of the event loop and the memory, and sends them over
 * IPC on request. The length of a block is the processor time in it, so other processes of the machine do not count.
 */

import { readFileSync, writeFileSync } from 'node:fs';

const everyMs = 2;

/** The processor time of the main thread in milliseconds; on systems other than Linux, of all threads. */
function workedMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

let last = { at: performance.now(), worked: workedMs() };
let worstMs = 0;
let mostBytes = 0;

function beat() {
  const now = { at: performance.now(), worked: workedMs() };
  worstMs = Math.max(worstMs, Math.min(now.at - last.at - everyMs, now.worked - last.worked));
  mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  last = now;
}

setInterval(beat, everyMs).unref();

process.on('message', (message) => {
  if (message !== 'pulse') return;
  beat();
  process.send?.({ blockMs: worstMs, rssMb: mostBytes / 2 ** 20 });
  [worstMs, mostBytes] = [0, 0];
});
process.on('disconnect', () => process.exit());
process.channel?.unref();

// A program that ends normally writes its peak memory to a file.
const { TOUCHSTONE_PULSE: file } = process.env;
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS / 1024)));
