/** Servers for tests of the network: with handlers, with bytes, with TLS, and proxies. */

import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { cert, key } from '../../helpers/certificate.ts';

/** A server on a free port of this machine; it closes when the test ends. */
export interface Running {
  readonly port: number;
  readonly url: string;
  /** Number of opened connections. */
  readonly connections: () => number;
}

/** Serves HTTP. */
export function serve(listener: RequestListener): Promise<Running> {
  return start(createServer(listener), 'http');
}

/** Serves HTTP over TLS, with a certificate that nobody trusts. */
export function serveTls(listener: RequestListener, options: ServerOptions = {}): Promise<Running> {
  return start(createTlsServer({ key, cert, ...options }, listener), 'https');
}

/** Answers each piece of data on a connection with bytes; what it returns may end the connection. */
export function serveBytes(answer: (socket: Socket, text: string, connection: number) => void): Promise<Running> {
  let connections = 0;
  const server = createSocketServer((socket) => {
    connections += 1;
    const connection = connections;
    socket.on('data', (data) => answer(socket, data.toString('latin1'), connection));
    socket.on('error', () => undefined);
  });
  return start(server as Server, 'http');
}

/** Answers every request with these bytes and ends the connection. */
export function serveOnce(bytes: string | Buffer): Promise<Running> {
  return serveBytes((socket) => socket.end(bytes));
}

/** A proxy that opens tunnels to a port of this machine, whatever host is asked for. */
export function serveTunnels(port: number, heard: string[], status = '200 Connection established'): Promise<Running> {
  return serveBytes((socket, text) => {
    if (!text.startsWith('CONNECT ')) return;
    heard.push(text);
    if (!status.startsWith('200')) {
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    socket.removeAllListeners('data');
    const inner = connect(port, '127.0.0.1', () => {
      socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
      socket.pipe(inner).pipe(socket);
    });
    inner.on('error', () => socket.destroy());
    socket.on('close', () => inner.destroy());
  });
}

async function start(server: Server, scheme: string): Promise<Running> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `${scheme}://127.0.0.1:${port}`, connections: () => connections };
}

/** A port where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
