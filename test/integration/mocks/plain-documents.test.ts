/** Small documents without annotations over HTTP: any bytes, browsers, framing headers, and the line to try. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { firstCurl } from '../../../cli/mock/first-curl.ts';
import { type MockOptions, type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { jsonExample } from '../../helpers/plain-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-plain-'));
const mocks: RunningMock[] = [];
afterAll(async () => {
  await Promise.all(mocks.map((mock) => mock.close()));
  rmSync(folder, { recursive: true });
});

async function serve(paths: string, more = '', options: MockOptions = {}): Promise<RunningMock> {
  const file = join(folder, `document-${mocks.length}.yaml`);
  writeFileSync(file, `openapi: 3.1.0\ninfo: { title: Plain, version: '1' }\n${more}\npaths:\n${paths}`);
  const mock = await startMock({ contracts: [file], ...options });
  mocks.push(mock);
  return mock;
}

describe('a body', async () => {
  const mock = await serve(
    `
  /file:
    put: { requestBody: { required: true, content: { application/octet-stream: { schema: { type: string, format: binary } } } }, responses: { '200': ${jsonExample('ok')} } }
  /form:
    post: { requestBody: { required: true, content: { multipart/form-data: { schema: { type: object, required: [file], properties: { file: { type: string, format: binary } } } } } }, responses: { '200': ${jsonExample('ok')} } }
`,
    '',
    { maxBodyBytes: 100_000 },
  );

  it('may be any bytes', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'a.bin');
    expect(
      (await fetch(`${mock.url}/file`, { method: 'PUT', body: bytes, headers: { 'content-type': 'application/octet-stream' } })).status,
    ).toBe(200);
    expect((await fetch(`${mock.url}/form`, { method: 'POST', body: form })).status).toBe(200);
  });

  it('has a bound that can be set', async () => {
    const response = await fetch(`${mock.url}/file`, {
      method: 'PUT',
      body: 'x'.repeat(100_001),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('--max-body');
  });
});

describe('a browser', async () => {
  const mock = await serve(
    `
  /me:
    get: { security: [{ sid: [] }], responses: { '200': { description: x, headers: { X-Left: { schema: { type: integer } } }, content: { application/json: { example: 1 } } } } }
    options: { responses: { '200': ${jsonExample('options')} } }
`,
    'components: { securitySchemes: { sid: { type: apiKey, in: cookie, name: sid } } }',
  );
  const origin = 'http://page.test';

  it('may send cookies, and read the documented headers', async () => {
    const { status, headers } = await fetch(`${mock.url}/me`, { headers: { origin, cookie: 'sid=1' } });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-expose-headers')).toContain('x-left');
    expect(headers.get('vary')).toContain('Origin');
  });

  it('gets the answer of the mock to its preflight, and a client that of the document to OPTIONS', async () => {
    const preflight = await fetch(`${mock.url}/me`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } });
    expect([preflight.status, preflight.headers.get('access-control-allow-credentials')]).toEqual([204, 'true']);
    expect(await (await fetch(`${mock.url}/me`, { method: 'OPTIONS' })).json()).toBe('options');
  });
});

describe('a response', async () => {
  const header = (name: string, value: string): string =>
    `{ description: x, headers: { ${name}: { schema: { type: string, example: ${value} } } }, content: { application/json: { example: { a: 1 } } } }`;
  const mock = await serve(`
  /gzip: { get: { responses: { '200': ${header('Content-Encoding', 'gzip')} } } }
  /br: { get: { responses: { '200': ${header('Content-Encoding', 'br')} } } }
  /chunked: { get: { responses: { '200': ${header('Transfer-Encoding', 'chunked')} } } }
  /length: { get: { responses: { '200': ${header('Content-Length', "'1'")} } } }
  /png: { get: { responses: { '200': { description: x, content: { image/png: { schema: { type: string, format: binary } } } } } } }
`);

  it.each(['/gzip', '/br', '/chunked', '/length'])('is readable whatever its document says of its framing: %s', async (path) => {
    expect(await (await fetch(`${mock.url}${path}`)).json()).toEqual({ a: 1 });
  });

  it('has the bytes of its type', async () => {
    const response = await fetch(`${mock.url}/png`);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await response.arrayBuffer()).subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  });
});

describe('a path', async () => {
  const mock = await serve(
    `
  /a: { servers: [{ url: /item }], get: { servers: [{ url: 'https://api.test/operation/' }], responses: { '200': ${jsonExample('a')} } } }
`,
    'servers: [{ url: https://api.test/base }]',
  );

  it.each(['/a', '/base/a', '/item/a', '/operation/a'])('may begin with the path of a server: %s', async (path) => {
    expect(await (await fetch(`${mock.url}${path}`)).json()).toBe('a');
  });
});

describe('the line to try', () => {
  const secured =
    'components: { securitySchemes: { basic: { type: http, scheme: basic }, digest: { type: http, scheme: digest }, key: { type: apiKey, in: query, name: key } } }';

  it.each([
    [`  /made: { post: { responses: { '201': { description: Made. } } } }`],
    [
      `  /q/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, { name: a, in: query, required: true, schema: { enum: [x y] } }], responses: { '200': ${jsonExample(1)} } } }`,
    ],
    [
      `  /b: { post: { requestBody: { required: true, content: { application/json: { schema: { type: object, required: [n], properties: { n: { type: string, example: "it's" } } } } } }, responses: { '200': ${jsonExample(1)} } } }`,
    ],
    [
      `  /f: { post: { requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { type: object, required: [n], properties: { n: { type: array, items: { enum: [a] } } } } } } }, responses: { '200': ${jsonExample(1)} } } }`,
    ],
    [`  /s: { get: { security: [{ basic: [], key: [] }], responses: { '200': ${jsonExample(1)} } } }`],
    [`  /d: { get: { security: [{ digest: [] }], responses: { '200': ${jsonExample(1)} } } }`],
  ])('runs as printed: %s', async (paths) => {
    const line = firstCurl(await serve(paths, secured));
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -o /dev/null -w '%{http_code}'`]);
    expect([line, stdout]).toEqual([line, expect.stringMatching(/^20[01]$/)]);
  });
});
