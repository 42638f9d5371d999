/** A server that gives a hostile answer in front of a correct mock, and a run of `verify` against it in another process. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningMock } from '../../../mocks/start-mock.ts';
import { ask, type Fields } from '../plain-client.ts';
import { type Ending, run } from '../program.ts';
import type { HostileAnswer } from './hostile-answers.ts';

/** A running hostile server. */
export interface HostileServer extends AsyncDisposable {
  readonly url: string;
  /** Resolves after this number of requests. */
  readonly requested: (count: number) => Promise<void>;
}

/** Starts a server that gives the hostile answer at paths for which `isMeant` is true, and passes all other requests to the mock. */
export async function startHostile(mock: RunningMock, { act }: HostileAnswer, isMeant: (path: string) => boolean): Promise<HostileServer> {
  let count = 0;
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const take = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    count += 1;
    for (const each of waiting) if (count >= each.count) each.resolve();
    outgoing.on('error', () => undefined);
    const { url: target = '/', headers, method } = incoming;
    const { 'accept-encoding': _coding, host: _host, connection: _connection, ...rest } = headers as Fields & Record<string, string>;
    const { status, headers: given, text, bytes } = await ask(mock, target, rest, method);
    const { connection: _kept, 'keep-alive': _alive, ...kept } = given as Record<string, string>;
    if (isMeant(target.split('?')[0] ?? ''))
      act({ outgoing, target, status, headers: kept, body: text, key: String(headers['x-service-api-key'] ?? ''), count });
    else outgoing.writeHead(status, kept).end(bytes);
  };
  const server = createServer((incoming, outgoing) => void take(incoming, outgoing).catch(() => outgoing.destroy()));
  server.on('connection', (socket) => void socket.on('error', () => undefined));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested: (least) => new Promise((resolve) => void (count >= least ? resolve() : waiting.push({ count: least, resolve }))),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** Result of a run of `verify`. */
export interface Verified extends Ending {
  /** The JSON report; `undefined` if there is none. */
  readonly report: unknown;
  readonly seconds: number;
  /** Peak memory in MB. */
  readonly rssMb: number;
  /** Seconds from the signal to the end. */
  readonly endedIn: number;
}

const pulse = fileURLToPath(new URL('./pulse.mjs', import.meta.url));

/** Runs `verify` with a timeout of one second. Sends it a signal when `until` resolves. */
export async function verifyHostile(contract: string, url: string, key: string, until?: Promise<void>): Promise<Verified> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'));
  try {
    const [file, memory] = [join(folder, 'report.json'), join(folder, 'memory')];
    const args = [
      'verify',
      contract,
      '--target',
      url,
      // An API without keys takes none.
      ...(key === '' ? [] : ['--key', 'full=HOSTILE_KEY']),
      '--timeout',
      '1000',
      '--quick',
      '--report',
      `json=${file}`,
    ];
    const before = performance.now();
    const running = run(args, { HOSTILE_KEY: key, NODE_OPTIONS: `--import ${pulse}`, TOUCHSTONE_PULSE: memory });
    let told = before;
    void until?.then(() => {
      told = performance.now();
      running.process.kill('SIGTERM');
    });
    const late = setTimeout(() => running.process.kill('SIGKILL'), 90_000);
    const ending = await running.ended;
    clearTimeout(late);
    const now = performance.now();
    const report: unknown = JSON.parse(readOr(file, 'null'));
    return {
      ...ending,
      report: report ?? undefined,
      seconds: (now - before) / 1000,
      rssMb: Number(readOr(memory, '0')),
      endedIn: (now - told) / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A killed program leaves no file; its exit code shows that.
    return otherwise;
  }
}
