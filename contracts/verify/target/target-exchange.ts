/**
 * One exchange with a target: opens the connection or tunnel, sends the request, and decodes the response. `target.ts` calls `deliver` for each request
 * and each redirect. It follows no redirect, and reads no more than 16 MB or 100,000 values.
 */

import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { UsageError } from '../../../core/errors.ts';
import type { HttpHeaders, HttpResponse } from '../../../core/http/exchange.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { hostOf, type ProxyServer, portOf } from './target-address.ts';
import { DeliveryError, explainFailure, explainTunnel, refusedTunnel } from './target-failure.ts';

/** Fields of a request by lower-case name. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A request to send to one origin. */
export interface OutgoingRequest {
  /** Its scheme, host and port. */
  readonly url: URL;
  readonly target: string;
  readonly method: string;
  readonly headers: Fields;
}

const headerBytesMax = 64 * 1024;

/** Sends one request. If the server has closed the reused connection, it sends the request again on a new one. */
export async function deliver(
  call: OutgoingRequest,
  proxy: ProxyServer | undefined,
  connections: Connections,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const kept = await exchange(call, proxy, connections.agentFor(call.url, proxy, true), signal);
  const outcome =
    kept.kind === 'error' && kept.isStale ? await exchange(call, proxy, connections.agentFor(call.url, proxy, false), signal) : kept;
  const { origin } = call.url;
  if (outcome.kind === 'answer') {
    const { statusCode = 0 } = outcome.response;
    if (statusCode < 100)
      throw new DeliveryError(
        'not-http',
        `${origin} answers with the status ${statusCode}, which is not a status of HTTP; check the proxy or gateway in front of it`,
      );
    const headers = fieldsOf(outcome.response.headersDistinct);
    const body = await decodeBody(outcome.bytes, outcome.response.headers['content-encoding'] ?? '', origin);
    requireFewValues(body, origin);
    return { status: statusCode, headers, body };
  }
  // Inside a tunnel the failure is the target's. A tunnel that cannot be opened throws its own error.
  const forwardingProxy = call.url.protocol === 'http:' ? proxy?.name : undefined;
  const { cause, message } = explainFailure(outcome.error, { origin, proxy: forwardingProxy, answered: outcome.answered });
  throw new DeliveryError(cause, message, { cause: outcome.error });
}

/** The response with the bytes of its body, or the error. `isStale` is true if the server had closed a reused connection. */
type ExchangeOutcome =
  | { readonly kind: 'answer'; readonly response: http.IncomingMessage; readonly bytes: Buffer }
  | { readonly kind: 'error'; readonly error: Error; readonly answered: boolean; readonly isStale: boolean };

function exchange(call: OutgoingRequest, proxy: ProxyServer | undefined, agent: http.Agent, signal: AbortSignal): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    const request = startRequest(call, proxy, agent, signal);
    let bytesBefore = 0;
    let received: http.IncomingMessage | undefined;
    const fail = (error: Error): void => {
      const unexpectedBody = readForbiddenBody(received?.statusCode, error);
      if (received !== undefined && unexpectedBody !== undefined) {
        resolve({ kind: 'answer', response: received, bytes: unexpectedBody });
        return;
      }
      const gotNothing = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      const isStale = gotNothing && !signal.aborted && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      resolve({ kind: 'error', error: signal.aborted ? (signal.reason as Error) : error, answered: received !== undefined, isStale });
    };
    request.on('socket', (socket) => {
      bytesBefore = socket.bytesRead;
    });
    request.on('error', fail);
    request.on('response', (response) => {
      received = response;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > bodyMax) request.destroy(tooLarge(call.url.origin));
      });
      response.on('error', fail);
      response.on('end', () => resolve({ kind: 'answer', response, bytes: Buffer.concat(chunks) }));
    });
    request.end();
  });
}

/** Starts a request. A proxy for plain HTTP needs the whole URL as target (RFC 9112 §3.2.2). No URL parser touches it, so the path stays unchanged. */
export function startRequest(
  call: OutgoingRequest,
  proxy: ProxyServer | undefined,
  agent: http.Agent,
  signal: AbortSignal,
): http.ClientRequest {
  const { url, target, method } = call;
  const isForwarded = proxy !== undefined && url.protocol === 'http:';
  const nextHop = isForwarded ? proxy.url : url;
  const authorization = isForwarded && proxy.authorization !== undefined ? { 'proxy-authorization': proxy.authorization } : {};
  const headers: http.OutgoingHttpHeaders = Object.fromEntries(
    Object.entries({ host: url.host, ...call.headers, ...authorization }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
  const path = isForwarded ? `${url.origin}${target}` : target;
  const { request } = nextHop.protocol === 'https:' ? https : http;
  return request({ host: hostOf(nextHop), port: portOf(nextHop), method, path, headers, agent, signal, maxHeaderSize: headerBytesMax });
}

/** Connections of one target, kept open between requests. */
export interface Connections {
  readonly agentFor: (url: URL, proxy: ProxyServer | undefined, keepAlive: boolean) => http.Agent;
  readonly close: () => void;
}

/** Creates the connections of a target: one agent for each scheme and proxy, with and without keep-alive. Opens none yet. */
export function createConnections(timeoutMs: number, certificate?: CertificatePair): Connections {
  if (certificate !== undefined) checkCertificate(certificate);
  const agents = new Map<string, http.Agent>();
  const closing = new AbortController();
  const agentFor = (url: URL, proxy: ProxyServer | undefined, keepAlive: boolean): http.Agent => {
    if (closing.signal.aborted) throw new TypeError(`the target ${url.origin} was closed, so no request can be sent`);
    const key = `${url.protocol} ${proxy?.name} ${keepAlive}`;
    return getOrCompute(agents, key, () => createAgent(url, proxy, keepAlive, certificate, { timeout: timeoutMs, signal: closing.signal }));
  };
  const close = (): void => {
    closing.abort();
    for (const agent of agents.values()) agent.destroy();
  };
  return { agentFor, close };
}

/** The certificate of a client and its private key, both in PEM. */
type CertificatePair = Pick<tls.SecureContextOptions, 'cert' | 'key'>;

/**
 * Checks that a certificate and its key can be used together.
 * @throws {UsageError} if not.
 */
function checkCertificate({ cert, key }: CertificatePair): void {
  try {
    tls.createSecureContext({ cert, key });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^error:\w+:/, '') : String(cause);
    throw new UsageError(
      `the client certificate cannot be used (${reason}); --cert and --client-key name PEM files of one pair, with a key that has no passphrase`,
      { cause },
    );
  }
}

/** Timeout and signal that stop the opening of a tunnel. */
type TunnelLimits = Pick<http.RequestOptions, 'timeout' | 'signal'>;

function createAgent(
  url: URL,
  proxy: ProxyServer | undefined,
  keepAlive: boolean,
  certificate: CertificatePair = {},
  tunnelLimits: TunnelLimits,
): http.Agent {
  const nextHop = url.protocol === 'http:' ? (proxy?.url ?? url) : url;
  if (nextHop.protocol === 'http:') return new http.Agent({ keepAlive });
  // A proxy that is reached by TLS gets no certificate.
  const { cert, key } = nextHop === url ? certificate : {};
  const pair = cert === undefined || key === undefined ? {} : { cert, key };
  const agent = new https.Agent({ keepAlive, ...pair });
  if (proxy !== undefined && nextHop === url) tunnelThrough(proxy, agent, pair, tunnelLimits);
  return agent;
}

/** Makes an agent open its connections inside tunnels. TLS starts inside the tunnel, so the proxy cannot read it. */
function tunnelThrough(proxy: ProxyServer, agent: https.Agent, pair: CertificatePair, tunnelLimits: TunnelLimits): void {
  agent.createConnection = ({ host, port, servername }, callback) => {
    const done = callback as ((error: Error | null, socket?: Duplex) => void) | undefined;
    const name = host ?? '';
    openTunnel(`${name.includes(':') ? `[${name}]` : name}:${port}`, proxy, tunnelLimits).then(
      (socket) => done?.(null, tls.connect({ socket, host: name, servername: servername ?? '', ALPNProtocols: ['http/1.1'], ...pair })),
      (error: Error) => done?.(error),
    );
    return undefined;
  };
}

/** Asks a proxy for a connection to a host (RFC 9110 §9.3.6). */
function openTunnel(authority: string, proxy: ProxyServer, tunnelLimits: TunnelLimits): Promise<Duplex> {
  const { request } = proxy.url.protocol === 'https:' ? https : http;
  const { origin } = new URL(`https://${authority}`);
  return new Promise((resolve, reject) => {
    const connectRequest = request({
      host: hostOf(proxy.url),
      port: portOf(proxy.url),
      method: 'CONNECT',
      path: authority,
      agent: false,
      ...tunnelLimits,
      headers: { host: authority, ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }) },
    });
    const fail = (error: Error): void => {
      const { cause, message } = explainTunnel(error, origin, proxy.name);
      reject(new DeliveryError(cause, message, { cause: error }));
    };
    connectRequest.on('error', fail);
    connectRequest.on('timeout', () => connectRequest.destroy());
    connectRequest.on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        fail(refusedTunnel(statusCode, origin, proxy.name));
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connectRequest.end();
  });
}

/** The header fields of a response. A repeated field is a list, so that rules can see the repetition. */
function fieldsOf(fields: Readonly<Record<string, readonly string[] | undefined>>): HttpHeaders {
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}

/** Maximum size of a body in bytes, before and after decoding. */
const bodyMax = 16 * 1024 * 1024;

/** Maximum number of values in a JSON body: a page of 1,000 records with 100 members each. */
const valuesMax = 100_000;

/**
 * Refuses bodies with too many values: a few megabytes can contain millions, and each takes time to judge.
 * @throws {DeliveryError} if a JSON body has too many values.
 */
export function requireFewValues(body: string, place: string): void {
  if (!/^\s*[[{]/.test(body)) return;
  let [count, isQuoted] = [1, false];
  for (let at = 0; at < body.length && count <= valuesMax; at += 1) {
    const unit = body.charCodeAt(at);
    if (unit === quoteCode) isQuoted = !isQuoted;
    else if (isQuoted) at += unit === backslashCode ? 1 : 0;
    else if (unit === commaCode || unit === braceCode || unit === bracketCode) count += 1;
  }
  if (count > valuesMax)
    throw new DeliveryError(
      'too-large',
      `an answer of ${place} has more than ${valuesMax} values, too many to judge; request smaller pages, or check the server at this address`,
    );
}

const [quoteCode, backslashCode, commaCode, braceCode, bracketCode] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/** The failure for a body over the limit. */
function tooLarge(place: string): DeliveryError {
  const limit = bodyMax / 1024 / 1024;
  return new DeliveryError(
    'too-large',
    `an answer of ${place} has more than ${limit} MB, too much to judge; request smaller pages, or check the server at this address`,
  );
}

/**
 * Decodes the content codings (RFC 9110 §8.4), the last one first, and reads UTF-8. Invalid bytes become U+FFFD.
 * @throws {DeliveryError} if the bytes do not match the codings, or are too many.
 */
async function decodeBody(bytes: Buffer, contentEncoding: string, place: string): Promise<string> {
  let decoded = bytes;
  for (const coding of listCodings(contentEncoding).toReversed()) decoded = await decodeOnce(decoded, coding, place);
  return decoded.toString('utf8');
}

/** The body that a server sent with 204 or 304 against RFC 9110 §6.4.1. Only the parser's error contains its bytes. */
function readForbiddenBody(status: number | undefined, error: Error): Buffer | undefined {
  const hasNone = status === 304 || status === 204;
  if (!hasNone || !('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return undefined;
  const end = error.rawPacket.indexOf('\r\n\r\n');
  return error.rawPacket.subarray(end === -1 ? 0 : end + 4);
}

function listCodings(contentEncoding: string): readonly string[] {
  return contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

async function decodeOnce(bytes: Buffer, coding: string, place: string): Promise<Buffer> {
  // Responses to HEAD and 304 name a content coding without a body.
  if (bytes.length === 0) return bytes;
  const decode = decoders.get(coding);
  if (decode === undefined)
    throw new DeliveryError(
      'broken',
      `an answer of ${place} has the content coding ${coding}, but the request accepts only gzip and identity`,
    );
  try {
    return await decode(bytes);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(place);
    throw new DeliveryError(
      'broken',
      `an answer of ${place} is labelled as ${coding}, but its bytes are not; check the server or proxy that compresses it`,
      {
        cause,
      },
    );
  }
}

const decoderLimits = { maxOutputLength: bodyMax } as const;

type Decode = (bytes: Buffer) => Promise<Buffer>;

const [gunzipAll, brotliAll, inflateAll, inflateRawAll] = [
  promisify<Buffer, typeof decoderLimits, Buffer>(gunzip),
  promisify<Buffer, typeof decoderLimits, Buffer>(brotliDecompress),
  promisify<Buffer, typeof decoderLimits, Buffer>(inflate),
  promisify<Buffer, typeof decoderLimits, Buffer>(inflateRaw),
];

/** `deflate` means the zlib format, but some servers send raw deflate data. The first byte shows which (RFC 1950 §2.2). */
const inflateEither: Decode = (bytes) =>
  (bytes[0] ?? 0) % 16 === 8 ? inflateAll(bytes, decoderLimits) : inflateRawAll(bytes, decoderLimits);

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', (bytes) => gunzipAll(bytes, decoderLimits)],
  ['x-gzip', (bytes) => gunzipAll(bytes, decoderLimits)],
  ['br', (bytes) => brotliAll(bytes, decoderLimits)],
  ['deflate', inflateEither],
]);
