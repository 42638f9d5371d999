/** Watches of a mock whose clock moves on whenever the watch waits, so that an hour takes no time; and servers that deviate over time. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SystemClock } from '../../../../contracts/system-clock.ts';
import { verify } from '../../../../contracts/verify/verify.ts';
import { type WatchOptions, watch } from '../../../../contracts/verify/watch/watch-lists.ts';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import { type Contract, loadUncheckedContract } from '../../../../core/openapi/contract.ts';
import type { CheckResult, RunResult } from '../../../../core/results/run-result.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';

/** Changes the records of a list, and a record that is read by itself. */
export type Deviation = (
  records: readonly JsonObject[],
  request: { readonly isList: boolean; readonly query: URLSearchParams; readonly nowMs: number },
) => readonly JsonObject[];

/** Settings of a watch. */
export interface Watched {
  readonly contract: 'business' | 'wiki';
  readonly mutants?: readonly string[];
  readonly deviation?: Deviation;
  readonly minutes?: number;
  /** The mock's clock at the beginning; the mock's own instant without one. */
  readonly from?: string;
  readonly more?: Partial<WatchOptions>;
}

/** A clock that moves the mock whenever somebody waits. */
export function movingClock(advance: (milliseconds: number) => void): SystemClock {
  let now = 0;
  return {
    nowMs: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
      advance(milliseconds);
    },
  };
}

/** Watches a mock, or a server in front of it that deviates. */
export function watchMock({ minutes = 480, more = {}, ...watched }: Watched): Promise<RunResult> {
  return withMovingMock(watched, async (common) => await watch({ ...common, forMs: minutes * 60_000, rate: 1 / 60, ...more }));
}

/** Verifies such a server in a normal run that takes so many minutes for each request. */
export function verifyMoving(watched: Watched, pace = 1, only: readonly string[] = []): Promise<RunResult> {
  return withMovingMock(watched, async (common) => await verify({ ...common, rate: 1 / (60 * pace), only }).result);
}

async function withMovingMock(
  { contract: name, mutants = [], deviation, from }: Watched,
  run: (common: Pick<WatchOptions, 'contract' | 'target' | 'keys' | 'clock'>) => Promise<RunResult>,
): Promise<RunResult> {
  const contract = await loadUncheckedContract(contractFile(name));
  await using mock = await startMock({ contracts: [name], mutants, ...(from === undefined ? {} : { clock: from }) });
  const server = deviation === undefined ? undefined : await deviate(contract, mock, deviation);
  try {
    return await run({
      contract,
      target: server?.url ?? mock.url,
      keys: { full: { variable: 'FULL_KEY', value: mock.keys['full'] ?? 'none' } },
      clock: movingClock((milliseconds) => mock.clock.advance(milliseconds)),
    });
  } finally {
    await server?.close();
  }
}

/** The verdicts of a rule, by operation. */
export function verdictsOf({ checks: rules }: RunResult, id: string): Readonly<Record<string, string>> {
  return Object.fromEntries(rules.filter((rule) => rule.rule === id).map((rule) => [rule.operation, rule.verdict]));
}

/** Violations. */
export function violationsOf({ checks: rules }: RunResult): readonly CheckResult[] {
  return rules.filter(({ verdict }) => verdict === 'violated');
}

async function deviate(
  contract: Contract,
  mock: RunningMock,
  deviation: Deviation,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const lists = contract.collections.map(({ items }) => items.split('/').at(-1) ?? '');
  const server = createServer((request, response) => {
    void (async () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers)
          .filter(([field]) => field !== 'host')
          .map(([field, value]) => [field, String(value)]),
      );
      const answer = await fetch(`${mock.url}${request.url}`, { headers });
      const query = new URL(request.url ?? '', mock.url).searchParams;
      const type = answer.headers.get('content-type') ?? '';
      const tag = answer.headers.get('etag');
      const text = await answer.text();
      const body = text === '' ? null : (JSON.parse(text) as Json);
      const change = (records: readonly JsonObject[], isList: boolean): readonly JsonObject[] =>
        deviation(records, { isList, query, nowMs: mock.clock.now() });
      response
        .writeHead(answer.status, { 'content-type': type, ...(tag === null ? {} : { etag: tag }) })
        .end(text === '' ? '' : JSON.stringify(changeRecords(body, lists, change)));
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Changes the arrays that are lists, and the objects that have an id and a moment of change. */
function changeRecords(
  body: Json,
  lists: readonly string[],
  change: (records: readonly JsonObject[], isList: boolean) => readonly JsonObject[],
): Json {
  if (!isObject(body)) return body;
  if ('changed_at' in body && 'id' in body) return change([body], false)[0] ?? {};
  return Object.fromEntries(
    Object.entries(body).map(([name, member]) => [
      name,
      lists.includes(name) && Array.isArray(member)
        ? [...change((member as readonly Json[]).filter(isObject), true)]
        : changeRecords(member, lists, change),
    ]),
  );
}
