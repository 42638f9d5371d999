/**
 * Starts the mock by the given command, asks one question of each API, and stops it as Ctrl-C does. The command must print a JSON line with `url` and `keys`
 * once it listens; npm may print lines before it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;

const [command, ...parameters] = process.argv.slice(2);
const child = spawn(command, parameters, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(child, 'exit');

try {
  const { url, keys } = await readGreeting();
  await ask(`${url}/api/integrations/v1/orders/index.php`, { 'X-SERVICE-API-Key': keys.full });
  await ask(`${url}/api/v1/wiki`, {});
  await stop(url);
} finally {
  // Nothing stays behind, whatever went wrong.
  signal('SIGKILL');
}

async function readGreeting() {
  const timer = setTimeout(() => signal('SIGKILL'), startTimeoutMs);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    clearTimeout(timer);
    return JSON.parse(line);
  }
  throw new Error(`${command} ended, or printed no JSON line within ${startTimeoutMs} ms`);
}

async function ask(url, headers) {
  const response = await fetch(url, { headers });
  const body = await response.json();
  if (response.status !== 200 || typeof body.data !== 'object')
    throw new Error(`${url} answered ${response.status}: ${JSON.stringify(body)}`);
  console.log(`${url} answered 200`);
}

/** Signals the whole process group, as a keyboard does: npm and npx stand between the terminal and the mock. */
async function stop(url) {
  signal('SIGINT');
  const timer = setTimeout(() => signal('SIGKILL'), stopTimeoutMs);
  const [code, cause] = await ended;
  clearTimeout(timer);
  const clean = code === 0 || code === 130 || cause === 'SIGINT';
  if (!clean) throw new Error(`the mock did not stop cleanly: exit code ${code}, signal ${cause}`);
  const open = await fetch(url).then(
    () => true,
    () => false,
  );
  if (open) throw new Error(`${url} still answers after the stop`);
  console.log('stopped');
}

/** A process group that has already ended is no error. */
function signal(name) {
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
