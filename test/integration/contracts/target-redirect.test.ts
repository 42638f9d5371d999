/** Redirects are followed within a host, and never out of it. */

import { describe, expect, it } from 'vitest';
import { answerOf, get, open, trustAll } from './sending.ts';
import { type Running, serve, serveBytes, serveTls } from './servers.ts';

describe('a redirect', () => {
  /** Redirects as the table says; everything else answers with its path. */
  const redirecting = (table: Readonly<Record<string, string>>): { readonly asked: string[]; readonly server: Promise<Running> } => {
    const asked: string[] = [];
    const server = serve(({ url = '', method }, response) => {
      asked.push(`${method} ${url}`);
      const location = table[url];
      if (location === undefined) response.end(url);
      else response.writeHead(302, { location }).end();
    });
    return { asked, server };
  };

  it.each([301, 302, 303, 307, 308])('with %i is followed within the host, with the same method and key', async (status) => {
    const keys: (string | undefined)[] = [];
    const server = await serve(({ url, headers }, response) => {
      keys.push(headers['x-key'] as string | undefined);
      if (url === '/a') response.writeHead(status, { location: 'b?c=%2F' }).end();
      else response.end(url);
    });
    const delivery = await answerOf(get(open(server.url), '/a', { 'x-key': 'secret' }));
    expect(delivery.response.body).toBe('/b?c=%2F');
    expect(delivery.redirectedTo).toBeUndefined();
    expect(keys).toEqual(['secret', 'secret']);
  });

  it('is never followed to another host or port, and nothing is sent there', async () => {
    const heard: string[] = [];
    const other = await serve(({ url }, response) => {
      heard.push(url ?? '');
      response.end();
    });
    for (const host of ['localhost', 'user:hunter22@localhost', '127.0.0.1']) {
      const { server } = redirecting({ '/a': `http://${host}:${other.port}/stolen` });
      const delivery = await answerOf(get(open((await server).url), '/a', { 'x-key': 'secret' }));
      expect(delivery.response.status).toBe(302);
      expect(delivery.redirectedTo).toBe(`http://${host.replace(/.*@/, '')}:${other.port}/stolen`);
    }
    expect(heard).toEqual([]);
  });

  it.each([
    '//other.example/x',
    'https://other.example/',
    'http://127.0.0.1.other.example/',
    'ftp://127.0.0.1/',
    'javascript:alert(1)',
    'http://u:p@127.0.0.1/',
  ])('to %s is an answer', async (location) => {
    const { asked, server } = redirecting({ '/a': location });
    const delivery = await answerOf(get(open((await server).url), '/a'));
    expect(delivery.response.status).toBe(302);
    expect(delivery.redirectedTo).toBeDefined();
    expect(delivery.redirectedTo).not.toContain('u:p@');
    expect(asked).toEqual(['GET /a']);
  });

  it('without a place, or with one that is none, is an answer', async () => {
    const server = await serve(({ url }, response) => response.writeHead(302, url === '/a' ? {} : { location: 'http://[' }).end());
    for (const path of ['/a', '/b']) {
      const delivery = await answerOf(get(open(server.url), path));
      expect(delivery.response.status).toBe(302);
      expect(delivery.redirectedTo).toBeUndefined();
    }
  });

  it('with a documented status is an answer, and not followed', async () => {
    const { asked, server } = redirecting({ '/a': '/b' });
    const request = { method: 'GET', target: '/a', headers: {} };
    expect(await open((await server).url).send(request, (status) => status === 302)).toMatchObject({ response: { status: 302 } });
    expect(asked).toEqual(['GET /a']);
  });

  it('is followed five times, not six', async () => {
    const table = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`/${index}`, `/${index + 1}`]));
    const { asked, server } = redirecting(table);
    const target = open((await server).url);
    expect(await answerOf(get(target, '/4'))).toMatchObject({ response: { body: '/9' }, redirects: 5 });
    asked.length = 0;
    const delivery = await answerOf(get(target, '/3'));
    expect(delivery).toMatchObject({ response: { status: 302 }, redirectedTo: expect.stringMatching(/\/9$/) });
    expect(asked).toHaveLength(6);
  });

  it('that goes in circles ends as a redirect', async () => {
    const { asked, server } = redirecting({ '/a': '/b', '/b': '/a' });
    const delivery = await answerOf(get(open((await server).url), '/a'));
    expect(delivery).toMatchObject({ response: { status: 302 }, redirectedTo: expect.stringMatching(/\/a$/) });
    expect(asked).toEqual(['GET /a', 'GET /b']);
  });

  it('reads UTF-8 in the place', async () => {
    const server = await serveBytes((socket, text) => {
      const line = text.split('\r\n')[0] ?? '';
      const place = Buffer.from('/caffè').toString('latin1');
      const answer = line.includes('/a ') ? `302 Found\r\nlocation: ${place}` : '200 OK';
      socket.end(Buffer.from(`HTTP/1.1 ${answer}\r\ncontent-length: ${line.length}\r\n\r\n${line}`, 'latin1'));
    });
    expect((await answerOf(get(open(server.url), '/a'))).response.body).toBe('GET /caff%C3%A8 HTTP/1.1');
  });

  it('from https to http is not followed', async () => {
    trustAll();
    const heard: string[] = [];
    const plain = await serve(({ url }, response) => {
      heard.push(url ?? '');
      response.end();
    });
    const server = await serveTls((_, response) => response.writeHead(301, { location: `${plain.url}/x` }).end());
    expect(await answerOf(get(open(server.url)))).toMatchObject({ response: { status: 301 }, redirectedTo: `${plain.url}/x` });
    expect(heard).toEqual([]);
  });
});
