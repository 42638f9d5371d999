/** The servers of a page, on free ports with translated addresses, since another test may use the documented ports at the same time. */

import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, rewritePorts, servingOn } from './command.ts';
import type { Service, Terminal } from './terminal.ts';

/** The servers of one page. */
export interface Serving {
  /** Starts a server and waits until it listens. Who starts a second one on a port has stopped the first. */
  start(command: Extract<Command, { kind: 'serve' }>): Promise<Service>;
  /** Puts the real ports in the place of the documented ones. */
  translate(text: string): string;
}

/** Time limit for a server to listen, and for a stopped one to close its port. */
const startTimeoutMs = 20_000;

/** No server yet. */
export function createServing(terminal: Terminal): Serving {
  const services = new Map<number, Service>();
  const ports = new Map<number, number>();
  const translate = (text: string): string => rewritePorts(text, ports);
  return {
    translate,
    start: async ({ text, port }) => {
      const previous = services.get(port);
      await previous?.stop();
      // A file of the page may hold the address of the server that was stopped.
      const actual = ports.get(port) ?? (await findFreePort());
      // A stopped command has ended for its terminal before its server has closed its port.
      if (previous !== undefined) await untilFree(actual);
      const service = await terminal.start(servingOn(translate(text), actual));
      services.set(port, service);
      ports.set(port, actual);
      await untilListening(service, actual);
      return service;
    },
  };
}

async function untilListening(service: Service, port: number): Promise<void> {
  for (const end = performance.now() + startTimeoutMs; performance.now() < end; await delay(20)) {
    if (await isListening(port)) return;
    const { ended, stdout, stderr } = service.look();
    if (ended) throw new Error(`the server ended before it listened on port ${port}:\n${stdout}${stderr}`);
  }
  const { stdout, stderr } = service.look();
  throw new Error(`nothing listens on port ${port} after ${startTimeoutMs} ms:\n${stdout}${stderr}`);
}

async function untilFree(port: number): Promise<void> {
  for (const end = performance.now() + startTimeoutMs; performance.now() < end; await delay(20)) if (!(await isListening(port))) return;
  throw new Error(`the stopped server still listens on port ${port} after ${startTimeoutMs} ms`);
}

async function findFreePort(): Promise<number> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function isListening(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (listening: boolean) => (): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', finish(true)).once('error', finish(false));
  });
}
