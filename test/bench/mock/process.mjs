/** Starts servers in processes of their own, waits for their first answer, and reads their cost from /proc, so on Linux only. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';

/** Clock ticks in a second, as `getconf CLK_TCK` says on every Linux that Node.js runs on. */
const ticks = 100;
const startTimeoutMs = 120_000;

/** A port that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server, and resolves at its first answer with the wanted status, with the milliseconds since its process started. */
export async function start({ command, parameters, port, probe, headers = {} }) {
  const startedMs = performance.now();
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'ignore'] });
  let firstLine = '';
  child.stdout.on('data', (chunk) => {
    // Only the greeting is used. Later output is read and dropped, as a terminal does.
    if (!firstLine.includes('\n')) firstLine += chunk;
  });
  await untilAnswers(child, port, probe, headers, startedMs);
  return {
    pid: child.pid,
    port,
    headers,
    startMs: performance.now() - startedMs,
    greeting: () => firstLine.split('\n')[0],
    stop: () => stop(child),
  };
}

async function untilAnswers(child, port, path, headers, startedMs) {
  for (;;) {
    const status = await ask({ port, headers }, path).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status !== undefined && status < 500) {
      if (status === 200) return;
      throw new Error(`${child.spawnargs.join(' ')} answered ${status} to ${path}`);
    }
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with exit code ${child.exitCode}`);
    if (performance.now() - startedMs > startTimeoutMs) throw new Error(`${child.spawnargs.join(' ')} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await once(child, 'exit');
  clearTimeout(timer);
}

/** One answer, with its body as text. */
export function ask({ port, headers }, path, more = {}) {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { ...headers, ...more }, agent: false }, (incoming) => {
      const chunks = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode, headers: incoming.headers, body: Buffer.concat(chunks).toString() }));
    })
      .on('error', reject)
      .end();
  });
}

/** Processor time of a process tree in milliseconds, with a resolution of a hundredth of a second. */
export function cpuMs(pid) {
  const used = tree(pid).map((each) => {
    const [utime, stime] = statOf(each)?.slice(11, 13) ?? [0, 0];
    return Number(utime) + Number(stime);
  });
  return (used.reduce((sum, each) => sum + each, 0) * 1000) / ticks;
}

/** Memory of a process tree in MB, as far as it is in RAM. */
export function residentMb(pid) {
  const sizes = tree(pid).map((each) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${each}/status`))?.[1] ?? 0));
  return sizes.reduce((sum, each) => sum + each, 0) / 1024;
}

function tree(root) {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(statOf(name)?.[1])]),
  );
  const found = [root];
  for (let index = 0; index < found.length; index += 1) {
    found.push(...[...parents].filter(([, parent]) => parent === found[index]).map(([pid]) => pid));
  }
  return found;
}

/** The fields after the program's name, which may itself contain spaces and brackets. */
function statOf(pid) {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The process may have ended. */
function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  }
}
