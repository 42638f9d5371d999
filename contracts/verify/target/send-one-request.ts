/** Sends one request to a target, and once more if the server had closed the reused connection. Follows no redirect. */

import * as http from 'node:http';
import * as https from 'node:https';
import type { HttpHeaders, HttpResponse } from '../../../core/http/exchange.ts';
import type { ProxyServer } from './choose-proxy.ts';
import type { Connections } from './connections.ts';
import { bodyMax, decodeBody, requireFewValues, tooLarge } from './decode-body.ts';
import { DeliveryError, explainFailure } from './explain-network-failure.ts';
import { hostOf, portOf } from './target-address.ts';

/** Header fields of a request by lower-case name. */
export type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

/** A request to send to one origin. */
export interface OutgoingRequest {
  /** Its scheme, host and port. */
  readonly url: URL;
  readonly target: string;
  readonly method: string;
  readonly headers: HeaderFields;
}

const headerBytesMax = 64 * 1024;

/** Sends one request. If the server has closed the reused connection, it sends the request again on a new one. */
export async function deliver(
  outgoing: OutgoingRequest,
  proxy: ProxyServer | undefined,
  connections: Connections,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const firstOutcome = await sendOnce(outgoing, proxy, connections.agentFor(outgoing.url, proxy, true), signal);
  const outcome =
    firstOutcome.kind === 'error' && firstOutcome.isStale
      ? await sendOnce(outgoing, proxy, connections.agentFor(outgoing.url, proxy, false), signal)
      : firstOutcome;
  const { origin } = outgoing.url;
  if (outcome.kind === 'response') {
    const { statusCode = 0 } = outcome.response;
    if (statusCode < 100)
      throw new DeliveryError(
        'not-http',
        `${origin} returned the status ${statusCode}, which is not an HTTP status; check the proxy or gateway in front of it`,
      );
    const headers = fieldsOf(outcome.response.headersDistinct);
    const content = decodeBody(outcome.bytes, outcome.response.headers, origin);
    requireFewValues(content.body, origin);
    return { status: statusCode, headers, ...content };
  }
  // Inside a tunnel the failure is the target's. A tunnel that cannot be opened throws its own error.
  const forwardingProxy = outgoing.url.protocol === 'http:' ? proxy?.name : undefined;
  const { cause, message } = explainFailure(outcome.error, { origin, proxy: forwardingProxy, hasResponse: outcome.hasResponse });
  throw new DeliveryError(cause, message, { cause: outcome.error });
}

/** The response with the bytes of its body, or the error. `isStale` is true if the server had closed a reused connection. */
type ExchangeOutcome =
  | { readonly kind: 'response'; readonly response: http.IncomingMessage; readonly bytes: Buffer }
  | { readonly kind: 'error'; readonly error: Error; readonly hasResponse: boolean; readonly isStale: boolean };

function sendOnce(
  outgoing: OutgoingRequest,
  proxy: ProxyServer | undefined,
  agent: http.Agent,
  signal: AbortSignal,
): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    const request = startRequest(outgoing, proxy, agent, signal);
    let bytesBefore = 0;
    let receivedResponse: http.IncomingMessage | undefined;
    const settleError = (error: Error): void => {
      const unexpectedBody = readForbiddenBody(receivedResponse?.statusCode, error);
      if (receivedResponse !== undefined && unexpectedBody !== undefined) {
        resolve({ kind: 'response', response: receivedResponse, bytes: unexpectedBody });
        return;
      }
      const hasReceivedNothing = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      const isStale = hasReceivedNothing && !signal.aborted && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      resolve({
        kind: 'error',
        error: signal.aborted ? (signal.reason as Error) : error,
        hasResponse: receivedResponse !== undefined,
        isStale,
      });
    };
    request.on('socket', (socket) => {
      bytesBefore = socket.bytesRead;
    });
    request.on('error', settleError);
    request.on('response', (response) => {
      receivedResponse = response;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > bodyMax) request.destroy(tooLarge(outgoing.url.origin));
      });
      response.on('error', settleError);
      response.on('end', () => resolve({ kind: 'response', response, bytes: Buffer.concat(chunks) }));
    });
    request.end();
  });
}

/** Starts a request. A proxy for plain HTTP needs the whole URL as target (RFC 9112 §3.2.2). No URL parser touches it, so the path stays unchanged. */
export function startRequest(
  outgoing: OutgoingRequest,
  proxy: ProxyServer | undefined,
  agent: http.Agent,
  signal: AbortSignal,
): http.ClientRequest {
  const { url, target, method } = outgoing;
  const isForwarded = proxy !== undefined && url.protocol === 'http:';
  const nextHop = isForwarded ? proxy.url : url;
  const authorization = isForwarded && proxy.authorization !== undefined ? { 'proxy-authorization': proxy.authorization } : {};
  const headers: http.OutgoingHttpHeaders = Object.fromEntries(
    Object.entries({ host: url.host, ...outgoing.headers, ...authorization }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
  const path = isForwarded ? `${url.origin}${target}` : target;
  const { request } = nextHop.protocol === 'https:' ? https : http;
  return request({ host: hostOf(nextHop), port: portOf(nextHop), method, path, headers, agent, signal, maxHeaderSize: headerBytesMax });
}

/** The header fields of a response. A repeated field is a list, so that rules can see the repetition. */
function fieldsOf(fields: Readonly<Record<string, readonly string[] | undefined>>): HttpHeaders {
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}

/** The body that a server sent with 204 or 304 against RFC 9110 §6.4.1. Only the parser's error contains its bytes. */
function readForbiddenBody(status: number | undefined, error: Error): Buffer | undefined {
  const hasNone = status === 304 || status === 204;
  if (!hasNone || !('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return undefined;
  const end = error.rawPacket.indexOf('\r\n\r\n');
  return error.rawPacket.subarray(end === -1 ? 0 : end + 4);
}
