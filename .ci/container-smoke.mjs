/**
 * Runs the commands of containers/Dockerfile without Docker, since no image can be built here: installs the packed package, starts what the image would
 * start, and asks its health check. Paths and the port are those of this machine. Usage: node .ci/container-smoke.mjs TARBALL FOLDER
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';

const startTimeoutMs = 60_000;
const [tarball, folder] = process.argv.slice(2);
const file = readFileSync('containers/Dockerfile', 'utf8').replaceAll(/\\\n\s*/g, '');
const port = await freePort();

// The build sees the package and nothing else.
const context = join(folder, 'install');
mkdirSync(context, { recursive: true });
copyFileSync(tarball, join(context, basename(tarball)));
execFileSync('sh', ['-c', place(textOf('RUN'))], { cwd: context, stdio: 'inherit' });

const [entry, ...parameters] = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')].map(place);
const mock = spawn(entry, parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
const ended = once(mock, 'exit');
try {
  const deadline = performance.now() + startTimeoutMs;
  while (checkHealth() !== 0) {
    if (mock.exitCode !== null || performance.now() > deadline) throw new Error('the health check does not find the mock');
  }
  console.log('healthy');
  mock.kill(textOf('STOPSIGNAL'));
  const [code] = await ended;
  if (code !== 0) throw new Error(`the mock ended with exit code ${code}`);
  if (checkHealth() === 0) throw new Error('the health check finds a mock that is gone');
  console.log('stopped');
} finally {
  mock.kill('SIGKILL');
}

function checkHealth() {
  const [command, ...words] = wordsOf('HEALTHCHECK').map(place);
  return spawnSync(command, words, { stdio: 'ignore' }).status;
}

/** The text of an instruction; the last one counts. */
function textOf(name) {
  const found = [...file.matchAll(new RegExp(`^${name}\\s+(.*)$`, 'gm'))].at(-1);
  if (found === null || found === undefined) throw new Error(`containers/Dockerfile has no ${name}`);
  return found[1];
}

function wordsOf(name) {
  const text = textOf(name);
  return JSON.parse(text.slice(text.indexOf('[')));
}

function place(text) {
  return text.replaceAll('/opt/touchstone', join(folder, 'opt')).replaceAll('4010', String(port));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}
