/** Loaded into a server: tells its parent the longest turn of its event loop, in milliseconds of the main thread's processor time. */

import { readFileSync } from 'node:fs';

const cpuMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

let longestMs = 0;
let earlierMs = cpuMs();
// A timer runs once in a turn, so what was spent since the last one is at least what one turn took.
setInterval(() => {
  const nowMs = cpuMs();
  longestMs = Math.max(longestMs, nowMs - earlierMs);
  earlierMs = nowMs;
}, 1).unref();

process.on('message', () => {
  process.send(longestMs);
  longestMs = 0;
});
process.channel?.unref();
