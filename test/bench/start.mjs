/**
 * Time until a mock starts and answers, in a process that starts many. After a build: `node test/bench/start.mjs`. Asserts nothing, since times depend on the
 * machine.
 */

import { request } from 'node:http';

const { startMock } = await import(new URL('../../dist/index.js', import.meta.url).href);
const count = 100;

async function time(work) {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}

function ask(port, path, key) {
  return new Promise((resolve, reject) => {
    request({ port, path, headers: { 'x-service-api-key': key } }, (incoming) => incoming.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}

function print(what, ms) {
  console.log(`${what.padEnd(46)} ${ms.toFixed(1).padStart(8)} ms`);
}

const starts = [];
for (let index = 0; index < count; index += 1) starts.push(await time(() => startMock()));
print('first start', starts[0].ms);
print('second start', starts[1].ms);
print(`start number ${count}`, starts[count - 1].ms);

const [{ value: mock }] = starts;
const orders = '/api/integrations/v1/orders/index.php?limit=100';
print('first answer (Prism is loaded)', (await time(() => ask(mock.port, orders, mock.keys.full))).ms);
const answers = [];
for (let index = 0; index < 500; index += 1) answers.push((await time(() => ask(mock.port, orders, mock.keys.full))).ms);
answers.sort((left, right) => left - right);
print('median of 500 pages of 100 orders', answers[250]);
print('99th percentile', answers[494]);

const seeded = [];
for (let seed = 2; seed < 12; seed += 1) seeded.push(await time(() => startMock({ seed })));
print('start with a new dataset (median of 10)', seeded.map(({ ms }) => ms).sort((left, right) => left - right)[5]);
print('close of all', (await time(() => Promise.all([...starts, ...seeded].map(({ value }) => value.close())))).ms);
