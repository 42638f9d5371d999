/** Knows how the tests of the second server ask it: one request, or a walk through all pages of a list. */

import { Agent, type RequestOptions, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type SecondOptions, type SecondServer, startSecondServer } from './server.ts';

/** An answer as it came: nothing is decoded but its compression. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** How a request differs from a plain read with the full key. */
export interface Manner {
  readonly role?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Asks one server. */
export interface Client {
  readonly server: SecondServer;
  readonly get: (path: string, manner?: Manner) => Promise<Answer>;
  /** The pages of a list, at most forty of them. */
  readonly walk: (path: string, manner?: Manner) => Promise<readonly Json[]>;
}

/** A JSON object whose members are not known. */
export type Json = Readonly<Record<string, unknown>>;

/** Starts a server, lets it be observed, and stops it. */
export async function observed<T>(options: SecondOptions, observe: (client: Client) => Promise<T>): Promise<T> {
  await using server = await startSecondServer(options);
  const agent = new Agent({ keepAlive: true });
  try {
    return await observe(clientOf(server, options.api === 'business' ? '/api/integrations/v1/' : '/api/v1/', agent));
  } finally {
    agent.destroy();
  }
}

/** The object at a path of names; empty when there is none. */
export function at(value: unknown, ...names: readonly string[]): Json {
  const found = names.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
  return isRecord(found) ? found : {};
}

/** The members of the list in the body of a page. */
export function rowsOf(page: unknown): readonly Json[] {
  const data = isRecord(page) ? page['data'] : undefined;
  const list = Array.isArray(data) ? data : (at(data)['orders'] ?? at(data)['reservations']);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The ids of all pages of a walk, in the order they came. */
export function idsOf(pages: readonly Json[]): readonly unknown[] {
  return pages.flatMap(rowsOf).map((row) => row['id'] ?? row['slug']);
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function clientOf(server: SecondServer, prefix: string, agent: Agent): Client {
  const get = async (path: string, manner: Manner = {}): Promise<Answer> => {
    const key = server.keys[manner.role ?? 'full'];
    const carried = key === undefined ? {} : { 'x-service-api-key': key };
    const target = { host: '127.0.0.1', port: server.port, path: path.startsWith('/') ? path : `${prefix}${path}` };
    return await ask({ ...target, method: manner.method ?? 'GET', headers: { ...carried, ...manner.headers }, agent });
  };
  const walk = async (path: string, manner: Manner = {}): Promise<readonly Json[]> => {
    const pages: Json[] = [];
    let cursor = '';
    for (let turn = 0; turn < 40; turn += 1) {
      const answer = await get(`${path}${cursor}`, manner);
      const page: Json = JSON.parse(answer.text);
      pages.push(page);
      const { next_cursor: next, has_more: more } = at(page, 'data', 'page');
      if (more !== true || typeof next !== 'string') break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    return pages;
  };
  return { server, get, walk };
}

/** Plain node:http, because fetch hides framing, follows rules of its own and adds headers. */
function ask(options: RequestOptions): Promise<Answer> {
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
