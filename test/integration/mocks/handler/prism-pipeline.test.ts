/** Prism: preferred answers of the mock, and the contract files in an unchanged Prism. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { contractFile } from '../../../../core/shipped-files.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask, type Reply } from '../../../helpers/plain-client.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';

/** A target of each operation, with its required parameters. */
const targets: Readonly<Record<string, string>> = {
  getIdentity: business.identity,
  getMenuManifest: business.manifest,
  getMenu: business.menu,
  listOrders: business.orders,
  getOrder: `${business.order}?id=4711`,
  listReservations: business.reservations,
  getReservation: `${business.reservation}?id=9021`,
  listEntries: wiki,
  getEntry: `${wiki}/lupo-di-sale`,
};

const contracts = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));

/** Every documented answer of every operation. */
const documented = contracts.flatMap((contract) =>
  contract.operations.flatMap((operation) =>
    [...operation.responses].map(([status, response]) => ({
      operation,
      target: targets[operation.id] ?? '',
      status: Number(status),
      response,
    })),
  ),
);

describe('a preferred answer', async () => {
  const mock = await startJudgedMock();
  afterAll(() => mock.close());

  it('exists for every status that any operation documents, and needs no key', async () => {
    expect(documented.length).toBeGreaterThan(50);
    for (const { target, status } of documented) {
      const reply = await ask(mock, target, { prefer: `code=${status}` });
      expect([target, reply.status]).toEqual([target, status]);
      expect(reply.bytes.length > 0).toBe(status !== 304);
    }
    await mock.verify();
  });

  it('exists for every named example, with a new request id', async () => {
    const named = documented.flatMap((each) => [...each.response.examples].map(([name, example]) => ({ ...each, name, example })));
    expect(named.length).toBeGreaterThan(50);
    for (const { target, status, name, example } of named) {
      const reply = await ask(mock, target, { prefer: `code=${status}, example="${name}"` });
      expect(withoutIdentifier(reply.at())).toEqual(withoutIdentifier(example.value));
    }
    await mock.verify();
  });

  it('has Preference-Applied (RFC 7240 §3)', async () => {
    const reply = await ask(mock, wiki, { prefer: 'code=403' });
    expect(reply.headers['preference-applied']).toBe('code=403');
    expect((await ask(mock, wiki)).headers).not.toHaveProperty('preference-applied');
  });

  it('has a new request id each time', async () => {
    const identifiers = [];
    for (let count = 0; count < 3; count += 1)
      identifiers.push((await ask(mock, business.orders, { prefer: 'code=429' })).at('/error/request_id'));
    expect(new Set(identifiers).size).toBe(3);
  });

  it('with 401 has WWW-Authenticate (RFC 9110 §11.6.1)', async () => {
    expect((await ask(mock, business.orders, { prefer: 'code=401' })).headers['www-authenticate']).toMatch(/^Bearer /);
    expect((await ask(mock, wiki, { prefer: 'code=401' })).headers['www-authenticate']).toBeDefined();
  });

  it('with 429 has Retry-After', async () => {
    expect((await ask(mock, business.orders, { prefer: 'code=429' })).headers['retry-after']).toBe('30');
  });

  it.each([
    'code=418',
    'code=abc',
    'code=',
    'code=4040',
    'example=nothing-of-that-name',
    'code=200, example=nothing-of-that-name',
    'return=minimal',
    'dynamic=false',
  ])('is ignored when it cannot be given: %s (RFC 7240 §2)', async (prefer) => {
    const key = mock.keys['full'];
    const [preferred, plain] = [
      await ask(mock, `${business.orders}?limit=2`, withKey(key, { prefer })),
      await ask(mock, `${business.orders}?limit=2`, withKey(key)),
    ];
    expect(preferred.status).toBe(200);
    expect(preferred.text).toBe(plain.text);
    expect((await ask(mock, business.orders, { prefer })).status).toBe(401);
    await mock.verify();
  });

  it.each(['text/html', 'garbage'])('ignores Accept, such as %s', async (accept) => {
    expect((await ask(mock, wiki, { prefer: 'code=403', accept })).status).toBe(403);
    expect((await ask(mock, wiki, { accept })).status).toBe(200);
  });

  it.each(['dynamic=true', 'code=401, dynamic=true'])('may be generated, and matches its schema: %s', async (prefer) => {
    for (const target of Object.values(targets)) {
      const reply = await ask(mock, target, { prefer });
      expect(reply.status).toBe(prefer.startsWith('code') ? 401 : 200);
      expect((await ask(mock, target, { prefer })).text).toBe(reply.text);
    }
    await mock.verify();
  });

  it('does not load the generators of Prism, which takes seconds', async () => {
    await ask(mock, wiki, { prefer: 'dynamic=true' });
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    expect(loaded.filter((file) => file.includes('NegotiatorHelpers'))).toHaveLength(1);
    expect(loaded.filter((file) => /faker|json-schema-faker|http-spec|prism-http.dist.mocker.(?!negotiator|errors)/.test(file))).toEqual(
      [],
    );
  });
});

function withoutIdentifier(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/("request_id":)"[^"]*"/, '$1"?"')) as unknown;
}

describe('an unchanged Prism', () => {
  const programs: ChildProcess[] = [];
  afterAll(() => {
    for (const program of programs) program.kill('SIGKILL');
  });

  it('serves the documented examples of a contract', { timeout: 60_000 }, async () => {
    const port = await freePort();
    const cli = fileURLToPath(new URL('../../../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
    const prism = spawn(process.execPath, [cli, 'mock', '--port', String(port), contractFile('business')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    programs.push(prism);
    await untilPrinted(prism, 'is listening');
    const headers = { 'x-service-api-key': 'any', 'if-none-match': '"x"' };
    for (const { target, status, response } of documented.filter(({ operation }) => contracts[0]?.operations.includes(operation))) {
      const reply: Reply = await ask({ port }, target, { ...headers, prefer: `code=${status}` });
      expect([target, reply.status]).toEqual([target, status]);
      const [example] = response.examples.values();
      if (example !== undefined) expect(reply.at()).toEqual(example.value);
    }
    expect((await ask({ port }, '/nothing', headers)).status).toBe(404);
  });
});

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function untilPrinted(program: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    for (const stream of [program.stdout, program.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes(text)) resolve();
      });
    }
    program.once('exit', (code) => reject(new Error(`the program ended with ${code} and had printed:\n${printed}`)));
  });
}
