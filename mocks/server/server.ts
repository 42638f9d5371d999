/**
 * The HTTP/1.1 server of a mock or proxy. It passes each request to the interceptor that owns it, otherwise to the mock, and refuses malformed requests itself.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { UsageError } from '../../core/errors.ts';
import type { ReceivedRequest } from '../handler/call.ts';
import type { Mock } from '../handler/mock.ts';
import { type DraftResponse, draftToHttpResponse, type PreparedResponse, prepare } from '../handler/prepare-response.ts';
import type { FinishedExchange } from '../served-exchange.ts';
import { readBytes } from './read-request-body.ts';
import { ResponseSender } from './response-sender.ts';
import { TurnBudget } from './turn-budget.ts';

/** A running server. */
export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections, closes idle ones, and waits for unfinished responses. */
  readonly close: () => Promise<void>;
}

/** Idle time before the server closes a connection. Clients and load balancers close theirs earlier, so that no request meets a closing connection. */
const idleMs = 75_000;

/** Time to read a connection after its last response. */
const lingerMs = 1000;

/** Time for responses in progress when the server stops. */
const graceMs = 5000;

/** Default time for a complete request to arrive. */
const defaultTimeoutMs = 60_000;

/** Listeners of a server. */
export interface Listeners {
  readonly onExchange: (served: FinishedExchange) => void;
  readonly onError: (error: unknown) => void;
}

/** Bounds of requests. */
export interface RequestLimits {
  /** Time for a complete request to arrive. */
  readonly requestTimeoutMs?: number | undefined;
  /** Largest body; a larger one gets 413. */
  readonly maxBodyBytes?: number | undefined;
}

/** The control endpoint, or the forwarder of a proxy. Its requests reach neither the mock nor the listeners. */
export interface RequestInterceptor {
  /** True for a request that it handles instead of the mock. */
  readonly owns: (request: Pick<IncomingMessage, 'url' | 'headers'>) => boolean;
  readonly handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  /** Ends the responses that would keep the server open, such as event streams. Called when the server closes. */
  readonly endResponses: () => void;
}

/**
 * Starts the server. A reload may change the mock; each request stays with the one that receives it, which knows the keys to hide.
 * @throws {UsageError} when the port is taken, or this machine does not have the host.
 */
export async function serve(
  mock: () => Mock,
  host: string,
  port: PortChoice,
  listeners: Listeners,
  { requestTimeoutMs = defaultTimeoutMs, maxBodyBytes = defaultBodyBytes }: RequestLimits = {},
  interceptor?: RequestInterceptor,
): Promise<ListeningServer> {
  const connections = new Connections(mock, listeners, maxBodyBytes, interceptor);
  // Node would refuse a request without Host, but not in the error format of the API, so `headProblem` does.
  // The size of all headers is limited. A limit on their number would silently drop the last ones.
  const server = createServer(
    { maxHeaderSize: 65_536, keepAlive: true, requireHostHeader: false, ...timeouts(requestTimeoutMs) },
    connections.accept,
  );
  server.maxHeadersCount = 0;
  server.keepAliveTimeout = idleMs;
  server.on('connection', connections.add);
  server.on('checkExpectation', connections.accept);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => connections.refuse(error.code ?? '', socket));
  server.on('connect', (_request, socket) => {
    // Node leaves the errors and the end of such a socket to this listener.
    socket.on('error', () => socket.destroy());
    connections.refuse('CONNECT', socket);
  });
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  const hostName = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const close = (): Promise<void> => {
    const closing = closeServer(server);
    connections.end();
    return closing;
  };
  return { url: `http://${hostName}:${address.port}`, port: address.port, close };
}

/** Open connections, with the last unfinished response of each. */
class Connections {
  private readonly mock: () => Mock;
  private readonly listeners: Listeners;
  private readonly maxBodyBytes: number;
  private readonly interceptor: RequestInterceptor | undefined;
  /** The last response of a connection. Later responses must wait for it (RFC 9112 §9.3.2). */
  private readonly lastResponses = new WeakMap<Duplex, ServerResponse>();

  private readonly sockets = new Set<Duplex>();
  private readonly connectionNumbers = new WeakMap<Duplex, number>();
  private connectionCount = 0;
  private readonly sender = new ResponseSender();
  private readonly turn = new TurnBudget(() => performance.now());

  constructor(mock: () => Mock, listeners: Listeners, maxBodyBytes: number, interceptor: RequestInterceptor | undefined) {
    this.mock = mock;
    this.maxBodyBytes = maxBodyBytes;
    this.listeners = listeners;
    this.interceptor = interceptor;
  }

  /** Adds a connection until it closes. */
  readonly add = (socket: Socket): void => {
    this.sockets.add(socket);
    this.connectionCount += 1;
    this.connectionNumbers.set(socket, this.connectionCount);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.sender.dropDelays(socket);
    });
  };

  /** Closes each connection: now, or after its unfinished response. A request that has arrived only in part gets no response. */
  end(): void {
    this.sender.stopDelays();
    this.interceptor?.endResponses();
    for (const socket of this.sockets) {
      const lastResponse = this.lastResponses.get(socket);
      if (lastResponse === undefined || lastResponse.writableFinished) socket.destroy();
    }
  }

  /** Responds to a request. An error is reported to the listener and closes this connection; the process goes on. */
  readonly accept = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // An interceptor responds after the body has arrived. Until then, `refuse` must not wait for its response.
    if (this.interceptor?.owns(incoming)) incoming.once('end', () => this.lastResponses.set(incoming.socket, outgoing));
    else this.lastResponses.set(incoming.socket, outgoing);
    // The server declines an upgrade (RFC 9110 §7.8). Node reads no further request after one, so the connection must close.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    this.handle(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy();
      this.listeners.onError(error);
    });
  };

  /** Refuses malformed bytes in the error format of the API, after the unfinished response, and closes the connection. */
  refuse(code: string, socket: Duplex): void {
    const earlierResponse = this.lastResponses.get(socket);
    const sendRefusal = (): void => {
      if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else this.endWith(socket, renderRefusal(code, this.mock().refuse, new Date()));
    };
    if (earlierResponse === undefined || earlierResponse.writableFinished) sendRefusal();
    else earlierResponse.once('close', sendRefusal);
  }

  /**
   * Writes the last response of a connection. The client may still be sending. Closing a connection with unread bytes resets it, and the response could be
   * lost (RFC 9112 §9.6), so they are read for a while.
   */
  private endWith(socket: Duplex, bytes: Buffer): void {
    socket.resume();
    socket.end(bytes);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.interceptor?.owns(incoming)) return this.interceptor.handle(incoming, outgoing);
    const startedMs = performance.now();
    const mock = this.mock();
    const { method = 'GET', url: target = '/', headers } = incoming;
    const head = mock.receive({ method, target, headers });
    const body = await readNeededBody(head, incoming, this.maxBodyBytes);
    // Files are no text; of them only the size and the kind are judged.
    const request = Buffer.isBuffer(body) && body.length > 0 ? { ...head, body: body.toString() } : head;
    const problem = headProblem(hostsOf(incoming.rawHeaders), incoming.httpVersion);
    const tooLarge = `The body is larger than ${this.maxBodyBytes} bytes; send less, or start the mock with a larger --max-body.`;
    const refusal = body === 'too-large' ? mock.refuse(413, tooLarge) : problem === undefined ? undefined : mock.refuse(400, problem);
    const later = this.turn.enter();
    if (later !== undefined) await later;
    const response = refusal === undefined ? await mock.respond(request) : prepare(request, withConnectionClose(refusal));
    const sending = this.sender.send({ connection: incoming.socket, outgoing }, response);
    const isAwaited = sending === undefined || (await sending);
    this.listeners.onExchange({
      request: mock.redact(request),
      response: isAwaited ? response : abandoned(response),
      durationMs: performance.now() - startedMs,
      connection: this.connectionNumbers.get(incoming.socket),
    });
  }
}

/** A response that its client did not wait for. */
function abandoned(response: PreparedResponse): PreparedResponse {
  const { context } = response;
  if (context === undefined) return response;
  return { ...response, context: { ...context, cut: 'abandoned', chaos: [...context.chaos, 'the client did not wait for the response'] } };
}

/** Reads the body of a request to an operation. An unneeded body is skipped, so that the connection stays usable. */
function readNeededBody(
  { method, route }: ReceivedRequest,
  incoming: IncomingMessage,
  maxBodyBytes: number,
): ReturnType<typeof readBytes> | undefined {
  if (method !== 'GET' && method !== 'HEAD' && route.kind === 'operation') return readBytes(incoming, maxBodyBytes);
  incoming.resume();
  return undefined;
}

/** Default size of the largest request body, that of Prism. */
const defaultBodyBytes = 10_000_000;

/** Node's time limits for a request, and the interval of their check. */
function timeouts(timeoutMs: number): { headersTimeout: number; requestTimeout: number; connectionsCheckingInterval: number } {
  return { headersTimeout: timeoutMs, requestTimeout: timeoutMs, connectionsCheckingInterval: Math.max(10, Math.ceil(timeoutMs / 4)) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // A busy connection must not keep the mock from stopping.
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
  });
}

/** Status, reason phrase and message, by Node's error code. */
const refusals: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request line and the headers together are larger than 64 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large', 'The chunk extensions are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
  CONNECT: [405, 'Method Not Allowed', 'This server does not open tunnels.'],
};

/** Renders the response to malformed bytes. Node has no response object for them. */
function renderRefusal(code: string, refuse: Mock['refuse'], date: Date): Buffer {
  const [status, reason, message] = refusals[code] ?? [400, 'Bad Request', 'This is not a well-formed HTTP request.'];
  const { headers, body } = draftToHttpResponse(refuse(status, message));
  const fields = {
    ...headers,
    ...(status === 405 ? { allow: 'GET, HEAD, OPTIONS' } : {}),
    date: date.toUTCString(),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}

/** All values of Host. They are read from the raw headers, since the lists by name of some Node releases are not safe against a header `__proto__`. */
function hostsOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
}

/** Problem in the head of a request; `undefined` for a valid one. */
function headProblem(hosts: readonly string[], version: string): string | undefined {
  // Node's parser accepts other versions, in which the rest of the request may mean something else (RFC 9110 §2.5).
  if (version !== '1.1' && version !== '1.0') return 'This server speaks HTTP/1.1 and HTTP/1.0.';
  if (hosts.length === 0 && version === '1.1') return 'An HTTP/1.1 request needs a Host header.';
  // Several hosts, or an invalid one, make the target ambiguous (RFC 9112 §3.2).
  const isUnambiguous = hosts.length <= 1 && /^[\w.~!$&'()*+,;=%:[\]-]*$/.test(hosts[0] ?? '');
  return isUnambiguous ? undefined : 'A request must have exactly one Host header, with a host and optionally a port.';
}

/** A response that closes the connection. Bytes after an ambiguous or refused request are not read as a request. */
function withConnectionClose(draft: DraftResponse): DraftResponse {
  return { ...draft, headers: { ...draft.headers, connection: 'close' } };
}

/** A port to listen on: a number (0 for any free port), or the first free port from a number on. */
export type PortChoice =
  | number
  | {
      /** The first port to try; the 99 after it follow. */
      readonly from: number;
    };

/** Number of ports to try. */
const portsMax = 100;

/**
 * Lets a server listen.
 * @throws {UsageError} when the port is taken, or this machine does not have the host.
 */
async function listen(server: Server, host: string, port: PortChoice): Promise<void> {
  if (typeof port === 'number') return listenOn(server, host, port);
  for (let candidate = port.from; ; candidate += 1) {
    try {
      await listenOn(server, host, candidate);
      return;
    } catch (error) {
      const isTaken = error instanceof UsageError && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || candidate + 1 >= port.from + portsMax) throw error;
    }
  }
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const rejectWith = (cause: NodeJS.ErrnoException): void => reject(new UsageError(explainListen(host, port, cause), { cause }));
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      reject(new UsageError(`${port} is not a port; use a whole number from 0 to 65535, where 0 is any free port`));
      return;
    }
    server.once('error', rejectWith);
    server.listen(port, host, () => {
      server.off('error', rejectWith);
      resolve();
    });
  });
}

function explainListen(host: string, port: number, cause: NodeJS.ErrnoException): string {
  if (cause.code === 'EADDRINUSE')
    return `port ${port} of ${host} is taken; stop the process that listens there, use another port, or use port 0 for any free port`;
  if (cause.code === 'EACCES') return `this process may not listen on port ${port} of ${host}; use a port above 1023`;
  return `the mock cannot listen on ${host}:${port} (${cause.code ?? cause.message}); use an address of this machine, such as 127.0.0.1`;
}
