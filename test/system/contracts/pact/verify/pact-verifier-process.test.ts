/** The process of Pact's verifier: its input, its environment, and its errors. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startPactVerifier } from '../../../../../contracts/pact/verify/pact-verifier-process.ts';
import { UsageError } from '../../../../../core/errors.ts';
import type { HttpResponse } from '../../../../../core/http/exchange.ts';
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

async function compareWith(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  responses: ReadonlyMap<number, HttpResponse> = new Map(),
): Promise<JsonObject> {
  const pact = startPactVerifier(environment, file);
  try {
    return await pact.compare({ interactions: [] }, responses);
  } finally {
    pact.close();
  }
}

describe('the process of Pact', () => {
  it('has its usage statistics switched off, and knows neither keys nor proxies', async () => {
    const file = packageThat('env', 'return JSON.stringify(process.env);');
    const environment = await compareWith(file, { FULL_KEY: 'secret', HTTP_PROXY: 'http://proxy', PATH: '/bin', HOME: '/home/somebody' });
    expect(environment).toMatchObject({ PACT_DO_NOT_TRACK: '1', PATH: '/bin', HOME: '/home/somebody' });
    expect(Object.keys(environment).filter((name) => /KEY|PROXY/i.test(name))).toEqual([]);
  });

  it('gets the responses of the target instead of asking it', async () => {
    const ask = `const answer = (path) => new Promise((resolve) => {
      const response = { writeHead: (status, headers) => { response.head = { status, headers }; }, end: (body) => resolve({ ...response.head, body }) };
      this.options.requestFilter({ method: 'GET', originalUrl: path, headers: {} }, response, () => resolve('next'));
    }); return JSON.stringify({ first: await answer('/1'), second: await answer('/2'), own: await answer('/_pactSetup') });`;
    const responses = new Map([
      [1, { status: 304, headers: { etag: '"1"', 'content-length': '9', connection: 'close' }, body: 'never' }],
      [2, { status: 200, headers: {}, body: '{}' }],
    ]);
    expect(await compareWith(packageThat('ask', ask), {}, responses)).toEqual({
      first: { status: 304, headers: { etag: '"1"' }, body: '' },
      second: { status: 200, headers: {}, body: '{}' },
      own: 'next',
    });
  });

  it('ends with the parent process', async () => {
    const pact = startPactVerifier({}, packageThat('wait', 'await new Promise((resolve) => setTimeout(resolve, 600_000));'));
    const verdict = pact.compare({ interactions: [] }, new Map());
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
    const run = compareWith(packageThat(name.replaceAll(' ', '-'), body));
    await expect(run).rejects.toBeInstanceOf(UsageError);
    await expect(run).rejects.toThrow(message);
  });
});
