/**
 * Sends mixed reads and writes over many connections to a mock of a plain file, and counts what was lost: `node test/bench/writes.mjs [--seconds 60]
 * [--connections 200]`, after a build. Prints requests per second, the longest turn of the event loop in processor time, and the longest answer.
 */

import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from './mock/process.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, connections: { type: 'string', default: '200' } } });
const [seconds, connections] = [Number(values.seconds), Number(values.connections)];
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const port = await freePort();
const parameters = [
  '--import',
  path('mock/longest-turn.mjs'),
  path('../../dist/cli/main.js'),
  'mock',
  path('../helpers/contracts/garden.openapi.yaml'),
];
const child = spawn(process.execPath, [...parameters, '--port', String(port), '--no-keys'], {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const agent = new Agent({ keepAlive: true, maxSockets: connections });
try {
  while ((await ask('GET', '/beds').catch(() => undefined)) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  // The first answers compile schemas.
  for (const line of ['GET /beds?limit=2', 'POST /beds', 'GET /beds/1', 'PATCH /beds/1', 'DELETE /beds/1']) await ask(...line.split(' '));
  await longestTurn();
  const first = (await ask('GET', '/beds?limit=1')).body.total;
  const end = performance.now() + seconds * 1000;
  const workers = await Promise.all(Array.from({ length: connections }, (_, index) => write(index, end)));
  const kept = workers.flatMap((worker) => [...worker.kept]);
  let lost = 0;
  for (const [id, name] of kept) {
    const { status, body } = await ask('GET', `/beds/${id}`);
    if (status !== 200 || body.name !== name) lost += 1;
  }
  const total = (await ask('GET', '/beds?limit=1')).body.total;
  const requests = workers.reduce((sum, worker) => sum + worker.requests, 0);
  const wrong = workers.reduce((sum, worker) => sum + worker.wrong, 0);
  console.log({
    ...{ connections, seconds, requests, perSecond: Math.round(requests / seconds), created: kept.length, wrong, lost },
    ...{ total, expectedTotal: first + kept.length, longestTurnMs: Math.round(await longestTurn()) },
    longestAnswerMs: Math.round(Math.max(...workers.map((worker) => worker.longestMs))),
  });
  if (lost + wrong > 0 || total !== first + kept.length) process.exitCode = 1;
} finally {
  agent.destroy();
  child.kill('SIGKILL');
}

/** Creates, changes, reads, lists and removes records of its own until the end. */
async function write(index, end) {
  const worker = { kept: new Map(), requests: 0, wrong: 0, longestMs: 0 };
  const expect = async (method, target, body, isRight) => {
    const start = performance.now();
    const reply = await ask(method, target, body);
    worker.longestMs = Math.max(worker.longestMs, performance.now() - start);
    worker.requests += 1;
    if (!isRight(reply)) worker.wrong += 1;
    return reply;
  };
  for (let round = 0; performance.now() < end; round += 1) {
    const name = `Bed ${index} ${round}`;
    const { body } = await expect('POST', '/beds', { name, soil: 'loam' }, ({ status }) => status === 201);
    await expect('GET', `/beds/${body.id}`, undefined, (reply) => reply.body.name === name);
    await expect('PATCH', `/beds/${body.id}`, { name: `${name}!` }, (reply) => reply.body.name === `${name}!`);
    await expect('GET', `/beds?limit=20&soil=${['sand', 'clay', 'loam'][round % 3]}`, undefined, (reply) => reply.body.data.length <= 20);
    if (round % 2 === 0) worker.kept.set(body.id, `${name}!`);
    else await expect('DELETE', `/beds/${body.id}`, undefined, ({ status }) => status === 204);
  }
  return worker;
}

function ask(method, target, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path: target, headers, agent }, (incoming) => {
      const chunks = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const sent = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode, body: sent === '' ? {} : JSON.parse(sent) });
      });
    });
    outgoing.on('error', reject).end(text);
  });
}

/** The longest turn since the last question, in milliseconds of processor time. */
function longestTurn() {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send('longest turn');
  });
}
