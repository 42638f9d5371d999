/** `touchstone mock`: serves contracts until it is told to stop. */

import { styleText } from 'node:util';
import type { ServedExchange } from '../mocks/server.ts';
import type { RunningMock } from '../mocks/start.ts';
import { listMockFaults, startMock } from '../mocks/start.ts';
import { renderBanner } from './banner.ts';
import { type Arguments, type Command, type Terminal, wholeNumber } from './command.ts';
import { renderFaults } from './faults.ts';

const defaultPort = 4010;
const defaultSeed = 1;

/** The command. */
export const mockCommand: Command = {
  name: 'mock',
  positionals: '[CONTRACT…]',
  summary: 'Serve contracts as a stateful mock.',
  description: [
    'Serves the contracts that are named, or all that come with the package. A contract is the name of one of those, or an OpenAPI 3.1 file; a file without content of its own serves the records of its list examples.',
    'Every answer follows from the seed: the same seed gives the same records and the same keys, on any machine. Send the header "Prefer: code=429" to be given any documented answer.',
  ],
  options: [
    {
      name: 'port',
      value: 'PORT',
      summary: `The port; 0 takes any free one. Default ${defaultPort}, or the next free one if it is taken.`,
    },
    { name: 'host', value: 'ADDRESS', summary: 'The address to listen on. Default 127.0.0.1, which only this machine reaches.' },
    { name: 'seed', value: 'NUMBER', summary: `Chooses the records and the keys. Default ${defaultSeed}.` },
    {
      name: 'fault',
      value: 'ID',
      repeatable: true,
      summary: 'Deviate from the contract in one way, to see whether tests notice. May be given several times.',
    },
    { name: 'list-faults', summary: 'Print every fault of the contracts with the law that it breaks, and stop.' },
    { name: 'json', summary: 'Print one JSON object a line; the first has url, urls, keys and hiddenSlugs.' },
  ],
  examples: [
    { line: 'touchstone mock', about: 'all contracts of the package on one port' },
    { line: 'touchstone mock my-api.yaml --port 0', about: 'a contract of your own on any free port' },
    { line: 'touchstone mock business --list-faults', about: 'what can be wrong with a service of this contract' },
  ],
  run: runMock,
};

async function runMock(given: Arguments, terminal: Terminal): Promise<number> {
  const contracts = given.positionals.length === 0 ? {} : { contracts: given.positionals };
  if (given.switches.has('list-faults')) {
    terminal.out(renderFaults(await listMockFaults(contracts), given.switches.has('json')));
    return 0;
  }
  const seed = given.values['seed'] === undefined ? defaultSeed : wholeNumber('seed', given.values['seed'], 0, Number.MAX_SAFE_INTEGER);
  const port = given.values['port'] === undefined ? { from: defaultPort } : wholeNumber('port', given.values['port'], 0, 65_535);
  const isJson = given.switches.has('json');
  const mock = await startMock({
    seed,
    port,
    ...contracts,
    faults: given.lists['fault'] ?? [],
    ...(given.values['host'] === undefined ? {} : { host: given.values['host'] }),
    onExchange: (exchange) => terminal.out(isJson ? renderEvent(exchange) : renderLine(exchange, terminal.decorated)),
    onError: (error) => terminal.error(renderError(error, given.switches.has('debug'))),
  });
  announce(mock, seed, isJson, typeof port === 'object', terminal);
  await terminal.interrupted;
  await mock.close();
  if (!isJson) terminal.out('Stopped.\n');
  return 0;
}

function announce(mock: RunningMock, seed: number, isJson: boolean, isDefaultPort: boolean, terminal: Terminal): void {
  const { url, urls, keys, hiddenSlugs } = mock;
  if (isJson) {
    const faults = mock.faults.length === 0 ? {} : { faults: mock.faults.map((fault) => fault.id) };
    terminal.out(`${JSON.stringify({ event: 'ready', url, urls, keys, hiddenSlugs, seed, ...faults })}\n`);
    return;
  }
  if (isDefaultPort && mock.port !== defaultPort)
    terminal.out(`Port ${defaultPort} is taken; this mock listens on ${mock.port} instead.\n`);
  terminal.out(renderBanner(mock, seed, terminal.decorated));
}

function renderEvent({ request, response, durationMs }: ServedExchange): string {
  const { method, target } = request;
  return `${JSON.stringify({ event: 'exchange', method, target, status: response.status, durationMs: Math.round(durationMs * 100) / 100 })}\n`;
}

function renderLine({ request, response, durationMs }: ServedExchange, decorated: boolean): string {
  const colour = response.status >= 500 ? 'red' : response.status >= 400 ? 'yellow' : 'green';
  const status = decorated ? styleText(colour, String(response.status), { validateStream: false }) : String(response.status);
  return `${status} ${request.method.padEnd(4)} ${printable(request.target)} ${durationMs.toFixed(1)} ms\n`;
}

function renderError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `The mock answered 500: ${String(error)}\n`;
  const advice = debug ? (error.stack ?? '') : 'Start it with --debug to see where.';
  return `The mock answered 500: ${error.message}. ${advice}\n`;
}

/** A request target may hold anything; what a terminal would act on is shown as it is escaped in JSON. */
function printable(target: string): string {
  const shown = JSON.stringify(target).slice(1, -1);
  return shown.length > 500 ? `${shown.slice(0, 500)}…` : shown;
}
