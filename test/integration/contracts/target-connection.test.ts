/** Connections are reused, and replaced if they have died meanwhile. */

import { describe, expect, it } from 'vitest';
import { cert, key } from '../../helpers/certificate.ts';
import { answerOf, failureOf, get, open, trustAll } from './sending.ts';
import { serveBytes, serveTls, serveTunnels } from './servers.ts';

describe('a kept connection', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

  it('that died meanwhile is replaced, once', async () => {
    const requests: number[] = [];
    const server = await serveBytes((socket, _, connection) => {
      requests.push(connection);
      // Every connection answers one request and dies at the next.
      if (requests.filter((each) => each === connection).length === 1) socket.write(ok);
      else socket.resetAndDestroy();
    });
    const target = open(server.url);
    for (let count = 0; count < 3; count += 1) expect((await answerOf(get(target))).response.body).toBe('ok');
    expect(requests).toEqual([1, 1, 2, 3]);
  });

  it('that dies again on a new one is a failure', async () => {
    let answered = 0;
    const server = await serveBytes((socket) => {
      answered += 1;
      if (answered === 1) socket.write(ok);
      else socket.destroy();
    });
    const target = open(server.url);
    await answerOf(get(target));
    expect((await failureOf(get(target))).cause).toBe('broken');
    expect(answered).toBe(3);
  });

  it('that dies in the middle of an answer is a failure at once', async () => {
    let answered = 0;
    const server = await serveBytes((socket) => {
      answered += 1;
      if (answered === 1) socket.write(ok);
      else socket.end('HTTP/1.1 200');
    });
    const target = open(server.url);
    await answerOf(get(target));
    expect((await failureOf(get(target))).cause).toBe('broken');
    expect(answered).toBe(2);
  });

  it('is not tried again when it was new', async () => {
    let asked = 0;
    const server = await serveBytes((socket) => {
      asked += 1;
      socket.destroy();
    });
    expect((await failureOf(get(open(server.url)))).cause).toBe('broken');
    expect(asked).toBe(1);
  });

  it('is replaced under TLS too', async () => {
    trustAll();
    let asked = 0;
    const server = await serveTls(({ socket }, response) => {
      asked += 1;
      if (asked === 2) socket.destroy();
      else response.end('ok');
    });
    const target = open(server.url);
    for (let count = 0; count < 2; count += 1) expect((await answerOf(get(target))).response.body).toBe('ok');
    expect(asked).toBe(3);
  });
});

describe('a client certificate', () => {
  const certificate = { cert, key, files: ['c.pem', 'k.pem'] } as const;
  const demanding = () => serveTls((_, response) => void response.end('ok'), { requestCert: true, rejectUnauthorized: true, ca: cert });

  it('is sent to a target that asks for one, directly and through a tunnel', async () => {
    trustAll();
    const server = await demanding();
    expect((await answerOf(get(open(server.url, { certificate })))).response.body).toBe('ok');
    await failureOf(get(open(server.url)));
    const heard: string[] = [];
    const proxy = await serveTunnels(server.port, heard);
    const target = open('https://api.example', { certificate, environment: { HTTPS_PROXY: proxy.url } });
    expect((await answerOf(get(target))).response.body).toBe('ok');
    expect(heard).toHaveLength(1);
  });

  it('is refused without its key, and for a target without TLS, and no message shows the key', () => {
    expect(() => open('http://127.0.0.1:1', { certificate })).toThrow(
      'a client certificate needs TLS, but the target is http://127.0.0.1:1',
    );
    const wrong = { ...certificate, key: key.replace('MIGH', 'MIGX') };
    const refused = (): unknown => open('https://127.0.0.1:1', { certificate: wrong });
    expect(refused).toThrow(/^the client certificate cannot be used \([^)]*\); --cert and --client-key name PEM files of one pair/);
    expect(refused).not.toThrow(/MIGX|u63jy/);
  });
});
