/** The process of Pact's verifier: its input, its environment, and its errors. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startPactVerifier } from '../../../../../contracts/pact/verify/pact-verifier-process.ts';
import { UsageError } from '../../../../../core/errors.ts';
import type { HttpRequest, HttpResponse } from '../../../../../core/http/exchange.ts';
import type { JsonObject } from '../../../../../core/json.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-pact-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A package in place of Pact, with this verifier. */
function packageThat(name: string, body: string): string {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, `exports.Verifier = class { constructor(options) { this.options = options; } async verifyProvider() { ${body} } };`);
  return file;
}

const nobody = async (): Promise<HttpResponse> => ({ status: 500, headers: {}, body: '' });

async function verifyWith(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  answer: (request: HttpRequest) => Promise<HttpResponse> = nobody,
): Promise<JsonObject> {
  const pact = startPactVerifier(environment, file);
  try {
    return await pact.verify({ interactions: [] }, answer);
  } finally {
    pact.close();
  }
}

describe('the process of Pact', () => {
  it('has its usage statistics switched off, and knows neither keys nor proxies', async () => {
    const file = packageThat('env', 'return JSON.stringify(process.env);');
    const environment = await verifyWith(file, { FULL_KEY: 'secret', HTTP_PROXY: 'http://proxy', PATH: '/bin', HOME: '/home/somebody' });
    expect(environment).toMatchObject({ PACT_DO_NOT_TRACK: '1', PATH: '/bin', HOME: '/home/somebody' });
    expect(Object.keys(environment).filter((name) => /KEY|PROXY/i.test(name))).toEqual([]);
  });

  it('sends its requests to us instead of the target', async () => {
    const ask = `const answer = await new Promise((resolve) => {
      const response = { writeHead: (status, headers) => { response.head = { status, headers }; }, end: (body) => resolve({ ...response.head, body }) };
      this.options.requestFilter({ method: 'GET', originalUrl: '/things?a=1', headers: { accept: 'x' } }, response, () => resolve('next'));
    }); return JSON.stringify({ answer });`;
    const asked: HttpRequest[] = [];
    const verdict = await verifyWith(packageThat('ask', ask), {}, async (request) => {
      asked.push(request);
      return { status: 304, headers: { etag: '"1"', 'content-length': '9', connection: 'close' }, body: 'never' };
    });
    expect(asked).toEqual([{ kind: 'request', method: 'GET', target: '/things?a=1', headers: { accept: 'x' } }]);
    expect(verdict).toEqual({ answer: { status: 304, headers: { etag: '"1"' }, body: '' } });
  });

  it('ends with the parent process', async () => {
    const pact = startPactVerifier({}, packageThat('wait', 'await new Promise((resolve) => setTimeout(resolve, 600_000));'));
    const verdict = pact.verify({ interactions: [] }, nobody);
    pact.close();
    await expect(verdict).rejects.toThrow(/ended \((?:killed|\d+)\) before it had a verdict/);
  });

  it('needs an installed package', () => {
    const open = (): unknown => startPactVerifier({}, '@pact-foundation/not-installed');
    expect(open).toThrow(UsageError);
    expect(open).toThrow(/is not installed; run npm install --save-dev @pact-foundation\/not-installed@16$/);
  });

  it.each([
    ['is no verifier', 'return "no JSON";', 'could not verify'],
    ['throws', "throw new Error('out of order');", 'could not verify: out of order; install'],
    ['ends', 'process.exit(7);', 'ended (7) before it had a verdict'],
  ])('is reported if it %s', async (name, body, message) => {
    const run = verifyWith(packageThat(name.replaceAll(' ', '-'), body));
    await expect(run).rejects.toBeInstanceOf(UsageError);
    await expect(run).rejects.toThrow(message);
  });
});
