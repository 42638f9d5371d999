/**
 * Keeps the connections to a target open between requests, also through a proxy and with a client certificate. Sends nothing but the request that opens a
 * tunnel.
 */

import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';
import { UsageError } from '../../../core/errors.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { ProxyServer } from './choose-proxy.ts';
import { DeliveryError, explainTunnel, refusedTunnel } from './explain-network-failure.ts';
import { hostOf, portOf } from './target-address.ts';

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
