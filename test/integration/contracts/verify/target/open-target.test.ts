/** Addresses are read, and requests arrive as they are written. */

import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../../core/errors.ts';
import { answerOf, get, open } from '../../sending.ts';
import { serve, serveBytes } from '../../servers.ts';

describe('the address of a target', () => {
  it('is printed without a slash at its end', () => {
    expect(open('http://127.0.0.1:8080').url).toBe('http://127.0.0.1:8080');
    expect(open('http://127.0.0.1:8080/').url).toBe('http://127.0.0.1:8080');
    expect(open('HTTPS://API.example:443/a/b//').url).toBe('https://api.example/a/b');
  });

  it.each(['', 'localhost:8080', 'ftp://host', 'http://', 'nonsense', 'http:host', '//host'])('is refused when it is no URL: %s', (url) => {
    expect(() => open(url)).toThrow(UsageError);
    expect(() => open(url)).toThrow(/write http:\/\/HOST:PORT/);
  });

  it('is refused with a query or a fragment', () => {
    for (const url of ['http://host/?a=1', 'http://host?', 'http://host/#a', 'http://host#'])
      expect(() => open(url), url).toThrow(/query or a fragment/);
  });

  it('is refused with a password, which is not told', () => {
    for (const url of ['http://user:hunter22@host', 'http://hunter22@host/', 'ftp://user:hunter22@host', 'user:hunter22@host']) {
      expect(() => open(url), url).toThrow(UsageError);
      expect(() => open(url), url).not.toThrow(/hunter22/);
    }
    expect(() => open('http://user:hunter22@host')).toThrow(/--header/);
  });

  it('tells this machine from others', () => {
    const local = [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'api.localhost',
      '127.0.0.1',
      '127.8.8.8',
      '[::1]',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
    ];
    expect(local.filter((host) => !open(`http://${host}:1`).isLocal)).toEqual([]);
    const remote = ['example.org', 'localhost.example.org', '127.example.org', '10.0.0.1', '[::2]', 'notlocalhost'];
    expect(remote.filter((host) => open(`http://${host}:1`).isLocal)).toEqual([]);
  });

  it('needs a timeout that a timer can keep, and fields that HTTP can carry', () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
      expect(() => open('http://h', { timeoutMs })).toThrow(UsageError);
    expect(() => open('http://h', { headers: { 'a b': 'x' } })).toThrow(/a b is not the name/);
    expect(() => open('http://h', { headers: { gate: 'hunter22\n' } })).toThrow(/field gate/);
    expect(() => open('http://h', { headers: { gate: 'hunter22\n' } })).not.toThrow(/hunter22/);
  });
});

describe('a request', () => {
  it.each([
    '/x/%2F/%2e%2e/../a/./b//c',
    '//other.example/x',
    '/slug\'"<>|^`{}\\',
    '/x?q=%zz&&a=b+c%20d?e#no-fragment',
    '/caf%C3%A9/caf\u00e9',
    '/?',
    '/a:80@b/;p=1',
  ])('goes out byte for byte: %s', async (target) => {
    const lines: string[] = [];
    const server = await serveBytes((socket, text) => {
      lines.push(text.split('\r\n')[0] ?? '');
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await answerOf(get(open(`${server.url}/pre/fix/`), target));
    expect(lines).toEqual([`GET /pre/fix${target} HTTP/1.1`]);
  });

  it('carries the fields of the gateway, the customary ones and its own, which count', async () => {
    const server = await serve(({ rawHeaders }, response) => response.end(JSON.stringify(rawHeaders)));
    const target = open(server.url, { headers: { 'X-Gate': 'open', Authorization: 'Basic gate' } });
    const { response } = await answerOf(
      get(target, '/', { authorization: 'Bearer own', 'x-many': ['a', 'b'], accept: 'application/json' }),
    );
    expect(JSON.parse(response.body)).toEqual([
      ...['host', `127.0.0.1:${server.port}`, 'accept-encoding', 'gzip', 'user-agent', 'touchstone', 'x-gate', 'open'],
      ...['authorization', 'Bearer own', 'x-many', 'a', 'x-many', 'b', 'accept', 'application/json', 'Connection', 'keep-alive'],
    ]);
  });

  it('may name another host than the one it goes to', async () => {
    const server = await serve(({ headers }, response) => response.end(headers.host));
    const { response } = await answerOf(get(open(server.url, { headers: { Host: 'api.example' } })));
    expect(response.body).toBe('api.example');
  });

  it('is one that only reads, and starts with a slash', async () => {
    const seen: string[] = [];
    const server = await serve(({ method }, response) => {
      seen.push(method ?? '');
      response.end();
    });
    const target = open(server.url);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'get'])
      await expect(target.send({ method, target: '/', headers: {} }), method).rejects.toThrow(TypeError);
    await expect(get(target, 'http://other.example/')).rejects.toThrow(TypeError);
    await expect(get(target, '/a b')).rejects.toThrow(TypeError);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await answerOf(target.send({ method, target: '/', headers: {} }));
    expect(seen).toEqual(['GET', 'HEAD', 'OPTIONS']);
  });

  it('uses the same connection as the one before, and none after the end', async () => {
    const server = await serve((_, response) => response.end('{}'));
    const target = open(server.url);
    for (let count = 0; count < 5; count += 1) await answerOf(get(target));
    expect(server.connections()).toBe(1);
    await target.close();
    await expect(get(target)).rejects.toThrow(/was closed/);
  });
});
