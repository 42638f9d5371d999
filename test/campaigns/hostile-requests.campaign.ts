/**
 * Hostile requests to a mock: each gets a documented answer or a clean close, and blocks the event loop for at most 50 ms. Memory stays bounded, and
 * afterwards the mock is as it was.
 */

import { resolveContract } from '../../core/openapi/contract.ts';
import { contractFile, listShipped } from '../../core/shipped-files.ts';
import { openContract } from '../helpers/exchange-judge.ts';
import { connections } from '../helpers/hostile/hostile-connections.ts';
import { type Hostile, hostileRequests } from '../helpers/hostile/hostile-requests.ts';
import { generatedFor, ownHeadersFor, send, sendAll, valuesFor } from '../helpers/hostile/hostile-traffic.ts';
import { letters, longRequests } from '../helpers/hostile/long-requests.ts';
import { type MeasuredMock, type Pulse, startMeasuredMock } from '../helpers/hostile/measured-mock.ts';
import { fixture, startJudgedMock } from '../helpers/judged-mock.ts';
import { type Campaign, defineCampaign, type Item, type Judged } from './campaign.ts';

/** Limits of a request: milliseconds of the event loop, MB of memory. */
const bounds: Pulse = { blockMs: 50, rssMb: 400 };

interface Traffic extends Item {
  readonly kind: string;
  /** Sent to a mock that the contracts judge, and to one that is measured. */
  readonly requests?: () => readonly Hostile[];
  /** `letters`: requests for a contract that takes bodies, whose mock is measured only. */
  readonly contract?: 'letters';
  /** True when the contracts check the answers. */
  readonly isJudged?: boolean;
  /** Plays a hostile connection, in place of requests. */
  readonly put?: () => Promise<void>;
}

interface Result extends Pulse {
  readonly complaint: string | null;
  /** Number of answers by status; 0 is a close without an answer. */
  readonly answers: Readonly<Record<string, number>>;
}

async function listItems(size = 20, { seed = 6 }: { readonly seed?: number } = {}): Promise<readonly Traffic[]> {
  const operations = (await Promise.all(listShipped().map((name) => openContract(contractFile(name))))).flatMap(
    (contract) => resolveContract(contract).operations,
  );
  await using mock = await startJudgedMock();
  const key = mock.keys['full'] ?? '';
  const each = (kind: string, list: readonly Hostile[]): readonly Traffic[] =>
    list.map((request, index) => ({ kind, key: `${kind} ${index}: ${request.title.slice(0, 80)}`, requests: () => [request] }));
  return [
    ...Object.entries({ ...hostileRequests, ...longRequests(key, 1) }).flatMap(([kind, list]) => each(kind, list)),
    ...each('own headers', ownHeadersFor(key)).map((item) => ({ ...item, isJudged: false })),
    ...each('bodies of POST', letters()).map((item) => ({ ...item, contract: 'letters' as const })),
    ...operations.map((operation) => ({ kind: 'values', key: `values for ${operation.id}`, requests: () => valuesFor(operation, key) })),
    ...Object.entries(connections).map(([name, put]) => ({ kind: 'connections', key: `connections: ${name}`, put: () => put(many) })),
    ...Array.from({ length: size }, (_, index) => ({
      kind: 'generated',
      key: `generated ${seed + index}`,
      requests: () => generatedFor(operations, key, seed + index),
    })),
  ];
}

/** Number of connections open at once. */
const many = 500;

const started = new Map<string, Promise<MeasuredMock>>();

/** The measured mock, warmed up so that loading and compiling do not count. */
async function measuredMock(contract: 'letters' | undefined): Promise<MeasuredMock> {
  const starting = started.get(contract ?? '') ?? startMeasuredMock(contract === undefined ? [] : [fixture(contract)]);
  if (started.has(contract ?? '')) return starting;
  started.set(contract ?? '', starting);
  const mock = await starting;
  const warm = Object.values(longRequests(mock.keys['full'] ?? '', 1)).flatMap((list) => list.slice(0, 1));
  const gentle = letters().filter(({ title }) => /^(nothing|a text|100 levels|an unknown)/.test(title));
  for (const { parts } of contract === undefined ? warm : gentle) await send(mock.port, parts);
  await mock.measure();
  return mock;
}

/** Sends requests one after the other. One that seems to block is sent again: a garbage collection or a compilation is not its fault, and does not recur. */
async function measure(requests: readonly Hostile[], contract: 'letters' | undefined): Promise<Result> {
  const mock = await measuredMock(contract);
  const answers: Record<string, number> = {};
  const pulses: (Pulse & { readonly title: string })[] = [];
  for (const { title, parts } of requests) {
    const { statuses, ...pulse } = await measureOne(mock, parts);
    pulses.push({ ...pulse, title });
    for (const status of statuses) answers[status] = (answers[status] ?? 0) + 1;
  }
  const rssMb = Math.max(...pulses.map((pulse) => pulse.rssMb));
  const blocks = pulses
    .filter(({ blockMs }) => blockMs > bounds.blockMs)
    .map(({ title, blockMs }) => `${title.slice(0, 200)} blocks the event loop for ${Math.round(blockMs)} ms`);
  const memory = rssMb > bounds.rssMb ? [`the mock takes ${Math.round(rssMb)} MB`] : [];
  const failures = Object.keys(answers).some((status) => Number(status) >= 500) ? ['an answer is 500 or more'] : [];
  return {
    complaint: [...blocks, ...memory, ...failures].join('; ') || null,
    answers,
    blockMs: Math.max(...pulses.map((pulse) => pulse.blockMs)),
    rssMb,
  };
}

async function measureOne(mock: MeasuredMock, parts: Hostile['parts']): Promise<Pulse & { readonly statuses: readonly number[] }> {
  const statuses = (await send(mock.port, parts)).answers.map(({ status }) => status);
  let pulse = await mock.measure();
  for (let tries = 1; tries < 4 && pulse.blockMs > bounds.blockMs; tries += 1) {
    await send(mock.port, parts);
    const next = await mock.measure();
    pulse = { blockMs: Math.min(pulse.blockMs, next.blockMs), rssMb: Math.max(pulse.rssMb, next.rssMb) };
  }
  return { ...pulse, statuses: statuses.length === 0 ? [0] : statuses };
}

async function judge({ requests: list, contract, isJudged = true, put }: Traffic): Promise<Result> {
  try {
    if (put !== undefined) await put();
    const requests = list?.();
    if (requests === undefined) return { complaint: null, answers: {}, blockMs: 0, rssMb: 0 };
    if (contract === undefined) await sendAll(requests, { isJudged });
    // Requests that are never complete wait for a minute, and block nothing.
    return requests.some(({ expected }) => expected?.flat().includes(408))
      ? { complaint: null, answers: { 408: requests.length }, blockMs: 0, rssMb: 0 }
      : await measure(requests, contract);
  } catch (error) {
    return { complaint: error instanceof Error ? error.message.slice(0, 2000) : String(error), answers: {}, blockMs: 0, rssMb: 0 };
  }
}

export const campaign: Campaign = defineCampaign<Traffic, Result>({
  // `--size` is how many batches of a hundred generated requests are sent.
  items: listItems,
  judge,
  complaints: ({ complaint }) => (complaint === null ? [] : [complaint]),
  smoke: (items) => items.filter(({ key }) => ['malformed 0: random bytes', 'connections: halfOpen'].includes(key)),
  renderPage,
});

function renderPage(results: readonly Judged<Result>[], items: readonly Traffic[]): string {
  const rowOf = (title: string, isOfRow: (item: Traffic) => boolean): string => {
    const own = results.filter((_, index) => isOfRow(items[index] as Traffic)).map(({ result }) => result);
    const count = (isCounted: (status: number) => boolean): number =>
      own
        .flatMap(({ answers }) => Object.entries(answers))
        .reduce((sum, [status, times]) => sum + (isCounted(Number(status)) ? times : 0), 0);
    const worst = (pick: (result: Result) => number): number => Math.ceil(Math.max(0, ...own.map(pick)));
    const cells = [
      own.length,
      count((status) => status >= 200 && status < 400),
      count((status) => status >= 400),
      count((status) => status === 0),
    ];
    return `| ${[title, ...cells, worst(({ blockMs }) => blockMs), worst(({ rssMb }) => rssMb)].join(' | ')} |`;
  };
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  return `# Hostile requests

Generated by \`npm run campaign -- hostile-requests\`: requests that a mock must survive. Each gets a documented answer or a clean close, never 500. No request
blocks the event loop for more than ${bounds.blockMs} ms of processor time, and the process never has more than ${bounds.rssMb} MB of memory.

| Kind | Items | 2xx and 3xx | 4xx | Closed | Worst block in ms | Most memory in MB |
|---|---:|---:|---:|---:|---:|---:|
${kinds.map((kind) => rowOf(kind, (item) => item.kind === kind)).join('\n')}
${rowOf('together', () => true)}

An item is a request or a batch of requests, with the request behind it that shows that the connection is in order. Connections are not measured: their clients
run in the process of the mock.
`;
}
