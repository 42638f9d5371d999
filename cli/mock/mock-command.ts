import { countNoun } from '../../core/count-noun.ts';
import { withoutUndefined } from '../../core/drop-undefined.ts';
import { UsageError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { defaultEntries, maxEntries } from '../../mocks/journal/journal.ts';
import type { MockMutant } from '../../mocks/mutants/mock-mutant.ts';
import type { ServedExchange } from '../../mocks/served-exchange.ts';
import { listMockMutants, type MockOptions, type RunningMock, startMock } from '../../mocks/start-mock.ts';
import { describeClient } from '../../reports/client/client-report.ts';
import { printLines } from '../../reports/print-json.ts';
import { alignColumns } from '../../reports/terminal-text.ts';
import { clientOptions, readClientRun, runClient } from '../client/run-client-against-mock.ts';
import { isNotable, renderExchangeLine, renderFindingLine } from '../client/traffic-lines.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { strictOption, warnAbout, warnAboutSchemas } from '../open-contract.ts';
import { createBatchPrinter } from '../print-lines-in-batches.ts';
import { readWholeNumber } from '../read-option-values.ts';
import { listenToKeys } from './keyboard-shortcuts.ts';
import { type PactFileWriter, pactOptions, readPactOptions } from './record-pacts.ts';
import { renderBanner } from './render-banner.ts';
import { openChangeFile } from './store-file.ts';
import { watchFiles } from './watch-files.ts';

const defaultPort = 4010;
const defaultSeed = 1;

/** `touchstone mock`: serves contracts and prints a line for each exchange, until a signal or a key stops it. */
export const mockCommand: CommandBody = {
  takesClientCommand: true,
  description: [
    'Serves OpenAPI files (3.0 or 3.1) as stateful APIs. CONTRACT is a file, or the name of a contract that comes with Touchstone; without CONTRACT, all contracts that come with Touchstone are served. Records and keys are seeded, so they are the same on every machine.',
    'With COMMAND, the mock runs your client, stops when it ends, and reports its mistakes. The client finds the mock through the environment variables API_URL, API_KEY, API_KEY_ROLE and API_CONTROL_URL. Exit code 1: the client made mistakes; 4: it sent no request, or did not exercise a rule named by --require; otherwise the exit code of COMMAND.',
    'Your files are reloaded when they change. If a file has a mistake, the mock reports it and goes on serving the previous version.',
  ],
  options: [
    {
      name: 'port',
      value: 'PORT',
      summary: `Port to listen on, or 0 for any free port. Default ${defaultPort}, or the next free port if that one is taken.`,
    },
    { name: 'host', value: 'ADDRESS', summary: 'Address to listen on. Default 127.0.0.1, which is reachable from this machine only.' },
    { name: 'seed', value: 'NUMBER', summary: `Seed of the records and the keys. Default ${defaultSeed}.` },
    {
      name: 'mutant',
      value: 'ID',
      repeatable: true,
      summary: 'Make this deliberate mistake, to see whether your tests notice it. --list-mutants lists all mistakes. Repeatable.',
    },
    {
      name: 'data',
      value: 'FILE',
      repeatable: true,
      summary: 'YAML or JSON file with records of your own. Repeatable.',
    },
    {
      name: 'clock',
      value: 'WHEN',
      summary: `The mock's clock: live, a speed such as x60, or an instant such as 2026-03-29T02:30:00+01:00. Default: a fixed instant. The header "Mock-Clock: PT2H" moves it for one request.`,
    },
    {
      name: 'size',
      value: 'NAME=NUMBER',
      repeatable: true,
      summary: 'Number of records in a collection, up to 1000000. Repeatable.',
    },
    {
      name: 'chaos',
      value: 'RULE',
      repeatable: true,
      summary:
        'Make requests fail or slow down: "503 10%", "503:CODE OPERATION", "429 retry-after=2 key=ROLE", "latency 50ms..400ms", "latency lognormal(120ms,0.5)", "reset 2%", "truncated", "slow 2kB/s"; separate several rules with semicolons. The same requests always get the same chaos. The header Mock-Chaos sets the rules for one request, or turns chaos "off". Repeatable.',
    },
    {
      name: 'rate-limit',
      value: 'N/TIME',
      summary:
        'Maximum number of requests per key, such as 20/s, 600/m or 100/10s; further requests get 429. With "20/s strict", retrying too early restarts the wait. Default: no limit.',
    },
    {
      name: 'retry-after',
      value: 'FORM',
      summary: 'Format of Retry-After: seconds or date. Default: the format that the contract documents, or seconds.',
    },
    {
      name: 'profile',
      value: 'PROFILE',
      summary:
        'Answers to the questions that the API documentation leaves open: strict, lenient, terse, null, absent, other, or a YAML or JSON file (question: answer, or contract: {question: answer}).',
    },
    { name: 'journal', value: 'NUMBER', summary: `Number of exchanges that /__mock/journal keeps. Default ${defaultEntries}.` },
    {
      name: 'dynamic',
      summary:
        'As in Prism: return generated bodies instead of examples for operations without annotations. The same request gets the same body; "Prefer: dynamic=false" asks for an example.',
    },
    {
      name: 'stateless',
      summary:
        'As in Prism: serve operations without annotations from their documented responses alone. By default, collections are inferred from the file, and writes change their records.',
    },
    {
      name: 'store',
      value: 'FILE',
      summary: 'File for everything that clients write, so that it survives a restart. By default, it is lost.',
    },
    {
      name: 'errors',
      summary:
        'As in Prism: return 500 if a documented response breaks its own schema. By default, the response is sent, and the header sl-violations and the log report what is wrong.',
    },
    {
      name: 'keys',
      summary: 'Accept only the printed keys. By default, an API without annotations accepts any credential of the documented form.',
    },
    { name: 'max-body', value: 'BYTES', summary: 'Maximum size of a request body. Default 10000000; a larger body gets 413.' },
    {
      name: 'allowed-host',
      value: 'NAME',
      repeatable: true,
      summary:
        'Host name by which clients may reach /__mock/, such as "mock" in a container network. localhost and the address of --host always work. Repeatable.',
    },
    {
      name: 'no-control',
      summary: 'Serve neither the front page nor /__mock/ (journal, clock, chaos, reset).',
    },
    ...pactOptions,
    ...clientOptions,
    {
      name: 'no-keys',
      summary: 'Ignore the keyboard. By default, single keys move the clock, turn chaos on and off, and more; h lists them.',
    },
    strictOption,
    { name: 'list-mutants', summary: 'List the mutants of the contracts, each with the rule that it breaks, and exit.' },
    { name: 'json', summary: 'Print one JSON object per line; the first has url, urls, keys and hiddenRecords.' },
  ],
  examples: [
    { line: 'touchstone mock', about: 'the contracts that come with Touchstone, on one port' },
    { line: 'touchstone mock my-api.yaml --port 0', about: 'a file of your own, on any free port' },
    { line: "touchstone mock --chaos '503 5%; latency 50ms..400ms' --rate-limit 20/s", about: 'with errors, latency and a rate limit' },
    { line: 'touchstone mock my-api.yaml --data my-records.yaml', about: 'with records of your own' },
    { line: 'touchstone mock my-api.yaml --store records.jsonl', about: 'an API that remembers what clients write' },
    { line: 'touchstone mock business -- npm run sync', about: 'run your client and report its mistakes' },
    { line: 'touchstone mock business --list-mutants', about: 'the mistakes that this mock can make' },
  ],
  run: runMock,
};

async function runMock(args: Arguments, unbuffered: Terminal): Promise<number> {
  const { values, lists, switches } = args;
  const { terminal, print, flush } = createBatchPrinter(unbuffered);
  const options = readMockOptions(args);
  const isJson = switches.has('json');
  if (switches.has('list-mutants')) {
    terminal.out(renderMutants(await listMockMutants(options), isJson));
    return 0;
  }
  const { seed = defaultSeed } = options;
  const clientRun = readClientRun(args);
  const pactWriter = readPactOptions(args, (error) =>
    terminal.error(`touchstone: ${error instanceof Error ? error.message : String(error)}\n`),
  );
  const mock = await startMock({
    ...options,
    ...pactWriter?.options,
    seed,
    mutants: lists['mutant'] ?? [],
    data: lists['data'] ?? [],
    onExchange: (exchange) => {
      if (isJson) print(renderEvent(exchange));
      else if (clientRun === undefined || isNotable(exchange)) print(renderExchangeLine(exchange, mock.contracts, terminal.decorated));
    },
    onFinding: (finding) =>
      print(isJson ? `${printJson({ event: 'finding', ...finding })}\n` : renderFindingLine(finding, terminal.decorated)),
    onError: (error) => terminal.error(renderError(error, switches.has('debug'))),
  });
  warnAbout(mock.contracts, terminal);
  warnAboutSchemas(mock.contracts, terminal);
  const recording = pactWriter?.attach(mock);
  if (clientRun !== undefined) return runClient(mock, clientRun, terminal);
  const hasKeys = terminal.keyboard !== undefined && !switches.has('no-keys');
  const screen = (): string => renderBanner(mock, seed, terminal.decorated, hasKeys, !switches.has('no-control'));
  if (values['port'] === undefined && mock.port !== defaultPort && !isJson)
    terminal.out(`Port ${defaultPort} is taken; this mock listens on ${mock.port} instead.\n`);
  terminal.out(isJson ? renderReady(mock, seed) : `${screen()}${recording ?? ''}`);
  await waitForStop(mock, terminal, { isJson, hasKeys, debug: switches.has('debug'), screen });
  await mock.close();
  flush();
  terminal.out(renderEnd(mock, pactWriter, isJson));
  return 0;
}

/** Settings of the time between the start and the stop of the mock. */
interface RunSettings {
  readonly isJson: boolean;
  /** True if single keys are read. */
  readonly hasKeys: boolean;
  /** True to print the stacks of errors. */
  readonly debug: boolean;
  /** Text for a cleared screen. */
  readonly screen: () => string;
}

/** Handles keys, and reloads the mock when its files change, until a key or a signal stops it. */
async function waitForStop(mock: RunningMock, terminal: Terminal, settings: RunSettings): Promise<void> {
  let quit = (): void => undefined;
  const quitByKey = new Promise<void>((resolve) => {
    quit = resolve;
  });
  const reload = (changed: readonly string[]): Promise<void> => reloadAndReport(mock, terminal, settings, changed);
  const stopWatching = watchFiles({ files: () => mock.files, onChange: reload });
  const { keyboard } = terminal;
  const hasKeyboard = keyboard !== undefined && settings.hasKeys && !settings.isJson;
  const releaseKeys = hasKeyboard
    ? listenToKeys(keyboard, {
        mock,
        out: terminal.out,
        error: terminal.error,
        screen: settings.screen,
        reload: () => reload([]),
        quit,
      })
    : undefined;
  try {
    await Promise.race([terminal.interrupted, quitByKey]);
  } finally {
    releaseKeys?.();
    stopWatching();
  }
}

/** Reloads the files. A mistake in them is reported, and the mock continues with the previous version. */
async function reloadAndReport(mock: RunningMock, terminal: Terminal, settings: RunSettings, changed: readonly string[]): Promise<void> {
  try {
    await mock.reload();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const stack = settings.debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
    if (settings.isJson) terminal.out(`${printJson({ event: 'reload-failed', files: changed, message })}\n`);
    terminal.error(`touchstone: ${message}\n${stack}The mock continues with the previous version. Correct the file and save it.\n`);
    return;
  }
  if (settings.isJson) terminal.out(`${printJson({ event: 'reload', files: changed })}\n`);
  else terminal.out(changed.length === 0 ? 'Reloaded.\n' : `Reloaded after a change to ${changed.join(' and ')}.\n`);
}

/** Renders the last lines: the recorded pacts, and the findings about the client. */
function renderEnd(mock: RunningMock, pactWriter: PactFileWriter | undefined, isJson: boolean): string {
  if (isJson) return pactWriter === undefined ? '' : `${printJson(pactWriter.summaryData())}\n`;
  const report = mock.client();
  const end = report.requests === 0 ? 'Stopped.\n' : `Stopped after ${describeClient(report)}.\n`;
  return `${pactWriter?.summary() ?? ''}${end}`;
}

/** Renders the first line of `--json`. */
function renderReady({ url, urls, keys, hiddenRecords, mutants, chaos }: RunningMock, seed: number): string {
  const ids = mutants.map(({ id }) => id);
  const rules = chaos.list();
  const changes = { ...(ids.length > 0 && { mutants: ids }), ...(rules.length > 0 && { chaos: rules }) };
  return `${printJson({ event: 'ready', url, urls, keys, hiddenRecords, seed, ...changes })}\n`;
}

function renderEvent({ request, response, durationMs, context }: ServedExchange): string {
  const { method, target } = request;
  const status = context?.cut === 'reset' ? null : response.status;
  const chaos = context === undefined || context.chaos.length === 0 ? undefined : context.chaos;
  return `${printJson({ event: 'exchange', method, target, status, durationMs: Math.round(durationMs * 100) / 100, chaos })}\n`;
}

function renderError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `The mock returned 500: ${String(error)}\n`;
  const advice = debug ? (error.stack ?? '') : 'Restart it with --debug for the stack trace.';
  return `The mock returned 500: ${error.message}. ${advice}\n`;
}

/**
 * Reads the options of the mock, except those of mutants, own records, clients and pacts.
 * @throws {UsageError} for a number out of bounds, a size that is not `NAME=NUMBER`, or an unknown form of Retry-After.
 */
function readMockOptions({ positionals, values, lists, switches }: Arguments): MockOptions {
  const { host, clock, profile, 'rate-limit': rateLimit, 'retry-after': retryAfter } = values;
  if (retryAfter !== undefined && retryAfter !== 'seconds' && retryAfter !== 'date')
    throw new UsageError(`--retry-after ${retryAfter} is not a format of Retry-After; write --retry-after seconds or --retry-after date`);
  return {
    port: readWholeNumber(values, 'port', 0, 65_535) ?? { from: defaultPort },
    ...withoutUndefined({
      contracts: positionals.length === 0 ? undefined : positionals,
      seed: readWholeNumber(values, 'seed', 0, Number.MAX_SAFE_INTEGER),
      journal: readWholeNumber(values, 'journal', 0, maxEntries),
      maxBodyBytes: readWholeNumber(values, 'max-body', 0, 1_000_000_000),
      ...{ host, clock, profile, rateLimit, retryAfter },
    }),
    sizes: Object.fromEntries((lists['size'] ?? []).map(readSize)),
    chaos: lists['chaos'] ?? [],
    allowedHosts: lists['allowed-host'] ?? [],
    control: !switches.has('no-control'),
    stateful: !switches.has('stateless'),
    ...(values['store'] === undefined ? {} : { store: openChangeFile(values['store']) }),
    dynamic: switches.has('dynamic'),
    errors: switches.has('errors'),
    fixedKeys: switches.has('keys'),
    strict: switches.has('strict'),
  };
}

function readSize(text: string): readonly [string, number] {
  const [, name, size] = /^([^=]+)=(\d+)$/.exec(text) ?? [];
  if (name !== undefined) return [name, Number(size)];
  throw new UsageError(`--size ${text} is not of the form NAME=NUMBER; write, for example, --size records=1000`);
}

/** Renders mutants, one per line with its rule. */
function renderMutants(mutants: readonly MockMutant[], isJson: boolean): string {
  if (isJson) return printLines(mutants.map(({ id, contract, rule, title }) => ({ id, contract, rule, title })));
  const lines = alignColumns(mutants.map(({ id, rule, title }) => [id, rule, title]));
  return [...lines, countNoun(mutants.length, 'mutant'), ''].join('\n');
}
