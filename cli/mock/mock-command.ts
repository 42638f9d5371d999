/** `touchstone mock`: serves contracts until it is told to stop. */

import { styleText } from 'node:util';
import { UsageError } from '../../core/errors.ts';
import { defaultEntries, mostEntries } from '../../mocks/control/journal.ts';
import type { ServedExchange } from '../../mocks/control/listeners.ts';
import type { ControlOptions } from '../../mocks/control/open-control.ts';
import type { MockMutant } from '../../mocks/mutants/mock-mutant.ts';
import { listMockMutants, type MockOptions, type RunningMock, startMock } from '../../mocks/start.ts';
import { type Arguments, type Command, type OptionSpec, type Terminal, wholeNumber } from '../command.ts';
import { renderBanner } from './banner.ts';
import { pactOptions, readPactOptions } from './mock-pact.ts';
import { afterLines, attend, createLines } from './mock-session.ts';

/** What time it is, and how much there is. */
const datasetOptions: readonly OptionSpec[] = [
  {
    name: 'clock',
    value: 'WHEN',
    summary:
      'What time it is: live, a pace such as x60, or an instant such as 2026-03-29T02:30:00+01:00. Unless given, it stands still. The header "Mock-Clock: PT2H" moves it for one request.',
  },
  {
    name: 'size',
    value: 'NAME=NUMBER',
    repeatable: true,
    summary: 'How many records a collection has, up to 1000000. May be given several times.',
  },
];

/** What requests meet on their way, and how open questions are answered. */
const chaosOptions: readonly OptionSpec[] = [
  {
    name: 'chaos',
    value: 'RULE',
    repeatable: true,
    summary:
      'Let requests meet chaos: "503 10%", "503:CODE OPERATION", "429 retry-after=2 key=ROLE", "latency 50ms..400ms", "latency lognormal(120ms,0.5)", "reset 2%", "truncated", "slow 2kB/s"; several rules stand between semicolons. The same requests meet the same chaos each time. The header Mock-Chaos brings rules for one request, or "off". May be given several times.',
  },
  {
    name: 'rate-limit',
    value: 'N/TIME',
    summary: 'Answer a key role at most so often in any such span, 20/s, 600/m or 100/10s, and 429 beyond. No limit unless given.',
  },
  {
    name: 'retry-after',
    value: 'FORM',
    summary: 'How a 429 tells the time to wait. As the contract says, and in seconds where it leaves that open.',
  },
  {
    name: 'profile',
    value: 'PROFILE',
    summary:
      'Answer the open questions of the contracts otherwise: strict, lenient, terse, null, absent or other, or as a YAML or JSON file says (question: answer, or contract: {question: answer}).',
  },
];

/** The journal and the control endpoint. */
const controlOptionSpecs: readonly OptionSpec[] = [
  { name: 'journal', value: 'NUMBER', summary: `How many exchanges the journal at /__mock/journal keeps. Default ${defaultEntries}.` },
  {
    name: 'allowed-host',
    value: 'NAME',
    repeatable: true,
    summary:
      'A host name under which /__mock/ answers, besides localhost and the address of --host: "mock" in a network of containers. May be given several times.',
  },
  { name: 'no-control', summary: 'Serve no /__mock/, which tells of the mock, moves its clock, makes chaos and resets it.' },
];
const defaultPort = 4010;
const defaultSeed = 1;

/** The command. */
export const mockCommand: Command = {
  name: 'mock',
  positionals: '[CONTRACT…]',
  summary: 'Serve contracts as a stateful mock.',
  description: [
    'Serves the contracts that are named, or all that come with the package. A contract is the name of one of those, or an OpenAPI file (3.0 or 3.1); a file without content of its own serves the records of its list examples.',
    'Every answer follows from the seed: the same seed gives the same records and the same keys, on any machine. Send the header "Prefer: code=429" to be given any documented answer.',
    'Files of your own, contracts and data alike, are read again when they change. A mistake in them is told, and the mock goes on with what it had.',
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
      name: 'mutant',
      value: 'ID',
      repeatable: true,
      summary: 'Deviate from the contract in one way, to see whether tests notice. May be given several times.',
    },
    {
      name: 'data',
      value: 'FILE',
      repeatable: true,
      summary: 'Serve your own records: a YAML or JSON file that replaces or extends what the mock has. May be given several times.',
    },
    ...datasetOptions,
    ...chaosOptions,
    ...controlOptionSpecs,
    ...pactOptions,
    { name: 'no-keys', summary: 'Leave the keyboard alone; otherwise single keys move the clock, make chaos and more, in a terminal.' },
    { name: 'list-mutants', summary: 'Print every mutant of the contracts with the rule that it breaks, and stop.' },
    { name: 'json', summary: 'Print one JSON object a line; the first has url, urls, keys and hiddenRecords.' },
  ],
  examples: [
    { line: 'touchstone mock', about: 'all contracts of the package on one port' },
    { line: 'touchstone mock my-api.yaml --port 0', about: 'a contract of your own on any free port' },
    { line: "touchstone mock --chaos '503 5%; latency 50ms..400ms' --rate-limit 20/s", about: 'a service on a bad day' },
    { line: 'touchstone mock my-api.yaml --data my-records.yaml', about: 'a contract of your own with records of your own' },
    { line: 'touchstone mock business --list-mutants', about: 'what can be wrong with a service of this contract' },
  ],
  run: runMock,
};

async function runMock(given: Arguments, plain: Terminal): Promise<number> {
  const lines = createLines(plain.out);
  const terminal = afterLines(plain, lines);
  const contracts = given.positionals.length === 0 ? {} : { contracts: given.positionals };
  const chaos = readChaos(given);
  if (given.switches.has('list-mutants')) {
    terminal.out(renderMutants(await listMockMutants({ ...contracts, ...chaos }), given.switches.has('json')));
    return 0;
  }
  const seed = given.values['seed'] === undefined ? defaultSeed : wholeNumber('seed', given.values['seed'], 0, Number.MAX_SAFE_INTEGER);
  const port = given.values['port'] === undefined ? { from: defaultPort } : wholeNumber('port', given.values['port'], 0, 65_535);
  const isJson = given.switches.has('json');
  const scribe = readPactOptions(given, (error) =>
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
    ...scribe.options,
    data: given.lists['data'] ?? [],
    onExchange: (exchange) => lines.print(isJson ? renderEvent(exchange) : renderLine(exchange, terminal.decorated)),
    onError: (error) => terminal.error(renderError(error, given.switches.has('debug'))),
  });
  // From here on a signal ends the mock in order.
  const { interrupted } = terminal;
  const hasKeys = terminal.keyboard !== undefined && !given.switches.has('no-keys');
  announce(mock, seed, isJson, typeof port === 'object', { ...terminal, hasKeys });
  const recording = scribe.attach(mock);
  if (!isJson) terminal.out(recording);
  const screen = (): string => renderBanner(mock, seed, terminal.decorated, hasKeys);
  await attend(mock, { ...terminal, interrupted }, { isJson, hasKeys, debug: given.switches.has('debug'), screen });
  await mock.close();
  lines.flush();
  if (scribe.state() !== undefined) terminal.out(isJson ? `${JSON.stringify(scribe.state())}\n` : scribe.summary());
  if (!isJson) terminal.out('Stopped.\n');
  return 0;
}

/** Where to announce a mock, and whether keys act on it there. */
type Stage = Pick<Terminal, 'out' | 'decorated'> & { readonly hasKeys: boolean };

function announce(mock: RunningMock, seed: number, isJson: boolean, isDefaultPort: boolean, terminal: Stage): void {
  const { url, urls, keys, hiddenRecords } = mock;
  if (isJson) {
    const mutants = mock.mutants.length === 0 ? {} : { mutants: mock.mutants.map((mutant) => mutant.id) };
    const chaos = mock.chaos.list().length === 0 ? {} : { chaos: mock.chaos.list() };
    terminal.out(`${JSON.stringify({ event: 'ready', url, urls, keys, hiddenRecords, seed, ...mutants, ...chaos })}\n`);
    return;
  }
  if (isDefaultPort && mock.port !== defaultPort)
    terminal.out(`Port ${defaultPort} is taken; this mock listens on ${mock.port} instead.\n`);
  terminal.out(renderBanner(mock, seed, terminal.decorated, terminal.hasKeys));
}

function renderEvent({ request, response, durationMs, context }: ServedExchange): string {
  const { method, target } = request;
  const chaos = context === undefined || context.chaos.length === 0 ? {} : { chaos: context.chaos };
  return `${JSON.stringify({ event: 'exchange', method, target, status: context?.cut === 'reset' ? null : response.status, durationMs: Math.round(durationMs * 100) / 100, ...chaos })}\n`;
}

function renderLine({ request, response, durationMs, context }: ServedExchange, decorated: boolean): string {
  const colour = response.status >= 500 ? 'red' : response.status >= 400 ? 'yellow' : 'green';
  // No byte of an answer that was reset went out, so it has no status either.
  const shown = context?.cut === 'reset' ? '---' : String(response.status);
  const status = decorated ? styleText(colour, shown, { validateStream: false }) : shown;
  return `${status} ${request.method.padEnd(4)} ${printable(request.target)} ${durationMs.toFixed(1)} ms${describeChaos(context)}\n`;
}

function renderError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `The mock answered 500: ${String(error)}\n`;
  const advice = debug ? (error.stack ?? '') : 'Start it with --debug to see where.';
  return `The mock answered 500: ${error.message}. ${advice}\n`;
}

/** A request target may hold anything; what a terminal would act on is shown as it is escaped in JSON. */
function printable(target: string): string {
  // Most targets have nothing to escape.
  const shown = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(target) ? target : JSON.stringify(target).slice(1, -1);
  return shown.length > 500 ? `${shown.slice(0, 500)}…` : shown;
}

/**
 * What was given of them.
 * @throws {UsageError} for a size that is not written as `NAME=NUMBER`.
 */
function readDataset({ values, lists }: Arguments): Pick<MockOptions, 'clock' | 'sizes'> {
  const clock = values['clock'] === undefined ? {} : { clock: values['clock'] };
  return { ...clock, sizes: Object.fromEntries((lists['size'] ?? []).map(readSize)) };
}

function readSize(text: string): readonly [string, number] {
  const match = /^([^=]+)=(\d+)$/.exec(text);
  if (match === null) throw new UsageError(`--size ${text} is not written as NAME=NUMBER; write for example --size records=1000`);
  return [match[1] ?? '', Number(match[2])];
}

/**
 * What the options say.
 * @throws {UsageError} for a form of Retry-After that is none.
 */
function readChaos({ values, lists }: Arguments): Pick<MockOptions, 'chaos' | 'rateLimit' | 'retryAfter' | 'profile'> {
  const { 'rate-limit': rateLimit, 'retry-after': form, profile } = values;
  if (form !== undefined && form !== 'seconds' && form !== 'date')
    throw new UsageError(`--retry-after ${form} is no form of Retry-After; write --retry-after seconds or --retry-after date`);
  return {
    chaos: lists['chaos'] ?? [],
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(form === undefined ? {} : { retryAfter: form }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** What chaos an exchange met: whoever reads the line must not take it for a mutant of the mock or of the client. */
function describeChaos(context: ServedExchange['context']): string {
  return context === undefined || context.chaos.length === 0 ? '' : `  (${context.chaos.join('; ')})`;
}

/**
 * What was given of them.
 * @throws {UsageError} when the journal is to have no number of entries.
 */
function readControlOptions({ values, lists, switches }: Arguments): ControlOptions {
  const journal = values['journal'] === undefined ? {} : { journal: wholeNumber('journal', values['journal'], 0, mostEntries) };
  return { ...journal, allowedHosts: lists['allowed-host'] ?? [], control: !switches.has('no-control') };
}

/** Renders mutants: one a line, with the rule that each breaks. */
function renderMutants(mutants: readonly MockMutant[], isJson: boolean): string {
  if (isJson) return mutants.map(({ id, contract, rule, title }) => `${JSON.stringify({ id, contract, rule: rule, title })}\n`).join('');
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const [idWidth, ruleWidth] = [widest(mutants.map((mutant) => mutant.id)), widest(mutants.map((mutant) => mutant.rule))];
  const lines = mutants.map(({ id, rule, title }) => `${id.padEnd(idWidth)}  ${rule.padEnd(ruleWidth)}  ${title}\n`);
  return `${lines.join('')}${mutants.length === 1 ? '1 mutant' : `${mutants.length} mutants`}\n`;
}
