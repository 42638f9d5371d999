/**
 * Asks each operation of OpenAPI files once, or as many of each file as `--most` says, at the mock and at Prism's command line in turns: processor time and memory at the start, operations answered as
 * documented, valid responses, the first answer that cost most, and the longest turn of the event loop. After a build, on Linux: `node
 * test/bench/public-files.mjs FOLDER [--most OPERATIONS] [--write PAGE]`. Times are processor times, so other programs disturb them little.
 */

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, residentMb } from './mock/process.mjs';

const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const [{ judgeResponse }, { loadContract }, { isJsonType }, { printParameter }, { sampleValue }, { documentsStatus }] = await Promise.all([
  built('core/http/check-response.js'),
  built('core/openapi/contract.js'),
  built('core/http/media-type.js'),
  built('core/parameters/parameter.js'),
  built('mocks/handler/values/sample-value.js'),
  built('core/openapi/operation.js'),
]);
const {
  values: { write, most },
  positionals: [folder],
} = parseArgs({ options: { write: { type: 'string' }, most: { type: 'string', default: 'Infinity' } }, allowPositionals: true });
const repository = fileURLToPath(new URL('../..', import.meta.url));
const programs = {
  ours: [join(repository, 'dist/cli/main.js'), 'mock'],
  prism: [join(repository, 'node_modules/@stoplight/prism-cli/dist/index.js'), 'mock'],
};
/** Time for a start, and for one answer. */
const patienceMs = 120_000;

const rows = [];
for (const file of readdirSync(folder)
  .toSorted()
  .map((name) => join(folder, name))) {
  const contract = await loadContract(file).catch((error) => console.error(`${basename(file)}: ${error.message.slice(0, 200)}`));
  if (contract === undefined) continue;
  // Spread over the file, since operations that stand together are alike.
  const step = Math.ceil(contract.operations.length / Number(most)) || 1;
  const operations = contract.operations.filter((_, index) => index % step === 0);
  const row = { name: basename(file).replace(/\.\w+$/, ''), operations: operations.length };
  for (const [name, program] of Object.entries(programs)) row[name] = await measure(program, file, contract, operations);
  rows.push(row);
  console.log(JSON.stringify(row));
}
const table = renderTable(rows);
console.log(table);
if (write !== undefined) writeFileSync(write, table);

/** Starts a server with a file, and asks it for each operation. */
async function measure(program, file, contract, operations) {
  const port = await freePort();
  const parameters = ['--import', import.meta.resolve('./mock/longest-turn.mjs'), ...program, '--port', String(port), file];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const messages = [];
  child.on('message', (message) => messages.push(message));
  try {
    const started = await untilItListens(child, port);
    if (!started) return undefined;
    const [startMs, startMb] = [cpuMsOf(child.pid), residentMb(child.pid)];
    await longestTurn(child, messages);
    const result = { startMs, startMb, documented: 0, valid: 0, slowestMs: 0, slowest: '', blockMs: 0, wrong: [] };
    for (const operation of operations) await judge(child, port, contract, operation, result);
    result.blockMs = await longestTurn(child, messages);
    return { ...result, wrong: result.wrong.slice(0, 5), endMb: residentMb(child.pid) };
  } finally {
    child.kill('SIGKILL');
  }
}

async function judge(child, port, contract, operation, result) {
  const sent = requestOf(operation);
  const before = cpuMsOf(child.pid);
  const response = await ask(port, sent).catch(() => undefined);
  const spentMs = cpuMsOf(child.pid) - before;
  if (spentMs > result.slowestMs) Object.assign(result, { slowestMs: spentMs, slowest: operation.id });
  const isSuccess = response !== undefined && (response.status < 400 || !hasSuccess(operation));
  if (isSuccess && (documentsStatus(operation, response.status) || operation.responses.has('default') || operation.responses.size === 0))
    result.documented += 1;
  else result.wrong.push(`${operation.id} ${response?.status} ${response?.body.slice(0, 300)}`);
  if (isSuccess && judgeResponse(contract, { request: sent, response }).violations.length === 0) result.valid += 1;
}

function hasSuccess({ responses }) {
  return [...responses.keys()].some((status) => /^[123]|default/i.test(status));
}

/** A request that the document allows, with typical values. */
function requestOf(operation) {
  const { document, parameters, requestBody, security } = operation;
  const sampled = (schema) => sampleValue(schema, { document, nowMs: Date.UTC(2026, 2, 29) }).value;
  const required = parameters.filter((each) => each.required || each.in === 'path');
  const textOf = (each) => printParameter(each, each.examples[0] ?? each.fallback ?? sampled(each.schema) ?? 'string');
  const inPlace = (place) => required.filter((each) => each.in === place);
  const headers = { accept: '*/*', ...Object.fromEntries(inPlace('header').map((each) => [each.name.toLowerCase(), textOf(each)])) };
  const query = inPlace('query').map(textOf);
  const cookies = inPlace('cookie').map((each) => `${each.name}=${textOf(each)}`);
  addCredentials(security[0] ?? [], { query, cookies, headers });
  if (cookies.length > 0) headers.cookie = cookies.join('; ');
  const path = inPlace('path').reduce((filled, each) => filled.replace(`{${each.name}}`, textOf(each)), operation.path);
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
  const contents = [...(requestBody?.content ?? [])];
  const [type, content] = contents.find(([each]) => isJsonType(each)) ?? contents[0] ?? [];
  if (content === undefined || !(requestBody.required || isJsonType(type))) return { method: operation.method, target, headers };
  const value = sampled(content.schema);
  const [body, contentType] = printBody(type, value);
  return { method: operation.method, target, headers: { ...headers, 'content-type': contentType }, body };
}

function addCredentials(credentials, { query, cookies, headers }) {
  for (const { carrier } of credentials) {
    if (carrier.in === 'query') query.push(`${carrier.name}=key`);
    else if (carrier.in === 'cookie') cookies.push(`${carrier.name}=key`);
    else if (carrier.in === 'header') headers[carrier.name.toLowerCase()] = 'key';
    else headers.authorization = carrier.word === 'Basic' ? `Basic ${btoa('user:key')}` : `${carrier.word} key`;
  }
}

function printBody(type, value) {
  if (isJsonType(type)) return [JSON.stringify(value ?? null), type];
  const fields = Object.entries(Object(value)).map(([name, each]) => [name, typeof each === 'string' ? each : JSON.stringify(each)]);
  if (type.startsWith('multipart/')) {
    const parts = fields.map(([name, each]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${each}\r\n`);
    return [`${parts.join('')}--b--\r\n`, `${type.split(';')[0]}; boundary=b`];
  }
  if (type.includes('urlencoded')) return [String(new URLSearchParams(fields)), type];
  return [typeof value === 'string' ? value : 'string', type.includes('*') ? 'text/plain' : type];
}

function ask(port, { method, target, headers, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = request(
      { host: '127.0.0.1', port, method, path: target, headers: { ...headers, ...length }, agent: false },
      (incoming) => {
        const chunks = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode, headers: incoming.headers, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject).end(body);
  });
}

async function untilItListens(child, port) {
  const end = performance.now() + patienceMs;
  while (performance.now() < end && child.exitCode === null) {
    const answer = await ask(port, { method: 'GET', target: '/no-such-path', headers: {} }).catch(() => undefined);
    if (answer !== undefined) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

/** The longest turn since the last question, in milliseconds of processor time. */
async function longestTurn(child, messages) {
  messages.length = 0;
  child.send('longest turn');
  while (messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return messages[0];
}

/** Processor time of the main thread in milliseconds. */
function cpuMsOf(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function renderTable(rows) {
  const cells = (server) =>
    server === undefined
      ? ['–', '–', '–', '–', '–', '–']
      : [
          Math.round(server.startMs),
          Math.round(server.startMb),
          server.documented,
          server.valid,
          Math.round(server.slowestMs),
          Math.round(server.blockMs),
        ];
  const lines = rows.map(({ name, operations, ours, prism }) => {
    const pairs = cells(ours).map((cell, index) => `${cell} / ${cells(prism)[index]}`);
    return `| ${[name, operations, ...pairs].join(' | ')} |`;
  });
  return [
    '| file | operations | start, ms | start, MB | as documented | valid | slowest first answer, ms | longest block, ms |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...lines,
    '',
  ].join('\n');
}
