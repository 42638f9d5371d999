/** Runs of `touchstone verify` in this process, and small servers for them. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from '../../../cli/run-command.ts';
import { createTerminal, type TestTerminal } from '../../helpers/reports/fake-terminal.ts';

/** Exit code and output of a run. */
export interface Verified {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the command. A function as the last argument gets the terminal before the run begins. */
export async function verifyOnTerminal(
  contract: string,
  target: string,
  ...more: readonly (string | ((terminal: TestTerminal) => void))[]
): Promise<Verified> {
  const terminal = createTerminal();
  for (const each of more) if (typeof each === 'function') each(terminal);
  const options = more.filter((each) => typeof each === 'string');
  const code = await run(['verify', contract, '--target', target, ...options], '0.0.0', terminal);
  return { code, ...terminal.printed() };
}

const servers = new Set<Server>();

/** Starts a server on any free port of this machine. */
export async function openServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ readonly url: string; readonly port: number }> {
  const server = createServer((request, response) => void answer(request, response));
  servers.add(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

/** Closes all these servers with their connections. */
export async function closeServers(): Promise<void> {
  await Promise.all(
    [...servers].map(async (server) => {
      servers.delete(server);
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    }),
  );
}
