/** The mock on a socket: HTTP/1.1 in, answers out, whatever arrives. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { UsageError } from '../../core/errors.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import type { Mock } from '../handler/mock.ts';
import { type Answer, answerOptions, type PreparedResponse, prepare, type Served, toHttpResponse } from '../handler/mock-response.ts';
import { readBody } from './request-body-reader.ts';
import { Wires } from './send-response.ts';

/** A server that listens. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops accepting, ends idle connections and waits for answers under way. */
  readonly close: () => Promise<void>;
}

/** Idle time of a connection: longer than that of clients and balancers, so that none is closed while a request is on its way. */
const idleMs = 75_000;

/** Time that a connection is read after its last response. */
const lingerMs = 1000;

/** Time for responses in progress when the server stops. */
const graceMs = 5000;

/** Default time for the head and body of a request to arrive. */
const patienceMs = 60_000;

/** Listeners of a server. */
export interface Listeners {
  readonly onExchange: (served: Served) => void;
  readonly onError: (error: unknown) => void;
}

/** Takes requests for paths of its own; the mock and the listeners never hear of them. */
export interface Control {
  readonly owns: (target: string) => boolean;
  readonly handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  /** Ends the answers that have no end by themselves. */
  readonly end: () => void;
}

/**
 * Starts the server.
 * @throws {UsageError} when the port is taken, or the host is not one of this machine.
 */
export async function serve(
  mock: Mock,
  host: string,
  port: PortChoice,
  listeners: Listeners,
  requestTimeoutMs: number = patienceMs,
  control?: Control,
): Promise<Listening> {
  const connections = new Connections(mock, listeners, control);
  // Node would answer a request without Host by itself, in no envelope; it is refused below instead.
  // Header lines are bounded by their size; a bound on their number would drop the last ones without a word.
  const server = createServer(
    { maxHeaderSize: 65_536, keepAlive: true, requireHostHeader: false, ...patience(requestTimeoutMs) },
    connections.accept,
  );
  server.maxHeadersCount = 0;
  server.keepAliveTimeout = idleMs;
  server.on('connection', connections.watch);
  server.on('checkExpectation', connections.accept);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => connections.refuse(error.code ?? '', socket));
  server.on('connect', (_request, socket) => {
    // Node hands such a socket over, and with it the duty to hear of its errors and to end it.
    socket.on('error', () => socket.destroy());
    connections.refuse('CONNECT', socket);
  });
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const end = (): Promise<void> => {
    const closed = close(server);
    connections.end();
    return closed;
  };
  return { url: `http://${name}:${address.port}`, port: address.port, close: end };
}

/** The requests of every connection, and what is still to be answered on each. */
class Connections {
  private readonly mock: Mock;
  private readonly listeners: Listeners;
  private readonly control: Control | undefined;
  /** The last answer of a connection that is not written yet: what comes after it must wait (RFC 9112 §9.3.2). */
  private readonly underWay = new WeakMap<Duplex, ServerResponse>();

  private readonly open = new Set<Duplex>();
  private readonly wires = new Wires();

  constructor(mock: Mock, listeners: Listeners, control: Control | undefined) {
    this.mock = mock;
    this.listeners = listeners;
    this.control = control;
  }

  /** Knows of a connection as long as it is open. */
  readonly watch = (socket: Socket): void => {
    this.open.add(socket);
    socket.once('close', () => {
      this.open.delete(socket);
      this.wires.leave(socket);
    });
  };

  /** Ends every connection: at once, or with the answer that is under way on it. A request that is only half sent is never answered. */
  end(): void {
    this.wires.hurry();
    this.control?.end();
    for (const socket of this.open) {
      const last = this.underWay.get(socket);
      if (last === undefined || last.writableFinished) socket.destroy();
    }
  }

  /** Answers a request. Whatever goes wrong is told to the listener and ends this connection, never the process. */
  readonly accept = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // An answer that needs the body is under way when the body is there; until then, what is wrong with the body is told in its place.
    if (this.control?.owns(incoming.url ?? '/')) incoming.once('end', () => this.underWay.set(incoming.socket, outgoing));
    else this.underWay.set(incoming.socket, outgoing);
    // The offer to change the protocol is declined, but Node reads no request behind it (RFC 9110 §7.8): the client hears that the connection ends.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    this.handle(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy();
      this.listeners.onError(error);
    });
  };

  /** Bytes that are no request get an answer in the envelope all the same, after those under way, and then the connection ends. */
  refuse(code: string, socket: Duplex): void {
    const before = this.underWay.get(socket);
    const answer = (): void => {
      if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else this.endWith(socket, renderRefusal(code, this.mock.refuse, new Date()));
    };
    if (before === undefined || before.writableFinished) answer();
    else before.once('close', answer);
  }

  /**
   * Writes the last answer of a connection. The client may still be sending; were its bytes left unread, closing would reset the connection and the
   * answer could be lost (RFC 9112 §9.6), so they are read for a while.
   */
  private endWith(socket: Duplex, bytes: Buffer): void {
    socket.resume();
    socket.end(bytes);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.control?.owns(incoming.url ?? '/')) return this.control.handle(incoming, outgoing);
    const startedMs = performance.now();
    const [request, refusal] = await this.read(incoming);
    const response = refusal === undefined ? await this.respond(request, incoming) : prepare(request, endConnection(refusal));
    const sending = this.wires.send({ connection: incoming.socket, outgoing }, response);
    if (sending !== undefined) await sending;
    this.listeners.onExchange({ request: this.mock.redact(request), response, durationMs: performance.now() - startedMs });
  }

  /** The request, and what refuses its body. A body that nobody reads is taken off the wire, so that the connection stays usable. */
  private async read(incoming: IncomingMessage): Promise<readonly [HttpRequest, Answer | undefined]> {
    const { method = 'GET', url: target = '/', headers } = incoming;
    const request: HttpRequest = { method, target, headers };
    if (method === 'GET' || method === 'HEAD' || !this.mock.readsBody(request)) {
      incoming.resume();
      return [request, undefined];
    }
    const body = (await readBody(incoming, bodyBytesMax)) ?? '';
    if (typeof body === 'string') return [body === '' ? request : { ...request, body }, undefined];
    const { status, message } = bodyRefusals[body.refused];
    return [request, this.mock.refuse(status, message)];
  }

  private async respond(request: HttpRequest, { rawHeaders, httpVersion }: IncomingMessage): Promise<PreparedResponse> {
    const problem = headProblem(hostsOf(rawHeaders), httpVersion);
    if (problem !== undefined) return prepare(request, endConnection(this.mock.refuse(400, problem)));
    if (request.method !== 'OPTIONS') return this.mock.respond(request);
    const methods = request.target === '*' ? ['GET', 'HEAD', 'OPTIONS'] : this.mock.methodsAt(request);
    return methods === undefined ? this.mock.respond(request) : prepare(request, answerOptions(request, methods));
  }
}

/** Largest request body. It is parsed in one turn of the event loop; half a mebibyte takes up to 30 ms. */
const bodyBytesMax = 512 * 1024;

const bodyRefusals = {
  'too-large': { status: 413, message: 'The body is larger than 512 KiB; send less.' },
  'not-utf8': { status: 400, message: 'The body is not text in UTF-8.' },
} as const;

/** Node's time limit for a request, and the interval of its check. */
function patience(timeoutMs: number): { headersTimeout: number; requestTimeout: number; connectionsCheckingInterval: number } {
  return { headersTimeout: timeoutMs, requestTimeout: timeoutMs, connectionsCheckingInterval: Math.max(10, Math.ceil(timeoutMs / 4)) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // A client that keeps its connection busy does not keep the mock from stopping.
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
  });
}

/** Status, reason phrase and message by the code that Node gives the error. */
const refusals: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request line and the headers together are larger than 64 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large', 'The extensions of the chunks are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
  CONNECT: [405, 'Method Not Allowed', 'This is a server of APIs and opens no tunnels.'],
};

/** The bytes of the last answer on a connection. Node has no answer object for a request that it could not read, so they are written here. */
function renderRefusal(code: string, refuse: Mock['refuse'], date: Date): Buffer {
  const [status, reason, message] = refusals[code] ?? [400, 'Bad Request', 'This is not a well-formed HTTP request.'];
  const { headers, body } = toHttpResponse(refuse(status, message));
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

/** Every value of Host as it was sent. The lists that Node makes by name are not safe against names such as `__proto__` in each of its releases. */
function hostsOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
}

/** Problem in the head of a request; `undefined` for a valid one. */
function headProblem(hosts: readonly string[], version: string): string | undefined {
  // The parser knows other versions, too; what they mean by the rest of the request is not for us to guess (RFC 9110 §2.5).
  if (version !== '1.1' && version !== '1.0') return 'This server speaks HTTP/1.1 and HTTP/1.0.';
  if (hosts.length === 0 && version === '1.1') return 'A request of HTTP/1.1 needs a Host header.';
  // Two hosts, or one that cannot be one, leave open who is asked (RFC 9112 §3.2).
  const isClear = hosts.length <= 1 && /^[\w.~!$&'()*+,;=%:[\]-]*$/.test(hosts[0] ?? '');
  return isClear ? undefined : 'A request has one Host header, with a host and perhaps a port.';
}

/** The last answer of a connection: what follows a request that could be understood in two ways is not read. */
function endConnection(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** A port to listen on: exactly one (0 is any free one), or the first free one from a number on. */
export type PortChoice =
  | number
  | {
      /** The first port to try. */
      readonly from: number;
    };

/** Number of ports tried when the wanted one is taken. */
const portsTried = 100;

/**
 * Lets a server listen.
 * @throws {UsageError} when the port is taken, or the host is not one of this machine.
 */
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
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      reject(new UsageError(`${port} is not a port; name a whole number from 0 to 65535, where 0 is any free one`));
      return;
    }
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
