/**
 * Forwards requests to the target of a proxy, and streams the responses back with the same bytes. It judges nothing, but keeps a bounded copy of each body for
 * that.
 */

import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HttpHeaders, splitTarget } from '../../core/http/exchange.ts';
import type { RequestInterceptor } from '../server/server.ts';

/** The real service. */
export interface ProxyTarget {
  /** Its URL, without a slash at the end. */
  readonly url: string;
  /** Opens a request, on a new connection if `isFresh`. Its target is a path with a query. */
  readonly open: (request: OpenedRequest, isFresh: boolean) => ClientRequest;
  /** Explains an error in one sentence. */
  readonly explain: (error: Error) => string;
}

/** Head of a request to the target. */
interface OpenedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Both halves of a forwarded exchange, with copies of the bodies. */
export interface ForwardedExchange {
  readonly request: { readonly method: string; readonly target: string; readonly headers: HttpHeaders; readonly body: Buffer | undefined };
  /** The response of the proxy itself, if the target gave no response. */
  readonly failure: ProxyFailure | undefined;
  /** Absent if the target gave no response; a copy that is too large has no body. */
  readonly response: { readonly status: number; readonly headers: HttpHeaders; readonly body: Buffer | undefined } | undefined;
  /** False if the client or the target ended the connection before the end of the response. */
  readonly isComplete: boolean;
  /** Real time of the request in milliseconds. */
  readonly startedMs: number;
  /** Time until the head of the response, and until its end, in milliseconds. */
  readonly waitMs: number;
  readonly durationMs: number;
  /** Number of the client's connection, from 1 on. */
  readonly connection: number;
}

/** A response of the proxy itself. */
interface ProxyFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Listeners of a forwarder. */
interface ForwardListeners {
  /** Called once for each exchange, after its end. */
  readonly onForwarded: (exchange: ForwardedExchange) => void;
  /** Makes the response to a request that got none from the target. */
  readonly fail: (status: 502 | 504, message: string) => ProxyFailure;
}

/** Largest copies of a request body and of a response body, in bytes. Larger bodies pass too, and are not judged. */
const copyBytesMax: { readonly request: number; readonly response: number } = { request: 512 * 1024, response: 4 * 1024 * 1024 };

/** Time without a byte from the target, in milliseconds. */
const silenceMs = 60_000;

/** Time for responses under way when the proxy stops, in milliseconds. */
const graceMs = 1000;

/** An interceptor that forwards every request. */
interface Forwarder extends RequestInterceptor {
  /** Resolves when the listener has got every exchange under way. */
  readonly settle: () => Promise<void>;
}

/** Creates the forwarder of a proxy. */
export function createForwarder(target: ProxyTarget, listeners: ForwardListeners): Forwarder {
  const connectionNumbers = new WeakMap<Socket, number>();
  const activeForwardings = new Map<Forwarding, Promise<void>>();
  let connectionCount = 0;
  let isClosing = false;
  const numberOf = (socket: Socket): number => {
    const number = connectionNumbers.get(socket);
    if (number !== undefined) return number;
    connectionCount += 1;
    connectionNumbers.set(socket, connectionCount);
    return connectionCount;
  };
  return {
    owns: () => true,
    handle: async (incoming, outgoing) => {
      const forwarding = new Forwarding(target, listeners, incoming, outgoing);
      const end = forwarding.run(numberOf(incoming.socket));
      activeForwardings.set(forwarding, end);
      await end;
      activeForwardings.delete(forwarding);
      if (isClosing) incoming.socket.destroySoon();
    },
    endResponses: () => {
      isClosing = true;
      for (const { outgoing } of activeForwardings.keys()) outgoing.shouldKeepAlive = false;
      setTimeout(() => {
        for (const { outgoing } of activeForwardings.keys()) outgoing.destroy();
      }, graceMs).unref();
    },
    settle: async () => void (await Promise.all(activeForwardings.values())),
  };
}

/** One request on its way. */
class Forwarding {
  readonly outgoing: ServerResponse;
  private readonly target: ProxyTarget;
  private readonly listeners: ForwardListeners;
  private readonly incoming: IncomingMessage;
  private readonly hasBody: boolean;
  private readonly startedMs = Date.now();
  private readonly startTime = performance.now();
  private waitMs = 0;
  private readonly sentBody = new BodyCopy(copyBytesMax.request);
  private readonly receivedBody = new BodyCopy(copyBytesMax.response);
  private targetRequest: ClientRequest | undefined;
  private targetResponse: IncomingMessage | undefined;
  private failure: ProxyFailure | undefined;

  constructor(target: ProxyTarget, listeners: ForwardListeners, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.target = target;
    this.listeners = listeners;
    this.incoming = incoming;
    this.outgoing = outgoing;
    const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
    this.hasBody = coding !== undefined || (length !== undefined && length !== '0');
    // The date is that of the target.
    outgoing.sendDate = false;
  }

  /** Forwards the request. Resolves at the end of the exchange, however it ends. */
  run(connection: number): Promise<void> {
    return new Promise((resolve) => {
      this.outgoing.once('close', () => {
        this.targetRequest?.destroy();
        this.listeners.onForwarded(this.describe(connection));
        resolve();
      });
      this.incoming.on('error', () => this.outgoing.destroy());
      this.incoming.on('data', (chunk: Buffer) => this.sentBody.add(chunk));
      this.send(false);
    });
  }

  private send(isFresh: boolean): void {
    const { method = 'GET', url = '/', headersDistinct } = this.incoming;
    const { path, query } = splitTarget(url);
    const headers = Object.fromEntries(Object.entries(endToEnd(headersDistinct)).filter(([name]) => name !== 'host' && name !== 'expect'));
    if (headersDistinct['transfer-encoding'] !== undefined) headers['transfer-encoding'] = ['chunked'];
    const targetRequest = this.target.open({ method, target: query === '' ? path : `${path}?${query}`, headers }, isFresh);
    this.targetRequest = targetRequest;
    targetRequest.setTimeout(silenceMs, () =>
      targetRequest.destroy(new SilenceError(`The target sent nothing for ${silenceMs / 1000} seconds.`)),
    );
    targetRequest.on('error', (error: NodeJS.ErrnoException) => {
      // The target closed an idle connection just as the request was sent.
      const isStale = targetRequest.reusedSocket && !isFresh && !this.hasBody && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale && this.targetResponse === undefined && !this.outgoing.destroyed) this.send(true);
      else this.fail(error);
    });
    targetRequest.on('response', (targetResponse) => this.reply(targetResponse));
    if (this.hasBody) this.incoming.pipe(targetRequest);
    else {
      this.incoming.resume();
      targetRequest.end();
    }
  }

  /** Sends the response of the target to the client. */
  private reply(targetResponse: IncomingMessage): void {
    const { outgoing } = this;
    this.targetResponse = targetResponse;
    this.waitMs = performance.now() - this.startTime;
    const forwardedNames = new Set(Object.keys(endToEnd(targetResponse.headersDistinct)));
    const fields = pairsOf(targetResponse.rawHeaders).filter(([name]) => forwardedNames.has(name.toLowerCase()));
    targetResponse.on('data', (chunk: Buffer) => this.receivedBody.add(chunk));
    targetResponse.on('close', () => {
      if (!targetResponse.complete) outgoing.destroy();
    });
    outgoing.writeHead(targetResponse.statusCode ?? 502, targetResponse.statusMessage ?? '', fields.flat());
    targetResponse.pipe(outgoing);
  }

  private fail(error: Error): void {
    if (this.outgoing.destroyed || this.outgoing.headersSent) {
      this.outgoing.destroy();
      return;
    }
    this.incoming.unpipe();
    this.incoming.resume();
    // The rest of the body must not be read as the next request.
    if (!this.incoming.complete) this.outgoing.setHeader('connection', 'close');
    const { fail } = this.listeners;
    this.failure =
      error instanceof SilenceError ? fail(504, error.message) : fail(502, `The target does not answer: ${this.target.explain(error)}.`);
    const { status, headers, body } = this.failure;
    this.outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  }

  private describe(connection: number): ForwardedExchange {
    const { method = 'GET', url = '/', headers } = this.incoming;
    const { targetResponse, failure } = this;
    return {
      failure,
      request: { method, target: url, headers, body: this.sentBody.bytes() },
      response:
        targetResponse === undefined
          ? undefined
          : { status: targetResponse.statusCode ?? 0, headers: targetResponse.headers, body: this.receivedBody.bytes() },
      isComplete: this.outgoing.writableFinished,
      startedMs: this.startedMs,
      waitMs: this.waitMs,
      durationMs: performance.now() - this.startTime,
      connection,
    };
  }
}

/** The target was silent for too long. */
class SilenceError extends Error {
  override readonly name = 'SilenceError' as const;
}

/** A copy of a body, up to a number of bytes. */
class BodyCopy {
  private readonly bytesMax: number;
  private chunks: Buffer[] = [];
  private length = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length <= this.bytesMax) this.chunks.push(chunk);
    else this.chunks = [];
  }

  /** The whole body; `undefined` if it was too large. */
  bytes(): Buffer | undefined {
    return this.length <= this.bytesMax ? Buffer.concat(this.chunks) : undefined;
  }
}

/** Fields that are meant for one connection only (RFC 9110 §7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** The fields that a proxy forwards. */
function endToEnd(fields: Readonly<Record<string, readonly string[] | undefined>>): Record<string, readonly string[]> {
  const connectionFields = (fields['connection'] ?? []).flatMap((value) => value.toLowerCase().split(/\s*,\s*/));
  const forwardedFields = Object.entries(fields).flatMap(([name, values]) =>
    values === undefined || hopByHop.has(name) || connectionFields.includes(name) ? [] : [[name, values] as const],
  );
  return Object.fromEntries(forwardedFields);
}

function pairsOf(rawHeaders: readonly string[]): readonly (readonly [string, string])[] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : []));
}
