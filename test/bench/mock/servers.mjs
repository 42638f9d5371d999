/** The compared servers. Apart from the dataset of a million, all answer the same page and the same record, byte for byte where they can. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ask, freePort, start } from './process.mjs';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const peers = { 'openapi-backend': '5.21.2', express: '5.3.0' };

export const paths = { page: '/api/integrations/v1/orders/index.php?limit=50', order: '/api/integrations/v1/orders/view.php' };

/** Ours as it is built, with the key of the first business, asked for its first page of 50. */
export async function startOurs(key, options = []) {
  const port = await freePort();
  const parameters = [join(repository, 'dist/cli/main.js'), 'mock', '--port', String(port), ...options];
  return start({ command: process.execPath, parameters, port, probe: paths.page, headers: { 'x-service-api-key': key } });
}

/** The keys that ours prints; they follow from the seed. */
export async function readKey() {
  const port = await freePort();
  const server = await start({
    command: process.execPath,
    parameters: [join(repository, 'dist/cli/main.js'), 'mock', '--json', '--port', String(port)],
    port,
    probe: '/api/v1/wiki?limit=1',
  });
  const { keys } = JSON.parse(server.greeting());
  await server.stop();
  return keys.full;
}

/** Writes what the other servers answer: our page, our order, and an OpenAPI file with both as named examples. */
export async function writeAnswers(folder, ours) {
  const page = (await ask(ours, paths.page)).body;
  const { id } = JSON.parse(page).data.orders[0];
  const { body: order, headers } = await ask(ours, `${paths.order}?id=${id}`);
  const file = parse(readFileSync(join(repository, 'specs/business.openapi.yaml'), 'utf8'));
  // The examples stand at the responses that the two operations refer to.
  for (const [operation, text] of [
    ['listOrders', page],
    ['getOrder', order],
  ]) {
    const item = Object.values(file.paths).find((each) => each.get.operationId === operation);
    const response = structuredClone(follow(file, item.get.responses['200']));
    response.content['application/json'].examples = { ours: { value: JSON.parse(text) } };
    item.get.responses['200'] = response;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'examples.openapi.json'), JSON.stringify(file));
  writeFileSync(join(folder, 'answers.json'), JSON.stringify({ page, order, etag: headers.etag }));
  return { id, etag: headers.etag };
}

function follow(file, value) {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((place, segment) => place[segment], file);
}

/** node:http with prebuilt buffers: what the runtime itself costs. */
export function startBare(folder) {
  return startScript('bare', folder, folder);
}

/** Prism's own command line, which answers the examples. */
export async function startPrism(folder, key) {
  const port = await freePort();
  const program = join(repository, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const parameters = [program, 'mock', '--port', String(port), join(folder, 'examples.openapi.json')];
  return start({ command: process.execPath, parameters, port, probe: paths.page, headers: { 'x-service-api-key': key } });
}

/** Installs the peer, which is no dependency of this project, once for a run. */
export function installBackend(folder) {
  const home = join(folder, 'peer');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, dependencies: peers }));
  const parameters = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', parameters, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  return home;
}

/** openapi-backend in front of Express, which answers the examples after it has validated the request. */
export function startBackend(folder, home, key) {
  return startScript('backend', folder, home, { 'x-service-api-key': key });
}

async function startScript(name, folder, home, headers = {}) {
  const port = await freePort();
  const file = join(home, `${name}.mjs`);
  writeFileSync(file, readFileSync(new URL(`./${name}.mjs`, import.meta.url)));
  return start({ command: process.execPath, parameters: [file, String(port), folder], port, probe: paths.page, headers });
}
