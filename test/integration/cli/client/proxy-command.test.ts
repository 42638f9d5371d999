/** The command `proxy` between clients and servers: the same bytes through it, the mistakes of both halves, its archive, and what happens when a side fails. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { createRedactor } from '../../../../core/redaction/redact-secrets.ts';
import type { ProxyReport } from '../../../../core/results/proxy-result.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { createTerminal, type TestTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { harMistakes } from '../../../helpers/reports/har-mistakes.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';
import { type SecondOptions, type SecondServer, startSecondServer } from '../../../second/second-server.ts';

const readSchema = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../../../specs/${name}.schema.json`, import.meta.url), 'utf8')) as object;
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false })
  .addSchema(readSchema('client-report'))
  .compile(readSchema('proxy-report'));

/** Lists the mistakes of a report by its published schema. */
function schemaMistakes(report: unknown): readonly unknown[] {
  validate(report);
  return validate.errors ?? [];
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-proxy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Things to close after each test. */
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A proxy that runs as a command. */
interface Started {
  readonly port: number;
  readonly url: string;
  readonly terminal: TestTerminal;
  /** Stops the proxy; resolves to its exit code, its output and its report. */
  readonly stop: () => Promise<{ readonly code: number; readonly out: string; readonly report: ProxyReport }>;
}

async function startProxy(contract: string, target: string, args: readonly string[] = []): Promise<Started> {
  const terminal = createTerminal(false);
  const file = join(folder, 'report.json');
  const ended = run(['proxy', contract, '--target', target, '--port', '0', '--report', `json=${file}`, ...args], '0.0.0', terminal);
  await terminal.until('forwards to');
  open.push(async () => {
    terminal.interrupt();
    await ended;
  });
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+) forwards to/.exec(terminal.printed().out)?.[1]);
  const stop: Started['stop'] = async () => {
    terminal.interrupt();
    const code = await ended;
    expect(terminal.printed().error).toBe('');
    return { code, out: terminal.printed().out, report: JSON.parse(readFileSync(file, 'utf8')) as ProxyReport };
  };
  return { port, url: `http://127.0.0.1:${port}`, terminal, stop };
}

async function startSecond(options: SecondOptions): Promise<SecondServer> {
  const server = await startSecondServer(options);
  open.push(server.close);
  return server;
}

/** A server of a few lines. */
async function startServer(listener: RequestListener): Promise<{ readonly url: string; readonly port: number; readonly server: Server }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, server };
}

describe('between the example client and the second server', () => {
  it('passes everything with the same bytes, and finds nothing', async () => {
    const { OrderCopy } = (await import('../../../../examples/client/order-copy.js' as string)) as {
      readonly OrderCopy: new (
        url: string,
        key: string,
      ) => { readonly orders: ReadonlyMap<number, unknown>; synchronise(): Promise<void>; details(id: number): Promise<unknown> };
    };
    const server = await startSecond({ api: 'business' });
    const key = server.keys['full'] ?? '';
    const proxy = await startProxy('business', server.url);
    const [direct, proxied] = [new OrderCopy(server.url, key), new OrderCopy(proxy.url, key)];
    for (const copy of [direct, proxied]) {
      await copy.synchronise();
      await copy.synchronise();
      const [first = 0] = copy.orders.keys();
      expect(await copy.details(first)).toEqual(await copy.details(first));
    }
    expect(proxied.orders.size).toBeGreaterThan(20);
    expect(proxied.orders).toEqual(direct.orders);
    const { code, report } = await proxy.stop();
    expect([code, report.findings, report.client.findings]).toEqual([0, [], []]);
    expect(report.exchanges).toBeGreaterThan(3);
    expect(report.client.exercised).toContain('client/checkpoint-served');
  });

  it.each([{}, { gzip: 'yes', chunked: 'yes', 'json-text': 'pretty' }, { connection: 'close', 'head-method': 'as-get', outside: 'html' }])(
    'passes the bytes of each response: %j',
    async (choices) => {
      const server = await startSecond({ api: 'wiki', choices });
      const proxy = await startProxy('wiki', server.url);
      for (const [target, method] of [
        [`${wiki}?limit=3`, 'GET'],
        [`${wiki}?limit=3`, 'HEAD'],
        [`${wiki}/nothing`, 'GET'],
        ['/elsewhere?x=%7B"%20', 'GET'],
        [wiki, 'POST'],
        [wiki, 'OPTIONS'],
      ] as const) {
        const asked = [target, { 'accept-encoding': 'gzip' }, method] as const;
        const [direct, proxied] = [await ask(server, ...asked), await ask(proxy, ...asked)];
        const { date: _, connection: __, 'keep-alive': ___, ...headers } = direct.headers;
        expect(proxied).toMatchObject({ status: direct.status, headers });
        expect(proxied.bytes.equals(direct.bytes)).toBe(true);
      }
    },
  );
});

describe('mistakes', () => {
  it('of both halves and of the sequence are printed as they come and reported at the end', async () => {
    const server = await startSecond({ api: 'business', defects: ['status-unlisted'], choices: { undeclared: 'ignored' } });
    const proxy = await startProxy('business', server.url);
    const full = withKey(server.keys['full']);
    await ask(proxy, `${business.orders}?limit=100`, full);
    await ask(proxy, `${business.orders}?limit=99`, full);
    await ask(proxy, `${business.orders}?limit=0`, full);
    await ask(proxy, `${business.orders}?limit=5&sort=code`, full);
    await ask(proxy, '/api/integrations/v1/order/index.php', full);
    const { code, out, report } = await proxy.stop();
    expect(code).toBe(1);
    expect(out).toMatch(/^ {4}response: data\.orders\[\d+\]\.status is "archived", not one of .*business\.openapi\.yaml:\d+:\d+\)$/m);
    expect(out).toMatch(/^200 GET .*sort=code [\d.]+ ms {2}\(sort is not a parameter of this operation\)$/m);
    expect(out).toMatch(/^404 GET .*did you mean \/api\/integrations\/v1\/orders\/index\.php\?\)$/m);
    expect(out).toMatch(/^ {4}warning client\/declared-parameters: /m);
    const found = report.findings.map(({ half, operation, subject, count, exchange }) => [half, operation, subject, count, exchange]);
    expect(found).toEqual([
      ['response', 'listOrders', 'body /data/orders/*/status enum', expect.any(Number), 1],
      ['request', 'listOrders', 'limit out-of-range', 1, 3],
      ['request', 'listOrders', 'sort undeclared', 1, 4],
      ['request', null, 'undeclared', 1, 5],
    ]);
    expect(report.client.findings).toContainEqual(expect.objectContaining({ rule: 'client/declared-parameters', role: '1' }));
    expect(schemaMistakes(report)).toEqual([]);
    expect(schemaMistakes({ ...report, findings: [{ half: 'third' }] })).not.toEqual([]);
    expect(out).toMatch(/^5 exchanges: 3 mistakes in requests, 1 mistake in responses; 5 requests from the client: 2 warnings/m);
  });

  it('in a body of a request are found, and the body passes', async () => {
    const received: string[] = [];
    const { url } = await startServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      received.push(Buffer.concat(chunks).toString());
      outgoing.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}');
    });
    const contract = join(folder, 'notes.yaml');
    writeFileSync(
      contract,
      `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } } } }
      responses: { '201': { description: Added., content: { application/json: { schema: { type: object, required: [id] } } } } }
`,
    );
    const proxy = await startProxy(contract, url);
    const json = { 'content-type': 'application/json' };
    await ask(proxy, '/notes', json, 'POST', '{"text":"a"}');
    await ask(proxy, '/notes', { ...json, 'transfer-encoding': 'chunked' }, 'POST', '{"text":5}');
    await ask(proxy, '/notes', json, 'POST', 'x'.repeat(2_000_000));
    expect(received.map(({ length }) => length)).toEqual([12, 10, 2_000_000]);
    const { report } = await proxy.stop();
    expect(report.findings).toMatchObject([
      { half: 'request', operation: 'addNote', message: 'The body at /text must be string.', count: 1 },
    ]);
  });
});

describe('keys and personal data', () => {
  it('pass through, and are in no output, in any encoding', async () => {
    const key = 'sk-live-4242-hidden-key';
    const seen: IncomingMessage[] = [];
    const { url } = await startServer((incoming, outgoing) => {
      seen.push(incoming);
      const echo = { echo: key, encoded: Buffer.from(key).toString('base64'), url: incoming.url, access_token: 'short' };
      outgoing.writeHead(401, { 'content-type': 'application/json', 'set-cookie': ['sid=0123456789abcdef; Path=/', 'b=2'] });
      outgoing.end(JSON.stringify({ ok: false, error: { code: 'NO', message: `The key ${key} is unknown.`, request_id: 'r' }, echo }));
    });
    const har = join(folder, 'keys.har');
    const proxy = await startProxy('business', url, ['--har', har]);
    const reply = await ask(proxy, `${business.orders}?api_key=${key}&limit=${key}`, {
      'x-service-api-key': key,
      authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
      cookie: `a=1; sid=${key}`,
      'x-trace': 'seen',
    });
    expect(reply.text).toContain(key);
    expect(reply.headers['set-cookie']).toEqual(['sid=0123456789abcdef; Path=/', 'b=2']);
    expect(seen[0]?.headers).toMatchObject({ 'x-service-api-key': key, cookie: `a=1; sid=${key}`, host: new URL(url).host });
    const { out, report } = await proxy.stop();
    const archive = readFileSync(har, 'utf8');
    expect(archive).not.toContain('short');
    expect(archive).toContain('x-trace');
    const redactor = createRedactor([
      { name: 'KEY', value: key },
      { name: 'SESSION', value: '0123456789abcdef' },
    ]);
    for (const text of [out, JSON.stringify(report), archive]) expect(redactor.find(text)).toBeUndefined();
    expect(report.client.findings.map(({ rule }) => rule)).toContain('client/key-in-header');
  });

  it('hides personal data in the archive, and not on its way', async () => {
    const server = await startSecond({ api: 'business' });
    const har = join(folder, 'personal.har');
    const proxy = await startProxy('business', server.url, ['--har', har]);
    const reply = await ask(proxy, `${business.orders}?limit=1`, withKey(server.keys['full']));
    const name = String(reply.at('/data/orders/0/customer/name'));
    await proxy.stop();
    const archive = readFileSync(har, 'utf8');
    expect([name.length > 3, archive.includes(name), archive.includes('‹personal›')]).toEqual([true, false, true]);
  });

  it('gives each key a number', async () => {
    const server = await startSecond({ api: 'business' });
    const proxy = await startProxy('business', server.url);
    for (const role of ['full', 'other', 'full']) await ask(proxy, `${business.orders}?sort=${role}`, withKey(server.keys[role]));
    await ask(proxy, `${business.orders}?sort=1`, withKey('unknown-key'));
    const { report } = await proxy.stop();
    const found = report.client.findings.filter(({ rule }) => rule === 'client/declared-parameters');
    expect(found.map(({ role, count }) => [role, count])).toEqual([
      ['1', 2],
      ['2', 1],
      ['stranger', 1],
    ]);
  });
});

interface Archive {
  readonly log: { readonly entries: readonly { readonly response: { readonly content: { readonly text: string } } }[] };
}

describe('the archive', () => {
  it('is valid HAR 1.2 after each exchange, with all exchanges and their times', async () => {
    const read = (): Archive => {
      const archive = JSON.parse(readFileSync(file, 'utf8')) as Archive;
      expect(harMistakes(archive)).toEqual([]);
      return archive;
    };
    const server = await startSecond({ api: 'wiki', choices: { gzip: 'yes' } });
    const file = join(folder, 'traffic.har');
    const proxy = await startProxy('wiki', server.url, ['--har', file]);
    expect(read().log.entries).toEqual([]);
    await ask(proxy, `${wiki}?limit=2`, { 'accept-encoding': 'gzip' });
    await ask(proxy, `${wiki}/%C3%A8"<>`);
    await proxy.stop();
    const { entries } = read().log;
    expect(entries).toHaveLength(2);
    expect(JSON.parse(entries[0]?.response.content.text ?? '')).toMatchObject({ ok: true });
    expect(entries[0]).toMatchObject({ request: { url: `${server.url}${wiki}?limit=2` }, timings: { wait: expect.any(Number) } });
  });
});

describe('HTTP', () => {
  const body = JSON.stringify({ text: 'à'.repeat(5000) });
  const replies: Readonly<Record<string, (outgoing: ServerResponse, incoming: IncomingMessage) => void>> = {
    'no content': (outgoing) => outgoing.writeHead(204).end(),
    'not modified': (outgoing) => outgoing.writeHead(304, { etag: '"a"', 'content-length': '50' }).end(),
    gzip: (outgoing) => outgoing.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(gzipSync(body)),
    brotli: (outgoing) => outgoing.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(body)),
    'unknown coding': (outgoing) => outgoing.writeHead(200, { 'content-encoding': 'zebra' }).end('zzz'),
    'wrong coding': (outgoing) => outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
    redirect: (outgoing) => outgoing.writeHead(302, { location: 'https://elsewhere.example/x' }).end(),
    'two cookies': (outgoing) => outgoing.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'x-two': ['1', '2'] }).end('{}'),
    large: (outgoing) => outgoing.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.alloc(20_000_000, 'x')),
    'bytes that are not UTF-8': (outgoing) => outgoing.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0xff, 0xfe, 0])),
  };

  it.each(Object.keys(replies))('%s passes as it is', async (name) => {
    const server = await startServer((incoming, outgoing) => replies[name]?.(outgoing, incoming));
    const proxy = await startProxy('wiki', server.url);
    const [direct, proxied] = [await ask(server, wiki), await ask(proxy, wiki)];
    const { date: _, connection: __, 'keep-alive': ___, ...headers } = direct.headers;
    expect(proxied).toMatchObject({ status: direct.status, headers });
    expect(proxied.bytes.equals(direct.bytes)).toBe(true);
    await proxy.stop();
  });

  it('drops headers that are meant for one connection, and keeps the path of the target', async () => {
    const seen: IncomingMessage[] = [];
    const { url } = await startServer((incoming, outgoing) => {
      seen.push(incoming);
      outgoing.writeHead(200, { connection: 'x-hop', 'x-hop': '1', 'x-kept': '2' }).end('{}');
    });
    const proxy = await startProxy('wiki', `${url}/base`);
    const reply = await ask(proxy, `${wiki}?q=a%20b`, { connection: 'close, x-mine', 'x-mine': '1', te: 'trailers', 'x-other': '2' });
    expect(seen[0]).toMatchObject({ url: `/base${wiki}?q=a%20b`, method: 'GET' });
    expect(seen[0]?.headers).not.toHaveProperty('x-mine');
    expect(seen[0]?.headers).not.toHaveProperty('te');
    expect(seen[0]?.headers).toMatchObject({ 'x-other': '2' });
    expect(reply.headers).not.toHaveProperty('x-hop');
    expect(reply.headers).toMatchObject({ 'x-kept': '2' });
  });

  it('answers 502 with a sentence for a target that cannot be reached, and the exit code is 3', async () => {
    const gone = await startServer(() => undefined);
    await open.pop()?.();
    const proxy = await startProxy('business', gone.url);
    const reply = await ask(proxy, business.orders);
    expect([reply.status, reply.at('/error/message')]).toEqual([
      502,
      expect.stringMatching(/^The target does not answer: nothing listens at http/),
    ]);
    const { code, out, report } = await proxy.stop();
    expect([code, report.exchanges, report.unanswered, report.findings]).toEqual([3, 1, 1, []]);
    expect(out).toMatch(/^502 GET .*The target does not answer/m);
  });

  it('ends a response in the middle where the target does, and does not judge it', async () => {
    const { url } = await startServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      outgoing.write('{"ok":', () => outgoing.destroy());
    });
    const proxy = await startProxy('wiki', url);
    await expect(ask(proxy, wiki)).rejects.toThrow(/aborted|hang up/);
    expect((await proxy.stop()).report).toMatchObject({ exchanges: 1, findings: [] });
  });

  it('stops the request to the target when the client leaves', async () => {
    let left = (): void => undefined;
    const isLeft = new Promise<void>((resolve) => {
      left = resolve;
    });
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { url } = await startServer((incoming) => {
      incoming.socket.once('close', left);
      asked();
    });
    const proxy = await startProxy('wiki', url);
    const outgoing = request({ host: '127.0.0.1', port: proxy.port, path: wiki });
    outgoing.on('error', () => undefined).end();
    await isAsked;
    outgoing.destroy();
    await isLeft;
    expect((await proxy.stop()).report.exchanges).toBe(1);
  });

  it('sends a request again whose kept connection the target had closed', async () => {
    let requests = 0;
    const { url } = await startServer((incoming, outgoing) => {
      requests += 1;
      // Closes the connection as the next request arrives.
      if (requests === 2) incoming.socket.destroy();
      else outgoing.end('{}');
    });
    const proxy = await startProxy('wiki', url);
    expect([(await ask(proxy, wiki)).status, (await ask(proxy, wiki)).status]).toEqual([200, 200]);
    expect(requests).toBe(3);
  });

  it('stops although a response never ends', async () => {
    const { url } = await startServer((_, outgoing) => {
      outgoing.writeHead(200);
      outgoing.write('{');
    });
    const proxy = await startProxy('wiki', url);
    const outgoing = request({ host: '127.0.0.1', port: proxy.port, path: wiki });
    const ended = new Promise((resolve) =>
      outgoing.on('response', (incoming) => incoming.resume().on('error', resolve)).on('error', resolve),
    );
    outgoing.end();
    await once(outgoing, 'response');
    expect((await proxy.stop()).report.exchanges).toBe(1);
    await ended;
  });
});

describe('wrong arguments', () => {
  it.each([
    [['--target', 'http://127.0.0.1:1'], 'touchstone proxy needs a contract'],
    [['wiki'], '--target is missing'],
    [['wiki', '--target', 'api.example.com'], 'the target api.example.com is not a URL'],
    [['wiki', '--target', 'https://user:secret@api.example.com'], 'carries a user or a password'],
    [['wikki', '--target', 'http://127.0.0.1:1'], 'did you mean wiki?'],
    [['wiki', '--target', 'http://127.0.0.1:1', '--port', '99999'], '--port 99999 is not a whole number'],
    [['wiki', '--target', 'http://127.0.0.1:1', '--har', '/nowhere/at/all/\0'], 'cannot be written'],
    [['wiki', '--target', 'http://127.0.0.1:1', '--har', tmpdir()], 'is a folder'],
  ])('%j are an error: %s', async (args, message) => {
    const terminal = createTerminal(false);
    expect(await run(['proxy', ...args], '0.0.0', terminal)).toBe(2);
    expect(terminal.printed().error).toContain(message);
    expect(terminal.printed().error).not.toContain('secret@');
  });
});
