/** The mock on a socket: HTTP/1.1 in, answers out, whatever arrives. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpRequest } from '../core/exchange.ts';
import { answerOptions } from './cross-origin.ts';
import { readBody } from './incoming-body.ts';
import type { Mock } from './mock.ts';
import { type Parcel, pack } from './parcel.ts';
import { listen, type PortChoice } from './port.ts';
import { endConnection, headProblem, hostsOf, renderRefusal } from './refusal.ts';
import type { Repetition } from './repetition.ts';
import type { Reply, Served } from './visit.ts';
import { Wires } from './wire.ts';

/** A server that listens. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops accepting, ends idle connections and waits for answers under way. */
  readonly close: () => Promise<void>;
}

/** How long a connection may be idle: longer than clients and balancers keep theirs, so that none is closed while a request is on its way to it. */
const idleMs = 75_000;

/** How long a connection is read after its last answer. */
const lingerMs = 1000;

/** How long answers under way may take when the server is to stop. */
const graceMs = 5000;

/** How long the head and the body of a request may take to arrive, unless said otherwise. A read is a few lines; a minute is patient. */
const patienceMs = 60_000;

/** What a client gets of a body that it only asked about. */
const bodiless: Pick<Reply, 'bytes' | 'next' | 'lease'> = { bytes: Buffer.alloc(0) };

/** Who hears of what a server does. */
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

/** An answer, packed, and the request as it may be told. */
interface Answered {
  readonly shown: () => HttpRequest;
  readonly reply: Reply;
  readonly parcel: Parcel;
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
  private readonly repeated = new WeakMap<Repetition, Answered>();

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
    const takesBody = this.takesBody(incoming);
    // A body that nobody reads is taken off the wire, so that the connection stays usable.
    if (!takesBody) incoming.resume();
    const head = `${incoming.method} ${incoming.url} ${incoming.httpVersion}\n${incoming.rawHeaders.join('\n')}`;
    const repetition = takesBody ? undefined : this.mock.repeat(head);
    const { shown, reply, parcel } = repetition === undefined ? await this.answer(incoming, head) : this.packAgain(repetition);
    const sending = this.wires.send({ connection: incoming.socket, outgoing }, parcel, reply);
    if (sending !== undefined) await sending;
    const { status, fields } = parcel;
    const { bytes, next, lease } = incoming.method === 'HEAD' ? bodiless : reply;
    this.listeners.onExchange({
      request: shown(),
      message: { status, headers: fields, bytes, next, lease },
      durationMs: performance.now() - startedMs,
      visit: reply.visit,
    });
    reply.lease?.letGo();
  }

  private takesBody({ method = 'GET', url: target = '/', headers }: IncomingMessage): boolean {
    return method !== 'GET' && method !== 'HEAD' && this.mock.readsBody({ method, target, headers });
  }

  private async answer(incoming: IncomingMessage, head: string): Promise<Answered> {
    const { method = 'GET', url: target = '/', headers } = incoming;
    const takesBody = this.takesBody(incoming);
    const body = takesBody ? ((await readBody(incoming, bodyBytesMax)) ?? '') : '';
    const request: HttpRequest = { method, target, headers, ...(typeof body === 'string' && body !== '' ? { body } : {}) };
    const refusal = typeof body === 'string' ? undefined : bodyRefusals[body.refused];
    const reply =
      refusal === undefined
        ? await this.respond(request, takesBody ? undefined : head, hostsOf(incoming.rawHeaders), incoming.httpVersion)
        : endConnection(this.mock.refuse(refusal.status, refusal.message));
    return { shown: () => this.mock.redact(request), reply, parcel: pack(request, reply) };
  }

  /** What is given again was packed already, or is packed once for all times that follow. */
  private packAgain(repetition: Repetition): Answered {
    const known = this.repeated.get(repetition);
    if (known !== undefined) return known;
    const { shown, reply } = repetition;
    const answered = { shown: () => shown, reply, parcel: pack(shown, reply) };
    this.repeated.set(repetition, answered);
    return answered;
  }

  private async respond(request: HttpRequest, head: string | undefined, hosts: readonly string[], version: string): Promise<Reply> {
    const problem = headProblem(hosts, version);
    if (problem !== undefined) return endConnection(this.mock.refuse(400, problem));
    if (request.method !== 'OPTIONS') return this.mock.respond(request, head);
    const methods = request.target === '*' ? ['GET', 'HEAD', 'OPTIONS'] : this.mock.methodsAt(request);
    return methods === undefined ? this.mock.respond(request) : answerOptions(request, methods);
  }
}

/** What is read and checked in one turn of the event loop keeps others waiting; half a mebibyte takes up to 30 ms. */
const bodyBytesMax = 512 * 1024;

const bodyRefusals = {
  'too-large': { status: 413, message: 'The body is larger than 512 KiB; send less.' },
  'not-utf8': { status: 400, message: 'The body is not text in UTF-8.' },
} as const;

/** How long Node waits for a request, and how often it looks whether one is late. */
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
