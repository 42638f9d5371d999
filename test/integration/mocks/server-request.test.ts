/** Requests without exactly one host, a known path and complete headers are refused before any API sees them. */

import { afterAll, describe, expect, it } from 'vitest';
import { fixture, startJudgedMock } from '../../helpers/judged-mock.ts';
import { ask } from '../../helpers/plain-client.ts';
import { converse } from '../../helpers/raw-socket.ts';
import { business, wiki } from '../../helpers/request-targets.ts';

const mock = await startJudgedMock();
const library = await startJudgedMock({ contracts: [fixture('library')] });
afterAll(async () => {
  await mock.close();
  await library.close();
});

async function statusOf(head: string): Promise<number | undefined> {
  const { answers } = await converse(library.port, `GET /books?size=1 HTTP/1.1\r\n${head}\r\n`, 1);
  return answers[0]?.status;
}

describe('the header Host', () => {
  it.each(['localhost', '127.0.0.1:4010', '[::1]:80', 'my-host_1.example', 'EXAMPLE.org', ''])('may be "%s"', async (host) => {
    expect(await statusOf(`Host: ${host}\r\n`)).toBe(200);
  });

  it.each(['a b', 'a/b', 'a@b', 'a?b', 'a#b', '"a"', '<a>'])('may not be %s (RFC 9112 §3.2)', async (host) => {
    expect(await statusOf(`Host: ${host}\r\n`)).toBe(400);
  });

  it('comes once, and with every request of HTTP/1.1', async () => {
    expect(await statusOf('Host: a\r\nHost: b\r\n')).toBe(400);
    expect(await statusOf('Host: a\r\nHost: a\r\n')).toBe(400);
    expect(await statusOf('')).toBe(400);
  });
});

describe('headers', () => {
  it('count to the last, however many come before', async () => {
    const many = Array.from({ length: 2500 }, (_, index) => `X-${index}: y\r\n`).join('');
    const key = mock.keys['full'] ?? '';
    const bytes = `GET ${business.orders}?limit=1 HTTP/1.1\r\nHost: x\r\n${many}X-SERVICE-API-Key: ${key}\r\n\r\n`;
    const { answers } = await converse(mock.port, bytes, 1);
    expect(answers[0]?.status).toBe(200);
  });
});

describe('OPTIONS', () => {
  it.each([wiki, `${wiki}/anything`, business.orders, `${business.order}?id=0`, '*'])(
    'at %s names the methods, without a key',
    async (target) => {
      const reply = await ask(mock, target, {}, 'OPTIONS');
      expect(reply).toMatchObject({ status: 204, text: '', headers: { allow: 'GET, HEAD, OPTIONS', 'access-control-allow-origin': '*' } });
    },
  );

  it.each(['/unknown', `${wiki}/a/b`, '/api'])('at %s, where nothing is, is answered like everything there', async (target) => {
    const reply = await ask(mock, target, {}, 'OPTIONS');
    expect(reply.headers).not.toHaveProperty('access-control-allow-headers');
    expect(reply.status).toBe(404);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.at('/ok')).toBe(false);
  });

  it('grants a page what it asks for before it sends a key', async () => {
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-service-api-key',
    };
    const reply = await ask(mock, business.orders, headers, 'OPTIONS');
    expect(reply.headers['access-control-allow-headers']).toBe('x-service-api-key');
    expect(reply.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    expect(reply.headers['access-control-max-age']).toMatch(/^\d+$/);
    expect(reply.headers.vary).toContain('Access-Control-Request-Headers');
  });
});

describe('content that is made up from a schema', () => {
  it('is the same for the same request, in each mock, and not for another', async () => {
    await using second = await startJudgedMock({ contracts: ['wiki'] });
    const read = async (server: typeof mock, target: string): Promise<string> =>
      (await ask(server, target, { prefer: 'dynamic=true' })).text;
    const text = await read(mock, `${wiki}/a`);
    expect([await read(mock, `${wiki}/a`), await read(second, `${wiki}/a`)]).toEqual([text, text]);
    expect(await read(mock, `${wiki}/b`)).not.toBe(text);
  });
});
