/** Finding a port to listen on. */

import type { Server } from 'node:http';
import { UsageError } from '../core/errors.ts';

/** A port to listen on: exactly one (0 is any free one), or the first free one from a number on. */
export type PortChoice = number | { readonly from: number };

/** How many ports are tried when the wanted one is taken. */
const portsTried = 100;

/**
 * Lets a server listen.
 * @throws {UsageError} when the port is taken, or the host is not one of this machine.
 */
export async function listen(server: Server, host: string, port: PortChoice): Promise<void> {
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
