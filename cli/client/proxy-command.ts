import { chooseProxy } from '../../contracts/verify/target/choose-proxy.ts';
import { createConnections } from '../../contracts/verify/target/connections.ts';
import { explainFailure } from '../../contracts/verify/target/explain-network-failure.ts';
import { startRequest } from '../../contracts/verify/target/send-one-request.ts';
import { prefixOf, printUrl, readTargetUrl, withoutCommonPath } from '../../contracts/verify/target/target-address.ts';
import { formatLocation, UsageError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { clientLevels } from '../../core/results/client-rule.ts';
import type { ProxyFinding, ProxyReport } from '../../core/results/proxy-result.ts';
import { loadContractsByName } from '../../mocks/load-contracts.ts';
import type { ProxyTarget } from '../../mocks/proxy/forwarder.ts';
import { type ProxiedExchange, startProxy } from '../../mocks/proxy/start-proxy.ts';
import { reportOfProxy } from '../../reports/client/proxy-report.ts';
import { printReport } from '../../reports/print-json.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { strictOption, warnAbout } from '../open-contract.ts';
import { createBatchPrinter } from '../print-lines-in-batches.ts';
import { readWholeNumber } from '../read-option-values.ts';
import { createReports } from '../report-option.ts';
import { HarWriter } from './har-writer.ts';
import { isNotable, renderExchangeLine, renderFindingLine } from './traffic-lines.ts';

const reports = createReports<ProxyReport>({ json: printReport, reportsOf: (result) => [reportOfProxy(result)] });

const defaultPort = 4020;

/** `touchstone proxy`: passes the traffic of a client to a real service, and judges both until a signal stops it. */
export const proxyCommand: CommandBody = {
  description: [
    'Forwards each request to the service at --target, and returns its response, byte for byte. Checks both against the contract, and the sequence of requests against the client rules of touchstone mock. Keys are never stored.',
    'Ctrl-C stops the proxy and prints the report. Exit code 1: a request or response violated the contract, or the client broke a client rule; 3: the service never responded; 4: no request arrived. Requests larger than 512 KiB and responses larger than 4 MiB are passed on unchecked.',
  ],
  options: [
    { name: 'target', value: 'URL', summary: 'Address of the real service. Required.' },
    {
      name: 'port',
      value: 'PORT',
      summary: `Port to listen on, or 0 for any free port. Default ${defaultPort}, or the next free port if that one is taken.`,
    },
    { name: 'host', value: 'ADDRESS', summary: 'Address to listen on. Default 127.0.0.1, which is reachable from this machine only.' },
    {
      name: 'har',
      value: 'FILE',
      summary: 'Write all exchanges as an HTTP Archive (HAR), without keys and personal data. The file is valid after each exchange.',
    },
    strictOption,
    reports.option,
    { name: 'json', summary: 'Print one JSON object per line; the first has url and target.' },
  ],
  examples: [
    { line: 'touchstone proxy business --target https://api.example.com', about: 'check your client and the real service' },
    { line: 'touchstone proxy my-api.yaml --target http://localhost:8080 --har traffic.har', about: 'also record the exchanges' },
  ],
  run: runProxy,
};

async function runProxy(args: Arguments, unbuffered: Terminal): Promise<number> {
  const { positionals, values, switches } = args;
  if (positionals.length === 0)
    throw new UsageError('touchstone proxy needs a contract: touchstone proxy business --target URL, or an OpenAPI file');
  const port = readWholeNumber(values, 'port', 0, 65_535) ?? { from: defaultPort };
  const requested = reports.read(args);
  const loaded = await loadContractsByName(positionals, undefined, { strict: switches.has('strict') });
  const contracts = loaded.map(({ written }) => written);
  warnAbout(contracts, unbuffered);
  const target = openProxyTarget(values['target'], contracts);
  const har = values['har'] === undefined ? undefined : new HarWriter(values['har'], target.url);
  const { terminal, print, flush } = createBatchPrinter(unbuffered);
  const isJson = switches.has('json');
  const proxy = await startProxy({
    contracts,
    target,
    host: values['host'] ?? '127.0.0.1',
    port,
    onExchange: (exchange) => {
      har?.add(exchange);
      print(isJson ? renderEvent(exchange) : renderExchange(exchange, proxy.contracts, terminal.decorated));
    },
    onFinding: (finding) =>
      print(isJson ? `${printJson({ event: 'finding', ...finding })}\n` : renderFindingLine(finding, terminal.decorated)),
    onError: (error) => terminal.error(`touchstone: ${error instanceof Error ? error.message : String(error)}\n`),
  });
  const { interrupted } = terminal;
  terminal.out(
    isJson
      ? `${printJson({ event: 'ready', url: proxy.url, target: target.url })}\n`
      : `Touchstone proxy\n\n  ${proxy.url} forwards to ${target.url}\n\nPoint your client at this address. Press Ctrl-C to stop.\n\n`,
  );
  await interrupted;
  await proxy.close();
  target.close();
  har?.close();
  flush();
  const report = proxy.report();
  return reports.end(report, requested, exitCodeOfProxy(report), isJson ? { ...terminal, out: () => undefined } : terminal);
}

function exitCodeOfProxy({ exchanges, unanswered, findings, client }: ProxyReport): number {
  const worstLevel = clientLevels[0];
  if (findings.length > 0 || client.findings.some(({ level }) => level === worstLevel)) return 1;
  if (exchanges === 0) return 4;
  return unanswered === exchanges ? 3 : 0;
}

/**
 * Opens the real service; nothing is sent yet. The proxy variables of the environment apply.
 * @throws {UsageError} for a missing or invalid address.
 */
function openProxyTarget(text: string | undefined, contracts: readonly Contract[]): ProxyTarget & { readonly close: () => void } {
  if (text === undefined) throw new UsageError('--target is missing; write the address of the real service, as --target https://HOST');
  const operations = contracts.flatMap((contract) => contract.operations);
  const url = readTargetUrl(withoutCommonPath(text, operations));
  const viaProxy = chooseProxy(url, process.env);
  const connections = createConnections(timeoutMs);
  const closing = new AbortController();
  return {
    url: printUrl(url),
    open: ({ method, target, headers }, isFresh) =>
      startRequest(
        { url, method, target: `${prefixOf(url)}${target}`, headers },
        viaProxy,
        connections.agentFor(url, viaProxy, !isFresh),
        closing.signal,
      ),
    explain: (error) =>
      explainFailure(error, { origin: url.origin, proxy: url.protocol === 'http:' ? viaProxy?.name : undefined, hasResponse: false })
        .message,
    close: () => {
      closing.abort();
      connections.close();
    },
  };
}

/** Time to open a tunnel through a proxy of the environment, in milliseconds. */
const timeoutMs = 30_000;

/** Renders an exchange that is refused or has new kinds of mistakes. Other exchanges have no line. */
function renderExchange(exchange: ProxiedExchange, contracts: Parameters<typeof renderExchangeLine>[1], decorated: boolean): string {
  const { newFindings } = exchange;
  if (!isNotable(exchange) && newFindings.length === 0) return '';
  return `${renderExchangeLine(exchange, contracts, decorated)}${newFindings
    .filter(({ half }) => half === 'response')
    .map(renderViolation)
    .join('')}`;
}

function renderViolation({ message, source }: ProxyFinding): string {
  return `    response: ${message} (${formatLocation(source)})\n`;
}

function renderEvent({ request, response, durationMs, context, newFindings }: ProxiedExchange): string {
  const { method, target } = request;
  const event = { event: 'exchange', method, target, status: response.status, durationMs: Math.round(durationMs * 100) / 100 };
  const problems = (context?.problems ?? []).map(({ message }) => message);
  const violations = newFindings.filter(({ half }) => half === 'response').map(({ message }) => message);
  return `${printJson({ ...event, problems, violations })}\n`;
}
