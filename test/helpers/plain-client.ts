/** A plain HTTP client: it sends a request target unchanged, and does not decode answers. */

import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Json } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';

/** Header fields of a request. */
export type Fields = Readonly<Record<string, string>>;

/** An answer as received. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as text, if it is not compressed. */
  readonly text: string;
  /** The value at a pointer of the JSON body; the whole body without one. */
  readonly at: (pointer?: string) => Json | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

/** Sends a request and resolves to its answer. */
export function ask(server: { readonly port: number }, target: string, headers: Fields = {}, method = 'GET', body = ''): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: server.port, path: target, method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve(toReply(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A reply from its parts. */
export function toReply(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Reply {
  const text = bytes.toString('utf8');
  return { status, headers, bytes, text, at: (pointer = '') => valueAt(JSON.parse(text) as Json, pointer) };
}
