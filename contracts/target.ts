/** The server that is judged: sends a request over the network as it is written, and tells how that went. */

import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';
import type { HttpRequest, HttpResponse } from '../core/exchange.ts';
import { bodyMax, decodeBody, requireFewValues, smuggledBody, tooLarge } from './target-body.ts';
import { DeliveryError, explainFailure, explainTunnel, type FailureCause, refusedTunnel } from './target-failure.ts';
import { fieldsOf, mergeFields, readFields } from './target-header.ts';
import { requireReading, requireTimeout } from './target-limit.ts';
import { chooseProxy, type Environment, type ProxyServer } from './target-proxy.ts';
import { type Call, follow } from './target-redirect.ts';
import { hostOf, isLoopback, portOf, prefixOf, printUrl, readTargetUrl } from './target-url.ts';

/** What a target is reached by. */
export interface TargetOptions {
  /** Scheme and host, and perhaps a path that stands before each path of the API. */
  readonly url: string;
  /** How long a request may take until the end of its answer, redirects included. */
  readonly timeoutMs: number;
  /** What a gateway wants: sent with every request that does not say otherwise. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the proxy variables are looked up. */
  readonly environment: Environment;
}

/** How sending a request went. The times are those of a clock that only goes forward. */
export type Delivery =
  | {
      readonly kind: 'answer';
      readonly response: HttpResponse;
      readonly startedMs: number;
      readonly endedMs: number;
      /** The number of redirects within the origin that were followed; each of them was a request. */
      readonly redirects?: number;
      /** Set when the answer is a redirect that was not followed: where it leads, without credentials. */
      readonly redirectedTo?: string;
    }
  | {
      readonly kind: 'failure';
      readonly cause: FailureCause;
      /** One sentence, with what to do. */
      readonly message: string;
      readonly startedMs: number;
      readonly endedMs: number;
    };

/** A server to send requests to. */
export interface Target {
  /** Without a slash at the end, and without credentials. */
  readonly url: string;
  /** Whether it is on this machine. */
  readonly isLocal: boolean;
  /**
   * Sends a request that only reads, its target byte for byte.
   * @throws {TypeError} when the method may change something, or when HTTP cannot carry the request.
   */
  readonly send: (request: HttpRequest) => Promise<Delivery>;
  /** Closes the connections; requests under way fail. */
  readonly close: () => Promise<void>;
}

const headerBytesMax = 64 * 1024;

/**
 * Opens a target; nothing is sent yet.
 * @throws {UsageError} for an address, a header field, a timeout or a proxy variable that cannot be used.
 */
export function openTarget(options: TargetOptions): Target {
  const url = readTargetUrl(options.url);
  const { timeoutMs, environment } = options;
  requireTimeout(timeoutMs);
  const gateway = readFields(options.headers);
  chooseProxy(url, environment);
  const connections = createConnections(timeoutMs);
  const send = async (request: HttpRequest): Promise<Delivery> => {
    requireReading(request);
    const controller = new AbortController();
    const late = new DeliveryError(
      'timeout',
      `${url.origin} did not answer within ${timeoutMs} ms; check that it is well, or raise --timeout`,
    );
    const timer = setTimeout(() => controller.abort(late), timeoutMs);
    const startedMs = performance.now();
    const headers = mergeFields(gateway, request.headers);
    try {
      const told = await follow({ url, target: `${prefixOf(url)}${request.target}`, method: request.method, headers }, (call) =>
        deliver(call, chooseProxy(call.url, environment), connections, controller.signal),
      );
      return { kind: 'answer', ...told, startedMs, endedMs: performance.now() };
    } catch (error) {
      if (error instanceof DeliveryError) return { kind: 'failure', ...error.failure, startedMs, endedMs: performance.now() };
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return { url: printUrl(url), isLocal: isLoopback(url), send, close: async () => connections.close() };
}

/** Sends one request; on a kept connection that turns out to be dead, once more on a new one. */
async function deliver(call: Call, proxy: ProxyServer | undefined, connections: Connections, signal: AbortSignal): Promise<HttpResponse> {
  const kept = await exchange(call, proxy, connections.agentFor(call.url, proxy, true), signal);
  const outcome =
    kept.kind === 'error' && kept.isStale ? await exchange(call, proxy, connections.agentFor(call.url, proxy, false), signal) : kept;
  const { origin } = call.url;
  if (outcome.kind === 'answer') {
    const { statusCode = 0 } = outcome.answer;
    if (statusCode < 100)
      throw new DeliveryError(
        'not-http',
        `${origin} answers with the status ${statusCode}, which HTTP does not have; look into what stands in front of it`,
      );
    const headers = fieldsOf(outcome.answer.headersDistinct);
    const body = await decodeBody(outcome.bytes, outcome.answer.headers['content-encoding'] ?? '', origin);
    requireFewValues(body, origin);
    return { status: statusCode, headers, body };
  }
  // Behind a tunnel it is the target that fails; a tunnel that cannot be opened has said so itself.
  const spoken = call.url.protocol === 'http:' ? proxy?.name : undefined;
  const { cause, message } = explainFailure(outcome.error, { origin, proxy: spoken, answered: outcome.answered });
  throw new DeliveryError(cause, message, { cause: outcome.error });
}

type Outcome =
  | { readonly kind: 'answer'; readonly answer: http.IncomingMessage; readonly bytes: Buffer }
  | { readonly kind: 'error'; readonly error: Error; readonly answered: boolean; readonly isStale: boolean };

function exchange(call: Call, proxy: ProxyServer | undefined, agent: http.Agent, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = startRequest(call, proxy, agent, signal);
    let bytesBefore = 0;
    let received: http.IncomingMessage | undefined;
    const fail = (error: Error): void => {
      const smuggled = smuggledBody(received?.statusCode, error);
      if (received !== undefined && smuggled !== undefined) {
        resolve({ kind: 'answer', answer: received, bytes: smuggled });
        return;
      }
      const isUntouched = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      const isStale = isUntouched && !signal.aborted && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      resolve({ kind: 'error', error: signal.aborted ? (signal.reason as Error) : error, answered: received !== undefined, isStale });
    };
    request.on('socket', (socket) => {
      bytesBefore = socket.bytesRead;
    });
    request.on('error', fail);
    request.on('response', (answer) => {
      received = answer;
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > bodyMax) request.destroy(tooLarge(call.url.origin));
      });
      answer.on('error', fail);
      answer.on('end', () => resolve({ kind: 'answer', answer, bytes: Buffer.concat(chunks) }));
    });
    request.end();
  });
}

/** Through a proxy, plain HTTP is asked for by its whole URL (RFC 9112 §3.2.2), written by hand so that no URL parser changes its path. */
function startRequest(call: Call, proxy: ProxyServer | undefined, agent: http.Agent, signal: AbortSignal): http.ClientRequest {
  const { url, target, method } = call;
  const isForwarded = proxy !== undefined && url.protocol === 'http:';
  const peer = isForwarded ? proxy.url : url;
  const authorization = isForwarded && proxy.authorization !== undefined ? { 'proxy-authorization': proxy.authorization } : {};
  const headers: http.OutgoingHttpHeaders = Object.fromEntries(
    Object.entries({ host: url.host, ...call.headers, ...authorization }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
  const path = isForwarded ? `${url.origin}${target}` : target;
  const { request } = peer.protocol === 'https:' ? https : http;
  return request({ host: hostOf(peer), port: portOf(peer), method, path, headers, agent, signal, maxHeaderSize: headerBytesMax });
}

/** Connections, kept open between requests. */
interface Connections {
  readonly agentFor: (url: URL, proxy: ProxyServer | undefined, keepAlive: boolean) => http.Agent;
  readonly close: () => void;
}

function createConnections(timeoutMs: number): Connections {
  const agents = new Map<string, http.Agent>();
  const closing = new AbortController();
  const agentFor = (url: URL, proxy: ProxyServer | undefined, keepAlive: boolean): http.Agent => {
    if (closing.signal.aborted) throw new TypeError(`nothing is sent to ${url.origin}: the target was closed`);
    const key = `${url.protocol} ${proxy?.name} ${keepAlive}`;
    const agent = agents.get(key) ?? createAgent(url, proxy, keepAlive, { timeout: timeoutMs, signal: closing.signal });
    agents.set(key, agent);
    return agent;
  };
  const close = (): void => {
    closing.abort();
    for (const agent of agents.values()) agent.destroy();
  };
  return { agentFor, close };
}

/** What ends the opening of a tunnel that does not come about. */
type Ending = Pick<http.RequestOptions, 'timeout' | 'signal'>;

function createAgent(url: URL, proxy: ProxyServer | undefined, keepAlive: boolean, ending: Ending): http.Agent {
  const peer = url.protocol === 'http:' ? (proxy?.url ?? url) : url;
  if (peer.protocol === 'http:') return new http.Agent({ keepAlive });
  const agent = new https.Agent({ keepAlive });
  if (proxy !== undefined && peer === url) tunnelThrough(proxy, agent, ending);
  return agent;
}

/** Makes an agent open its connections inside tunnels; TLS begins inside, so the proxy reads nothing. */
function tunnelThrough(proxy: ProxyServer, agent: https.Agent, ending: Ending): void {
  agent.createConnection = ({ host, port, servername }, callback) => {
    const done = callback as ((error: Error | null, socket?: Duplex) => void) | undefined;
    const name = host ?? '';
    openTunnel(`${name.includes(':') ? `[${name}]` : name}:${port}`, proxy, ending).then(
      (socket) => done?.(null, tls.connect({ socket, host: name, servername: servername ?? '', ALPNProtocols: ['http/1.1'] })),
      (error: Error) => done?.(error),
    );
    return undefined;
  };
}

/** Asks a proxy for a connection to a host (RFC 9110 §9.3.6). */
function openTunnel(authority: string, proxy: ProxyServer, ending: Ending): Promise<Duplex> {
  const { request } = proxy.url.protocol === 'https:' ? https : http;
  const { origin } = new URL(`https://${authority}`);
  return new Promise((resolve, reject) => {
    const asking = request({
      ...{ host: hostOf(proxy.url), port: portOf(proxy.url), method: 'CONNECT', path: authority, agent: false, ...ending },
      headers: { host: authority, ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }) },
    });
    const fail = (error: Error): void => {
      const { cause, message } = explainTunnel(error, origin, proxy.name);
      reject(new DeliveryError(cause, message, { cause: error }));
    };
    asking.on('error', fail);
    asking.on('timeout', () => asking.destroy());
    asking.on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        fail(refusedTunnel(statusCode, origin, proxy.name));
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.end();
  });
}
