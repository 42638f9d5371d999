/** Sending of responses with chaos, over real connections. Tests end long delays themselves. */

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Transmission } from '../../../../mocks/chaos/chaos-decision.ts';
import { prepareHttpResponse } from '../../../../mocks/handler/prepare-response.ts';
import { ResponseSender } from '../../../../mocks/server/response-sender.ts';

const body = 'abcdefghijklmnopqrstuvwxyz';

interface Running {
  readonly port: number;
  readonly sender: ResponseSender;
  /** Number of finished responses. */
  readonly finished: () => number;
  /** Resolves after this number of finished responses. */
  readonly finish: (count: number) => Promise<void>;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that sends its response to the path `/n` with transmission number n. */
async function start(...wires: readonly Transmission[]): Promise<Running> {
  const sender = new ResponseSender();
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let done = 0;
  const server = createServer((incoming, outgoing) => {
    const connection: Socket = incoming.socket;
    const { method = 'GET', url: target = '/' } = incoming;
    const wire = wires[Number(target.slice(1))];
    const response = prepareHttpResponse({ method, target, headers: {} }, { status: 200, headers: {}, body }, { wire });
    const sending = sender.send({ connection, outgoing }, response);
    void Promise.resolve(sending).then(() => {
      done += 1;
      for (const each of waiting) if (done >= each.count) each.resolve();
    });
  });
  // The server must not close connections by a timeout.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => socket.once('close', () => sender.dropDelays(socket)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const finish = (count: number): Promise<void> => new Promise((resolve) => (done >= count ? resolve() : waiting.push({ count, resolve })));
  return { port: (server.address() as AddressInfo).port, sender, finished: () => done, finish };
}

interface Heard {
  readonly text: string;
  /** End of the connection: `end`, or the code of its error. */
  readonly ending: string;
}

/** Sends requests on one connection and reads it to its end. `hearing` gets each piece. `ending` is a header of the last request. */
function hear(
  port: number,
  requests: readonly string[],
  hearing: (text: string, socket: Socket) => void = () => undefined,
  ending = 'Connection: close\r\n',
): Promise<Heard> {
  return new Promise((resolve) => {
    let text = '';
    const bytes = requests.map((line, index) => {
      const last = index === requests.length - 1 ? ending : '';
      return `${line} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
    });
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes.join('')));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      hearing(text, socket);
    });
    socket.on('end', () => resolve({ text, ending: 'end' }));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve({ text, ending: error.code ?? error.message }));
  });
}

function bodiesOf(text: string): readonly string[] {
  return text
    .split(/HTTP\/1\.1 200 OK\r\n/)
    .slice(1)
    .map((answer) => answer.split('\r\n\r\n')[1] ?? '');
}

describe('a response', () => {
  it('is sent at once without chaos', async () => {
    const { port } = await start({});
    const { text, ending } = await hear(port, ['GET /0']);
    expect([bodiesOf(text), ending]).toEqual([[body], 'end']);
  });

  it('is sent after a delay', async () => {
    const { port, finished } = await start({ delayMs: 30 });
    const startedMs = performance.now();
    const { text } = await hear(port, ['GET /0']);
    expect(bodiesOf(text)).toEqual([body]);
    expect(performance.now() - startedMs).toBeGreaterThan(28);
    expect(finished()).toBe(1);
  });

  it('is not sent on a reset connection', async () => {
    const { port } = await start({ cut: 'reset' }, { cut: 'reset', delayMs: 5, bytesPerSecond: 1 });
    expect(await hear(port, ['GET /0'])).toEqual({ text: '', ending: 'ECONNRESET' });
    expect(await hear(port, ['GET /1'])).toEqual({ text: '', ending: 'ECONNRESET' });
  });

  it('is reset after the earlier responses', async () => {
    const { port } = await start({ delayMs: 20 }, { cut: 'reset' });
    let before = '';
    const { text } = await hear(port, ['GET /0', 'GET /1', 'GET /0'], (heard) => {
      before = heard;
    });
    expect(bodiesOf(before)).toEqual([body]);
    expect(bodiesOf(text)).toEqual([body]);
  });

  it('is truncated to half of its content length', async () => {
    const { port } = await start({ cut: 'truncated' });
    const { text } = await hear(port, ['GET /0']);
    expect(text).toContain(`content-length: ${body.length}\r\n`);
    expect(bodiesOf(text)).toEqual([body.slice(0, body.length / 2)]);
  });

  it('without a body is sent completely, unless the connection is reset', async () => {
    const { port } = await start({ cut: 'truncated', bytesPerSecond: 1 }, { cut: 'reset' });
    const { text, ending } = await hear(port, ['HEAD /0']);
    expect([bodiesOf(text), ending]).toEqual([[''], 'end']);
    expect(await hear(port, ['HEAD /1'])).toEqual({ text: '', ending: 'ECONNRESET' });
  });

  it('is sent in pieces at a low speed', async () => {
    const { port } = await start({ bytesPerSecond: 200 });
    const startedMs = performance.now();
    let pieces = 0;
    const { text } = await hear(port, ['GET /0'], () => {
      pieces += 1;
    });
    expect(bodiesOf(text)).toEqual([body]);
    expect(pieces).toBeGreaterThan(1);
    expect(performance.now() - startedMs).toBeGreaterThan(98);
  });
});

describe('responses of one turn of the event loop', () => {
  it('are all sent if the server closes before their bodies are written', async () => {
    const { port, sender, finish } = await start();
    const hearing = hear(port, ['GET /0', 'GET /1'], undefined, '');
    await finish(2);
    sender.stopDelays();
    const { text, ending } = await hearing;
    expect([bodiesOf(text), ending]).toEqual([[body, body], 'end']);
  });
});

describe('a delayed response', () => {
  it('is dropped when its client closes the connection', async () => {
    const { port, finish } = await start({ delayMs: 600_000 }, { bytesPerSecond: 1 });
    const late = connect(port, '127.0.0.1', () =>
      late.write('GET /0 HTTP/1.1\r\nHost: a\r\n\r\n', () => setImmediate(() => late.destroy())),
    );
    await finish(1);
    await Promise.race([hear(port, ['GET /1'], (text, socket) => bodiesOf(text).join('') !== '' && socket.destroy()), finish(2)]);
    await finish(2);
  });

  it('is dropped for each of several requests on a connection', async () => {
    const { port, finish } = await start({ delayMs: 600_000 });
    const request = 'GET /0 HTTP/1.1\r\nHost: a\r\n\r\n';
    const socket = connect(port, '127.0.0.1', () => socket.write(request.repeat(20), () => setImmediate(() => socket.destroy())));
    await finish(20);
  });

  it('is sent at once when the server closes, and closes its connection', async () => {
    const { port, sender } = await start({ delayMs: 600_000 }, { bytesPerSecond: 1 });
    const late = hear(port, ['GET /0']);
    const slow = hear(port, ['GET /1'], (text) => bodiesOf(text).join('') !== '' && sender.stopDelays());
    expect(bodiesOf((await slow).text)).toEqual([body]);
    const { text } = await late;
    expect(bodiesOf(text)).toEqual([body]);
    expect(text).toContain('connection: close');
  });
});
