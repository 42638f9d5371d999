/** The promise of few requests: what whole runs cost on the default world, and that a list of a million records costs little more. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../../../contracts/verify.ts';
import { type ListOperation, requireList } from '../../../contracts/walk.ts';
import type { HttpHeaders } from '../../../core/exchange.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { type Operation, routeTo } from '../../../core/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import { readRequest } from '../../../core/request.ts';
import type { RunResult } from '../../../core/verdict.ts';
import { type RunningMock, startMock } from '../../../mocks/start.ts';
import { contractOf, namedKeys } from '../../helpers/engine.ts';
import { doubts, judgeMock, violated } from '../../helpers/judged-servers.ts';
import { pageBody, queryOf } from '../../helpers/lazy-list.ts';

describe('a run on the default world', { timeout: 60_000 }, () => {
  let whole: RunResult;
  beforeAll(async () => {
    whole = await judgeMock('business');
  }, 60_000);

  test('of the business API stays under 250 requests; every rule holds but for chaos, and what needs a change stays open', () => {
    expect([whole.exitCode, whole.requests < 250, whole.requests]).toEqual([0, true, whole.requests]);
    expect(doubts(whole).filter((line) => !/^trouble\/.* not-testable: a target that /.test(line))).toEqual([
      'conditional/changed getOrder holds:  [frozen]',
      'conditional/changed getReservation holds:  [frozen]',
      'sync/fractions listOrders holds:  [rounded:second]',
      'sync/fractions listReservations holds:  [rounded:second]',
    ]);
  });

  test('of the wiki API stays under 250 requests, and every rule holds', async () => {
    const result = await judgeMock('wiki');
    expect([result.exitCode, result.requests < 250, result.requests]).toEqual([0, true, result.requests]);
    expect(doubts(result)).toEqual([]);
  });

  test.each(['business', 'wiki'])('of the %s API stays under 80 requests when it is quick', async (api) => {
    const result = await judgeMock(api, {}, { quick: true });
    expect(violated(result)).toEqual([]);
    expect([result.exitCode, result.requests < 80, result.requests]).toEqual([0, true, result.requests]);
  });

  test('costs at most 1.3 times as much where the lists have a million records', async () => {
    await using huge = await startHugeTarget(1_000_000);
    const result = await verify({ contract: await contractOf('business'), target: huge.url, keys: namedKeys(huge.keys) }).result;
    expect(violated(result)).toEqual([]);
    expect([result.requests <= whole.requests * 1.3, result.requests]).toEqual([true, result.requests]);
  });
});

/** A server of the business API whose lists are huge: a mock answers everything but what a right request for them gets. */
interface HugeTarget extends AsyncDisposable {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** Identities begin where those of the mock end, so that nothing is taken for something else. */
const firstId = 50_000_000;
const lastMs = Date.UTC(2026, 2, 29, 12, 0, 0);

interface Answered {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
}

/** Starts a server whose lists have so many records each, the latest change first. */
async function startHugeTarget(size: number): Promise<HugeTarget> {
  const mock = await startMock({ contracts: ['business'] });
  const { operations } = await contractOf('business');
  const templates = new Map<string, readonly JsonObject[]>();
  for (const list of operations.filter((each) => each.collection !== undefined))
    templates.set(list.collection?.name ?? '', await readAll(mock, requireList(list)));
  const answer = async (request: IncomingMessage): Promise<Answered> => {
    const target = request.url ?? '/';
    const route = routeTo(operations, request.method ?? '', target);
    const own = route.kind === 'operation' && request.method === 'GET' ? lazily(mock, route.operation, templates, size) : undefined;
    return (await own?.(target, request)) ?? (await ask(mock, target, request));
  };
  const server = createServer((request, response) => void answer(request).then((told) => send(response, told)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await mock.close();
  };
  return { url: `http://127.0.0.1:${port}`, keys: mock.keys, [Symbol.asyncDispose]: close };
}

function send(response: ServerResponse, { status, headers, text }: Answered): void {
  const kept = Object.entries(headers).filter(([name]) => ['content-type', 'etag', 'www-authenticate', 'retry-after'].includes(name));
  response.writeHead(status, Object.fromEntries(kept.map(([name, value]) => [name, String(value)])));
  response.end(text);
}

async function ask({ url }: RunningMock, target: string, request: Pick<IncomingMessage, 'method' | 'headers'>): Promise<Answered> {
  const carried = ['x-service-api-key', 'authorization', 'if-none-match'].flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const response = await fetch(`${url}${target}`, { method: request.method ?? 'GET', headers: Object.fromEntries(carried) });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

async function readAll(mock: RunningMock, list: ListOperation): Promise<readonly JsonObject[]> {
  const headers = { 'x-service-api-key': mock.keys['full'] ?? '' };
  const { text } = await ask(mock, `${list.path}?limit=100`, { method: 'GET', headers });
  const found = valueAt(JSON.parse(text), list.collection.items);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

type Answering = (target: string, request: IncomingMessage) => Promise<Answered | undefined>;

/** What answers requests for the huge lists and their records, when the mock finds nothing wrong with them. */
function lazily(
  mock: RunningMock,
  operation: Operation,
  templates: ReadonlyMap<string, readonly JsonObject[]>,
  size: number,
): Answering | undefined {
  const known = templates.get(operation.collection?.name ?? operation.resource?.name ?? '');
  if (known === undefined || known.length === 0) return undefined;
  const recordAt = (place: number): JsonObject => {
    const template = known[place % known.length] ?? {};
    const changed = new Date(lastMs - place * 90_000 - (place % 3 === 0 ? 90_000 : 0)).toISOString().replace('.000Z', '+00:00');
    // Every third record ties with the one after it.
    const code = 'code' in template ? { code: `H-${firstId + size - place}` } : {};
    return { ...template, id: firstId + size - place, ...code, changed_at: changed };
  };
  if (operation.collection !== undefined)
    return (target, request) => answerList(mock, requireList(operation), { recordAt, size, known }, target, request);
  return (target, request) => answerRecord(mock, { recordAt, size, known }, target, request);
}

interface Huge {
  readonly recordAt: (place: number) => JsonObject;
  readonly size: number;
  /** The records of the mock that the list repeats. */
  readonly known: readonly JsonObject[];
}

function isFull(mock: RunningMock, { headers }: IncomingMessage): boolean {
  const key = mock.keys['full'];
  return headers['x-service-api-key'] === key || headers.authorization === `Bearer ${key}`;
}

async function answerList(
  mock: RunningMock,
  operation: ListOperation,
  huge: Huge,
  target: string,
  request: IncomingMessage,
): Promise<Answered | undefined> {
  const query = decodedOf(target);
  const cursor = /^huge(\d+)$/.exec(query.get('cursor') ?? 'huge0')?.[1];
  if (!isFull(mock, request) || cursor === undefined) return undefined;
  const plain = target.replace(/([?&])cursor=[^&]*&?/, '$1');
  const checked = await ask(mock, plain, request);
  if (checked.status !== 200) return checked;
  const { values } = readRequest(operation, { method: 'GET', target: plain, headers: {} }, new Map());
  const filters = new Map([...values].filter(([name]) => operation.collection.filters.has(name)));
  const limit = Number(values.get('limit') ?? 50);
  const since = Date.parse(query.get('updated_after') ?? '1970-01-01T00:00:00Z');
  const matches = (record: JsonObject): boolean => operation.collection.query.matches(record, filters);
  const { records, place } = recordsFrom(huge, Number(cursor), limit, since, matches);
  const more = records.length > limit;
  const body = pageBody(operation, { records: records.slice(0, limit), more, next: more ? `huge${place - 1}` : null });
  const envelope: unknown = JSON.parse(checked.text);
  return { ...checked, text: JSON.stringify({ ...(isObject(envelope as JsonObject) ? (envelope as JsonObject) : {}), ...body }) };
}

/** One record more than a page has, and the place behind the last of them. The latest change stands first. */
function recordsFrom(
  { recordAt, size, known }: Huge,
  from: number,
  limit: number,
  since: number,
  matches: (record: JsonObject) => boolean,
): { readonly records: readonly JsonObject[]; readonly place: number } {
  const records: JsonObject[] = [];
  let place = from;
  for (; place < size && records.length <= limit; place += 1) {
    const record = recordAt(place);
    if (Date.parse(String(record['changed_at'])) < since) break;
    if (matches(record)) records.push(record);
    // The list repeats the records of the mock: what none of them matches, nothing does.
    else if (records.length === 0 && place - from > known.length) break;
  }
  return { records, place };
}

/** A record of the mock under the name and with the moment of a huge list's. */
async function answerRecord(
  mock: RunningMock,
  { recordAt, size, known }: Huge,
  target: string,
  request: IncomingMessage,
): Promise<Answered | undefined> {
  // Any spelling of a name is the name; what is not the number or the code of a record is for the mock to refuse.
  const query = decodedOf(target);
  const named = query.size !== 1 ? null : (/^(\d+)$/.exec(query.get('id') ?? '') ?? /^H-(\d+)$/.exec(query.get('code') ?? ''));
  const place = named === null ? -1 : firstId + size - Number(named[1]);
  if (!isFull(mock, request) || !(place >= 0 && place < size)) return undefined;
  const { ['if-none-match']: tag, ...headers } = request.headers;
  const original = known[place % known.length]?.['id'];
  const asked = `${target.split('?')[0] ?? ''}?id=${String(original)}`;
  const answered = await ask(mock, asked, { method: 'GET', headers });
  if (answered.status !== 200) return answered;
  const record = recordAt(place);
  const text = JSON.stringify(
    JSON.parse(answered.text, (_, value) =>
      isObject(value) && value['id'] === original && 'changed_at' in value
        ? {
            ...value,
            id: record['id'] ?? null,
            ...('code' in record ? { code: record['code'] ?? null } : {}),
            changed_at: record['changed_at'] ?? null,
          }
        : value,
    ),
  );
  const etag = `"${String(record['id'])}"`;
  const isUnchanged = tag !== undefined && (tag === '*' || tag.split(',').some((each) => each.trim().replace(/^W\//, '') === etag));
  return { status: isUnchanged ? 304 : 200, headers: { ...answered.headers, etag }, text: isUnchanged ? '' : text };
}

/** The query of a target; empty when it cannot be decoded. */
function decodedOf(target: string): ReadonlyMap<string, string> {
  try {
    return queryOf(target);
  } catch (error) {
    if (error instanceof URIError) return new Map();
    throw error;
  }
}
