/** The mock on a socket: HTTP/1.1 in, answers out, whatever arrives. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { UsageError } from '../core/errors.ts';
import type { Exchange, HttpRequest, HttpResponse } from '../core/exchange.ts';
import { encodeResponse } from './content-coding.ts';
import { answerOptions, crossOriginHeaders } from './cross-origin.ts';
import type { Mock } from './mock.ts';

/** An exchange as the server saw it, with how long it took. */
export interface ServedExchange extends Exchange {
  readonly durationMs: number;
}

/** A port to listen on: exactly one (0 is any free one), or the first free one from a number on. */
export type PortChoice = number | { readonly from: number };

/** A server that listens. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops accepting, ends idle connections and waits for answers under way. */
  readonly close: () => Promise<void>;
}

/** How many ports are tried when the wanted one is taken. */
const portsTried = 100;

/**
 * Starts the server.
 * @throws {UsageError} when the port is taken, or the host is not one of this machine.
 */
export async function serve(
  mock: Mock,
  host: string,
  port: PortChoice,
  onExchange: (exchange: ServedExchange) => void,
): Promise<Listening> {
  const server = createServer({ maxHeaderSize: 65_536, keepAlive: true }, (incoming, outgoing) => {
    void handle(mock, incoming, outgoing, onExchange);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseOnSocket(mock, error, socket as Socket));
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, port: address.port, close: () => close(server) };
}

async function handle(
  mock: Mock,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onExchange: (exchange: ServedExchange) => void,
): Promise<void> {
  const startedMs = performance.now();
  // A read needs no body; one that comes all the same is taken off the wire, so that the connection stays usable.
  incoming.resume();
  const request: HttpRequest = { method: incoming.method ?? 'GET', target: incoming.url ?? '/', headers: incoming.headers };
  const response = request.method === 'OPTIONS' ? answerOptions(request) : withCrossOrigin(await mock.respond(request));
  const { status, headers, bytes } = encodeResponse(request, response);
  const hasBody = status !== 204 && status !== 304;
  outgoing.writeHead(status, { ...toNodeHeaders(headers), ...(hasBody ? { 'content-length': bytes.length } : {}) });
  outgoing.end(hasBody && request.method !== 'HEAD' ? bytes : undefined);
  const body = request.method === 'HEAD' ? '' : response.body;
  onExchange({ request, response: { status, headers, body }, durationMs: performance.now() - startedMs });
}

function withCrossOrigin(response: HttpResponse): HttpResponse {
  return { ...response, headers: { ...response.headers, ...crossOriginHeaders } };
}

function toNodeHeaders(headers: HttpResponse['headers']): Record<string, string | string[]> {
  const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]));
}

/** Bytes that are not HTTP get an answer in the envelope all the same, and then the connection ends. */
function refuseOnSocket(mock: Mock, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, message] = refusals[error.code ?? ''] ?? [400, 'Bad Request', 'This is not a well-formed HTTP request.'];
  const { headers, body } = mock.refuse(status, message);
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status} ${reason}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${String(headers['content-type'])}`,
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]));
}

const refusals: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request line and the headers together are larger than 64 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
};

async function listen(server: Server, host: string, port: PortChoice): Promise<void> {
  if (typeof port === 'number') return listenOn(server, host, port);
  for (let candidate = port.from; ; candidate += 1) {
    try {
      await listenOn(server, host, candidate);
      return;
    } catch (error) {
      const isTaken = error instanceof UsageError && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || candidate + 1 >= port.from + portsTried) throw error;
    }
  }
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void => reject(new UsageError(explainListen(host, port, cause), { cause }));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

function explainListen(host: string, port: number, cause: NodeJS.ErrnoException): string {
  if (cause.code === 'EADDRINUSE')
    return `port ${port} of ${host} is taken; stop what listens there, name another port, or use port 0 for any free one`;
  if (cause.code === 'EACCES') return `port ${port} of ${host} needs more rights than this process has; name a port above 1023`;
  return `the mock cannot listen on ${host}:${port} (${cause.code ?? cause.message}); name an address of this machine, such as 127.0.0.1`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // A client that keeps its connection busy does not keep the mock from stopping.
    setTimeout(() => server.closeAllConnections(), 500).unref();
  });
}
