/** A client for the tests of the second server, and the type of a probe: a read whose result tells two servers apart. */

import { Agent, type RequestOptions, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type SecondOptions, type SecondServer, startSecondServer } from './second-server.ts';

/** An answer as it came: nothing is decoded but its compression. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The differences of a request from a plain read with the full key. */
interface ReadOptions {
  readonly role?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Asks one server. */
export interface SecondClient {
  readonly server: SecondServer;
  readonly get: (path: string, options?: ReadOptions) => Promise<WireAnswer>;
  /** The pages of a list, at most forty of them. */
  readonly paginate: (path: string, options?: ReadOptions) => Promise<readonly JsonRecord[]>;
}

/** A JSON object whose members are not known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Starts a server, lets it be observed, and stops it. */
export async function withSecondServer<T>(options: SecondOptions, observe: (client: SecondClient) => Promise<T>): Promise<T> {
  await using server = await startSecondServer(options);
  const agent = new Agent({ keepAlive: true });
  try {
    return await observe(clientOf(server, options.api === 'business' ? '/api/integrations/v1/' : '/api/v1/', agent));
  } finally {
    agent.destroy();
  }
}

/** The object at a path of names; empty when there is none. */
export function at(value: unknown, ...names: readonly string[]): JsonRecord {
  const found = names.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
  return isRecord(found) ? found : {};
}

/** The members of the list in the body of a page. */
export function rowsOf(page: unknown): readonly JsonRecord[] {
  const data = isRecord(page) ? page['data'] : undefined;
  const list = Array.isArray(data) ? data : (at(data)['orders'] ?? at(data)['reservations']);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The ids on all pages, in their order. */
export function idsOf(pages: readonly JsonRecord[]): readonly unknown[] {
  return pages.flatMap(rowsOf).map((row) => row['id'] ?? row['slug']);
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function clientOf(server: SecondServer, prefix: string, agent: Agent): SecondClient {
  const get = async (path: string, options: ReadOptions = {}): Promise<WireAnswer> => {
    const key = server.keys[options.role ?? 'full'];
    const carried = key === undefined ? {} : { 'x-service-api-key': key };
    const target = { host: '127.0.0.1', port: server.port, path: path.startsWith('/') ? path : `${prefix}${path}` };
    return await ask({ ...target, method: options.method ?? 'GET', headers: { ...carried, ...options.headers }, agent });
  };
  const paginate = async (path: string, options: ReadOptions = {}): Promise<readonly JsonRecord[]> => {
    const pages: JsonRecord[] = [];
    let cursor = '';
    for (let turn = 0; turn < 40; turn += 1) {
      const answer = await get(`${path}${cursor}`, options);
      const page: JsonRecord = JSON.parse(answer.text);
      pages.push(page);
      const { next_cursor: next, has_more: more } = at(page, 'data', 'page');
      if (more !== true || typeof next !== 'string') break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    return pages;
  };
  return { server, get, paginate };
}

/** Plain node:http, because fetch hides framing, follows rules of its own and adds headers. */
function ask(options: RequestOptions): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
        const { date: _, ...rest } = response.headers;
        resolve({ status: response.statusCode ?? 0, headers: rest, text });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** A read, and the defects that it must show. */
export interface Probe {
  readonly defects: readonly string[];
  /** Further settings of the server, with the defect and without. */
  readonly options?: Omit<SecondOptions, 'api' | 'defects'>;
  readonly observe: (client: SecondClient) => Promise<unknown>;
}

/** The statuses and bodies of several reads, each a path alone or with its options. */
export function answers(...reads: readonly Read[]): Probe['observe'] {
  return async (client) => {
    const seen = [];
    for (const [path, options] of reads) {
      const answer = await client.get(path, options);
      seen.push([answer.status, answer.headers, answer.text]);
    }
    return seen;
  };
}

/** A path, and how it is read. */
type Read = readonly [path: string, options?: Parameters<SecondClient['get']>[1]];
