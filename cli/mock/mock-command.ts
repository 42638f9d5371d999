/**
 * `touchstone mock`: reads the options, starts the mock, and prints a line for each exchange until a signal or a key stops it. `run-command.ts` loads it
 * when the command is named. `mock-session.ts` handles keys and changed files while it runs.
 */

import { UsageError } from '../../core/errors.ts';
import { defaultEntries, maxEntries } from '../../mocks/control/journal.ts';
import type { ControlOptions } from '../../mocks/control/open-control.ts';
import type { ServedExchange } from '../../mocks/control/user-listeners.ts';
import type { MockMutant } from '../../mocks/mutants/mock-mutant.ts';
import { listMockMutants, type MockOptions, type RunningMock, startMock } from '../../mocks/start.ts';
import { describeClient } from '../../reports/client/client-report.ts';
import { isNotable, renderFinding, renderLine } from '../client/exchange-lines.ts';
import { clientOptions, readClientRun, runClient } from '../client/run-client.ts';
import type { Arguments, Command, OptionSpec, Terminal } from '../command.ts';
import { createLineBuffer, flushingBefore } from '../line-buffer.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { renderBanner } from './banner.ts';
import { runSession } from './mock-session.ts';
import { type PactFileWriter, pactOptions, readPactOptions } from './record-pacts.ts';

/** Options for the clock and the size of the data. */
const datasetOptions: readonly OptionSpec[] = [
  {
    name: 'clock',
    value: 'WHEN',
    summary:
      'The clock: live, a speed such as x60, or an instant such as 2026-03-29T02:30:00+01:00. Default: a fixed instant. The header "Mock-Clock: PT2H" moves it for one request.',
  },
  {
    name: 'size',
    value: 'NAME=NUMBER',
    repeatable: true,
    summary: 'Number of records of a collection, up to 1000000. Repeatable.',
  },
];

/** Options for chaos, rate limits and the profile. */
const chaosOptions: readonly OptionSpec[] = [
  {
    name: 'chaos',
    value: 'RULE',
    repeatable: true,
    summary:
      'Disturb requests: "503 10%", "503:CODE OPERATION", "429 retry-after=2 key=ROLE", "latency 50ms..400ms", "latency lognormal(120ms,0.5)", "reset 2%", "truncated", "slow 2kB/s". Separate several rules with semicolons. The same sequence of requests gets the same chaos. The header Mock-Chaos sets rules for one request, or "off". Repeatable.',
  },
  {
    name: 'rate-limit',
    value: 'N/TIME',
    summary:
      'Limit for the requests of each key role, such as 20/s, 600/m or 100/10s. Further requests get 429. With "20/s strict", early retries start the wait anew. Default: no limit.',
  },
  {
    name: 'retry-after',
    value: 'FORM',
    summary: 'Form of Retry-After in a 429. Default: the form of the contract, or seconds if the contract leaves it open.',
  },
  {
    name: 'profile',
    value: 'PROFILE',
    summary:
      'Answers to the open questions of the contracts: strict, lenient, terse, null, absent, other, or a YAML or JSON file (question: answer, or contract: {question: answer}).',
  },
];

/** Options for the journal and the control interface. */
const controlOptionSpecs: readonly OptionSpec[] = [
  { name: 'journal', value: 'NUMBER', summary: `Number of exchanges in the journal at /__mock/journal. Default ${defaultEntries}.` },
  {
    name: 'allowed-host',
    value: 'NAME',
    repeatable: true,
    summary:
      'Additional host name for /__mock/, such as "mock" in a container network. localhost and the address of --host always work. Repeatable.',
  },
  { name: 'no-control', summary: 'Serve neither the front page nor /__mock/, which has the journal and controls clock, chaos and reset.' },
];
const defaultPort = 4010;
const defaultSeed = 1;

/** The command `touchstone mock`: its options, its help and its run. */
export const mockCommand: Command = {
  name: 'mock',
  positionals: '[CONTRACT…] [-- COMMAND…]',
  takesCommand: true,
  summary: 'Serve contracts as a stateful mock.',
  description: [
    'Serves the named contracts, or all contracts of this package. CONTRACT is the name of a contract of this package, or an OpenAPI file (3.0 or 3.1). A contract without a data generator serves the records of its list examples.',
    'The seed decides all data: the same seed gives the same records and the same keys on any machine. The header "Prefer: code=429" requests any documented answer.',
    'With COMMAND, the mock runs a client and judges its requests. The environment variables API_URL, API_KEY, API_KEY_ROLE and API_CONTROL_URL tell the client where the mock is. The mock stops when the command ends, and prints the mistakes of the client. The exit code is 1 for mistakes. It is 4 if the command sent no request, or did not exercise a rule of --require. Otherwise it is that of the command.',
    'The mock reloads your contract and data files when they change. It reports a mistake in them, and continues with the previous version.',
  ],
  options: [
    {
      name: 'port',
      value: 'PORT',
      summary: `Port, or 0 for any free one. Default ${defaultPort}, or the next free port if it is taken.`,
    },
    { name: 'host', value: 'ADDRESS', summary: 'Address to listen on. Default 127.0.0.1, which is reachable from this machine only.' },
    { name: 'seed', value: 'NUMBER', summary: `Seed of the records and the keys. Default ${defaultSeed}.` },
    {
      name: 'mutant',
      value: 'ID',
      repeatable: true,
      summary: 'Deviate from the contract in one way, to see if tests notice. Repeatable.',
    },
    {
      name: 'data',
      value: 'FILE',
      repeatable: true,
      summary: 'Your own records: a YAML or JSON file that replaces or extends the data of the mock. Repeatable.',
    },
    ...datasetOptions,
    ...chaosOptions,
    ...controlOptionSpecs,
    ...pactOptions,
    ...clientOptions,
    { name: 'no-keys', summary: 'Do not read the keyboard. By default, single keys in a terminal move the clock, switch chaos and more.' },
    { name: 'list-mutants', summary: 'Print the mutants of the contracts, each with the rule that it breaks, and stop.' },
    { name: 'json', summary: 'Print one JSON object per line; the first has url, urls, keys and hiddenRecords.' },
  ],
  examples: [
    { line: 'touchstone mock', about: 'all contracts of the package on one port' },
    { line: 'touchstone mock my-api.yaml --port 0', about: 'your own contract on any free port' },
    { line: "touchstone mock --chaos '503 5%; latency 50ms..400ms' --rate-limit 20/s", about: 'with errors, latency and a rate limit' },
    { line: 'touchstone mock my-api.yaml --data my-records.yaml', about: 'your own contract with your own records' },
    { line: 'touchstone mock business -- npm run sync', about: 'run a client and judge its requests' },
    { line: 'touchstone mock business --list-mutants', about: 'all mutants of one contract' },
  ],
  run: runMock,
};

async function runMock(given: Arguments, unbuffered: Terminal): Promise<number> {
  const lines = createLineBuffer(unbuffered.out);
  const terminal = flushingBefore(unbuffered, lines);
  const contracts = given.positionals.length === 0 ? {} : { contracts: given.positionals };
  const chaos = readChaos(given);
  if (given.switches.has('list-mutants')) {
    terminal.out(renderMutants(await listMockMutants({ ...contracts, ...chaos }), given.switches.has('json')));
    return 0;
  }
  const seed = given.values['seed'] === undefined ? defaultSeed : readWholeNumber('seed', given.values['seed'], 0, Number.MAX_SAFE_INTEGER);
  const port = given.values['port'] === undefined ? { from: defaultPort } : readWholeNumber('port', given.values['port'], 0, 65_535);
  const isJson = given.switches.has('json');
  const clientRun = readClientRun(given);
  const pactWriter = readPactOptions(given, (error) =>
    terminal.error(`touchstone: ${error instanceof Error ? error.message : String(error)}\n`),
  );
  const mock = await startMock({
    seed,
    port,
    ...contracts,
    mutants: given.lists['mutant'] ?? [],
    ...(given.values['host'] === undefined ? {} : { host: given.values['host'] }),
    ...readDataset(given),
    ...chaos,
    ...readControlOptions(given),
    ...pactWriter.options,
    data: given.lists['data'] ?? [],
    onExchange: (exchange) => {
      if (isJson) lines.print(renderEvent(exchange));
      else if (clientRun === undefined || isNotable(exchange)) lines.print(renderLine(exchange, mock.contracts, terminal.decorated));
    },
    onFinding: (finding) =>
      lines.print(isJson ? `${JSON.stringify({ event: 'finding', ...finding })}\n` : renderFinding(finding, terminal.decorated)),
    onError: (error) => terminal.error(renderError(error, given.switches.has('debug'))),
  });
  // After this access, a signal closes the mock before the process ends.
  const { interrupted } = terminal;
  if (clientRun !== undefined) {
    pactWriter.attach(mock);
    return runClient(mock, clientRun, terminal, interrupted);
  }
  const hasKeys = terminal.keyboard !== undefined && !given.switches.has('no-keys');
  const hasPage = !given.switches.has('no-control');
  announce(mock, seed, isJson, typeof port === 'object', { ...terminal, hasKeys, hasPage });
  const recording = pactWriter.attach(mock);
  if (!isJson) terminal.out(recording);
  const screen = (): string => renderBanner(mock, seed, terminal.decorated, hasKeys, hasPage);
  await runSession(mock, { ...terminal, interrupted }, { isJson, hasKeys, debug: given.switches.has('debug'), screen });
  await mock.close();
  lines.flush();
  terminal.out(renderEnd(mock, pactWriter, isJson));
  return 0;
}

/** Renders the last lines: the recorded pacts, and the findings about the client. */
function renderEnd(mock: RunningMock, pacts: PactFileWriter, isJson: boolean): string {
  const state = pacts.summaryData();
  if (isJson) return state === undefined ? '' : `${JSON.stringify(state)}\n`;
  const report = mock.client();
  const end = report.requests === 0 ? 'Stopped.\n' : `Stopped after ${describeClient(report)}.\n`;
  return `${state === undefined ? '' : pacts.summary()}${end}`;
}

/** Terminal for the banner; `hasKeys` is true if single keys are read, `hasPage` if the mock has its front page. */
type BannerTerminal = Pick<Terminal, 'out' | 'decorated'> & { readonly hasKeys: boolean; readonly hasPage: boolean };

function announce(mock: RunningMock, seed: number, isJson: boolean, isDefaultPort: boolean, terminal: BannerTerminal): void {
  const { url, urls, keys, hiddenRecords } = mock;
  if (isJson) {
    const mutants = mock.mutants.length === 0 ? {} : { mutants: mock.mutants.map((mutant) => mutant.id) };
    const chaos = mock.chaos.list().length === 0 ? {} : { chaos: mock.chaos.list() };
    terminal.out(`${JSON.stringify({ event: 'ready', url, urls, keys, hiddenRecords, seed, ...mutants, ...chaos })}\n`);
    return;
  }
  if (isDefaultPort && mock.port !== defaultPort)
    terminal.out(`Port ${defaultPort} is taken; this mock listens on ${mock.port} instead.\n`);
  terminal.out(renderBanner(mock, seed, terminal.decorated, terminal.hasKeys, terminal.hasPage));
}

function renderEvent({ request, response, durationMs, context }: ServedExchange): string {
  const { method, target } = request;
  const chaos = context === undefined || context.chaos.length === 0 ? {} : { chaos: context.chaos };
  return `${JSON.stringify({ event: 'exchange', method, target, status: context?.cut === 'reset' ? null : response.status, durationMs: Math.round(durationMs * 100) / 100, ...chaos })}\n`;
}

function renderError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `The mock answered 500: ${String(error)}\n`;
  const advice = debug ? (error.stack ?? '') : 'Restart it with --debug for the stack.';
  return `The mock answered 500: ${error.message}. ${advice}\n`;
}

/**
 * Reads the options for the clock and the size of the data.
 * @throws {UsageError} for a size that is not `NAME=NUMBER`.
 */
function readDataset({ values, lists }: Arguments): Pick<MockOptions, 'clock' | 'sizes'> {
  const clock = values['clock'] === undefined ? {} : { clock: values['clock'] };
  return { ...clock, sizes: Object.fromEntries((lists['size'] ?? []).map(readSize)) };
}

function readSize(text: string): readonly [string, number] {
  const match = /^([^=]+)=(\d+)$/.exec(text);
  if (match === null) throw new UsageError(`--size ${text} is not of the form NAME=NUMBER; write, for example, --size records=1000`);
  return [match[1] ?? '', Number(match[2])];
}

/**
 * Reads the options for chaos, rate limits and the profile.
 * @throws {UsageError} for an unknown form of Retry-After.
 */
function readChaos({ values, lists }: Arguments): Pick<MockOptions, 'chaos' | 'rateLimit' | 'retryAfter' | 'profile'> {
  const { 'rate-limit': rateLimit, 'retry-after': form, profile } = values;
  if (form !== undefined && form !== 'seconds' && form !== 'date')
    throw new UsageError(`--retry-after ${form} is not a form of Retry-After; write --retry-after seconds or --retry-after date`);
  return {
    chaos: lists['chaos'] ?? [],
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(form === undefined ? {} : { retryAfter: form }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/**
 * Reads the options for the journal and the control interface.
 * @throws {UsageError} for a `--journal` that is not a number.
 */
function readControlOptions({ values, lists, switches }: Arguments): ControlOptions {
  const journal = values['journal'] === undefined ? {} : { journal: readWholeNumber('journal', values['journal'], 0, maxEntries) };
  return { ...journal, allowedHosts: lists['allowed-host'] ?? [], control: !switches.has('no-control') };
}

/** Renders mutants, one per line with its rule. */
function renderMutants(mutants: readonly MockMutant[], isJson: boolean): string {
  if (isJson) return mutants.map(({ id, contract, rule, title }) => `${JSON.stringify({ id, contract, rule, title })}\n`).join('');
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const [idWidth, ruleWidth] = [widest(mutants.map((mutant) => mutant.id)), widest(mutants.map((mutant) => mutant.rule))];
  const lines = mutants.map(({ id, rule, title }) => `${id.padEnd(idWidth)}  ${rule.padEnd(ruleWidth)}  ${title}\n`);
  return `${lines.join('')}${mutants.length === 1 ? '1 mutant' : `${mutants.length} mutants`}\n`;
}
