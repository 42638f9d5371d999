/** Proxies: the choice of one, the request through it, and the message of a failure. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { chooseProxy } from '../../../contracts/verify/target/choose-proxy.ts';
import { type Delivery, openTarget, type TargetOptions } from '../../../contracts/verify/target/open-target.ts';
import { UsageError } from '../../../core/errors.ts';
import { trustAll } from './sending.ts';
import { closedPort, serve, serveBytes, serveTls, serveTunnels } from './servers.ts';

/** Sends one request to a target behind a proxy. */
function ask(url: string, environment: TargetOptions['environment'], path = '/x'): Promise<Delivery> {
  const target = openTarget({ url, timeoutMs: 3000, headers: {}, environment });
  onTestFinished(() => target.close());
  return target.send({ method: 'GET', target: path, headers: { 'x-key': 'secret' } });
}

/** The name of the proxy for a URL. */
function chosen(url: string, environment: TargetOptions['environment']): string | undefined {
  return chooseProxy(new URL(url), environment)?.name;
}

describe('the choice of a proxy', () => {
  it('goes by the scheme, and falls back to the one for all', () => {
    const environment = { HTTP_PROXY: 'http://p1:1', https_proxy: 'http://p2:2' };
    expect(chosen('http://host', environment)).toBe('http://p1:1');
    expect(chosen('https://host', environment)).toBe('http://p2:2');
    expect(chosen('https://host', { ALL_PROXY: 'p3:3' })).toBe('http://p3:3');
    expect(chosen('https://host', { ALL_PROXY: 'p3:3', HTTPS_PROXY: 'https://p2' })).toBe('https://p2');
    expect(chosen('http://host', {})).toBeUndefined();
    expect(chosen('http://host', { HTTP_PROXY: '  ', http_proxy: undefined })).toBeUndefined();
  });

  it('reads the variables in both cases, the lower one first', () => {
    expect(chosen('http://host', { HTTP_PROXY: 'upper:1', http_proxy: 'lower:1' })).toBe('http://lower:1');
    expect(chosen('http://host', { HTTP_PROXY: 'p:1', no_proxy: 'host' })).toBeUndefined();
  });

  it.each([
    ['*', 'http://host'],
    ['host', 'http://host:8080'],
    ['other, HOST', 'http://host'],
    ['other host', 'http://host'],
    ['example.org', 'http://api.example.org'],
    ['.example.org', 'http://api.example.org'],
    ['.example.org', 'http://example.org'],
    ['*.example.org', 'http://a.b.example.org'],
    ['example.org.', 'http://example.org'],
    ['host:8080', 'http://host:8080'],
    ['host:443', 'https://host'],
    ['127.0.0.1', 'http://127.0.0.1:4010'],
    ['::1', 'http://[::1]:80'],
    ['[::1]:80', 'http://[::1]:80'],
    ['localhost,127.0.0.1', 'http://localhost:3000'],
  ])('is none for exception %s at %s', (exception, url) => {
    expect(chosen(url, { ALL_PROXY: 'http://p:1', NO_PROXY: exception })).toBeUndefined();
  });

  it.each([
    ['', 'http://host'],
    ['hos', 'http://host'],
    ['ost', 'http://host'],
    ['example.org', 'http://notexample.org'],
    ['example.org', 'http://example.org.evil.test'],
    ['host:8080', 'http://host:8081'],
    ['host:80', 'https://host'],
    ['10.0.0.0/8', 'http://10.0.0.1'],
    ['.0.0.1', 'http://127.0.0.1'],
    ['::1', 'http://[::2]'],
    ['.', 'http://host'],
  ])('stays for exception %s at %s', (exception, url) => {
    expect(chosen(url, { ALL_PROXY: 'http://p:1', NO_PROXY: exception })).toBe('http://p:1');
  });

  it.each(['socks5://u:hunter22@p:1', 'http://', 'http://u:hunter22@[', 'u:hunter%zz@p:1', 'http://u:hunter22@p:99999'])(
    'is refused before anything is sent, and not printed: %s',
    (value) => {
      const open = (): unknown => openTarget({ url: 'http://host', timeoutMs: 1, headers: {}, environment: { HTTP_PROXY: value } });
      expect(open).toThrow(UsageError);
      expect(open).toThrow(/HTTP_PROXY/);
      expect(open).not.toThrow(/hunter/);
    },
  );
});

describe('plain HTTP through a proxy', () => {
  it('asks for the whole URL, byte for byte, with the credentials for the proxy', async () => {
    const heard: string[] = [];
    const proxy = await serveBytes((socket, text) => {
      heard.push(text);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    const environment = { HTTP_PROXY: `http://us%40er:p%C3%A4ss@127.0.0.1:${proxy.port}` };
    const delivery = await ask('http://api.example:8080/pre', environment, '//a/../%2F?x');
    expect(delivery).toMatchObject({ kind: 'answer', response: { body: 'ok' } });
    const [line, ...fields] = (heard[0] ?? '').split('\r\n');
    expect(line).toBe('GET http://api.example:8080/pre//a/../%2F?x HTTP/1.1');
    expect(fields).toContain('host: api.example:8080');
    expect(fields).toContain(`proxy-authorization: Basic ${Buffer.from('us@er:päss').toString('base64')}`);
    expect(fields).toContain('x-key: secret');
  });

  it('goes without it to hosts that are listed', async () => {
    const server = await serve((_, response) => response.end('direct'));
    const delivery = await ask(server.url, { HTTP_PROXY: `http://127.0.0.1:${await closedPort()}`, NO_PROXY: '127.0.0.1' });
    expect(delivery).toMatchObject({ kind: 'answer', response: { body: 'direct' } });
  });

  it('tells that the proxy is not there, without its password', async () => {
    const delivery = await ask('http://api.example', { HTTP_PROXY: `http://user:hunter22@127.0.0.1:${await closedPort()}` });
    expect(delivery).toMatchObject({ kind: 'failure', cause: 'proxy' });
    expect(JSON.stringify(delivery)).not.toContain('hunter22');
    expect(JSON.stringify(delivery)).toContain('NO_PROXY');
  });
});

describe('https through a proxy', () => {
  it('goes through a tunnel, which is kept, and shows the proxy nothing', async () => {
    trustAll();
    const server = await serveTls(({ url, headers }, response) => response.end(`${url} ${headers.host} ${headers['proxy-authorization']}`));
    const heard: string[] = [];
    const proxy = await serveTunnels(server.port, heard);
    const target = openTarget({
      url: 'https://api.example/pre',
      timeoutMs: 3000,
      headers: {},
      environment: { https_proxy: `http://user:hunter22@127.0.0.1:${proxy.port}` },
    });
    onTestFinished(() => target.close());
    for (const path of ['/a/../b', '/c']) {
      const delivery = await target.send({ method: 'GET', target: path, headers: { 'x-key': 'secret' } });
      expect(delivery).toMatchObject({ kind: 'answer', response: { body: `/pre${path} api.example undefined` } });
    }
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatch(/^CONNECT api\.example:443 HTTP\/1\.1\r\n/);
    expect(heard[0]).toContain(`proxy-authorization: Basic ${Buffer.from('user:hunter22').toString('base64')}`);
    expect(heard[0]).not.toContain('secret');
  });

  it('still checks the certificate', async () => {
    const server = await serveTls((_, response) => response.end());
    const proxy = await serveTunnels(server.port, []);
    expect(await ask('https://api.example', { HTTPS_PROXY: proxy.url })).toMatchObject({ kind: 'failure', cause: 'certificate' });
  });

  it.each([
    ['407 Proxy Authentication Required', /407.*USER:PASSWORD@HOST/],
    ['502 Bad Gateway', /502.*api\.example/],
    ['403 Forbidden', /403.*NO_PROXY/],
  ])('tells that the proxy answers %s', async (status, message) => {
    const proxy = await serveTunnels(1, [], status);
    const delivery = await ask('https://api.example', { HTTPS_PROXY: `http://user:hunter22@127.0.0.1:${proxy.port}` });
    expect(delivery).toMatchObject({ kind: 'failure', cause: 'proxy', message: expect.stringMatching(message) });
    expect(JSON.stringify(delivery)).not.toContain('hunter22');
  });

  it('tells that the proxy is not there, hangs up, or does not speak HTTP', async () => {
    const gone = `http://127.0.0.1:${await closedPort()}`;
    const rude = await serveBytes((socket) => socket.destroy());
    const odd = await serveBytes((socket) => socket.end('SSH-2.0\r\n'));
    for (const url of [gone, rude.url, odd.url]) {
      const delivery = await ask('https://api.example', { HTTPS_PROXY: url });
      expect(delivery).toMatchObject({ kind: 'failure', cause: 'proxy', message: expect.stringContaining(url) });
    }
  });

  it('is a timeout when the proxy never answers', async () => {
    const proxy = await serveBytes(() => undefined);
    const target = openTarget({ url: 'https://api.example', timeoutMs: 150, headers: {}, environment: { HTTPS_PROXY: proxy.url } });
    onTestFinished(() => target.close());
    expect(await target.send({ method: 'GET', target: '/', headers: {} })).toMatchObject({ kind: 'failure', cause: 'timeout' });
  });

  it('may be to a proxy that speaks TLS itself', async () => {
    trustAll();
    const proxy = await serveTls(({ url }, response) => response.end(`asked for ${url}`));
    const delivery = await ask('http://api.example', { HTTP_PROXY: proxy.url });
    expect(delivery).toMatchObject({ kind: 'answer', response: { body: 'asked for http://api.example/x' } });
  });
});
