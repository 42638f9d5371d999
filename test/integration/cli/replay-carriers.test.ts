/** `touchstone replay` with keys that travel as a password, in the query or in a cookie. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import type { Replay } from '../../../core/results/replay-result.ts';
import type { ReportedExchange } from '../../../core/results/run-result.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';
import { closeServers, openServer, verifyOnTerminal } from './verifying.ts';

vi.setConfig({ testTimeout: 20_000 });

const folder = mkdtempSync(join(tmpdir(), 'touchstone-carriers-'));
/** Characters that a query, a cookie and base64 each encode differently. */
const key = 'Zk7+odd/marks=in%20Here&more~9';
const variable = 'TEST_CARRIER_KEY';

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeServers();
});
afterAll(() => rmSync(folder, { recursive: true }));

const schemes: Readonly<Record<string, string>> = {
  basic: '{ type: http, scheme: basic }',
  query: '{ type: apiKey, in: query, name: api_key }',
  cookie: '{ type: apiKey, in: cookie, name: sid }',
  header: '{ type: apiKey, in: header, name: X-Key }',
};

/** The key in a request, by its carrier, as a server reads it. */
const carried: Readonly<Record<string, (request: IncomingMessage) => string | null | undefined>> = {
  basic: ({ headers }) => /^:(.*)$/.exec(Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString())?.[1],
  query: ({ url }) => new URL(url ?? '/', 'http://localhost').searchParams.get('api_key'),
  cookie: ({ headers }) => /(?:^|; )sid=(.*)$/.exec(headers.cookie ?? '')?.[1],
  header: ({ headers }) => headers['x-key']?.toString(),
};

/** A contract of one guarded read. */
function writeContract(security: string): string {
  const file = join(folder, `${security.replaceAll(/\W/g, '')}.openapi.yaml`);
  const used = Object.entries(schemes).map(([name, scheme]) => `    ${name}: ${scheme}`);
  const refusal = '{ application/json: { schema: { type: object, required: [why] } } }';
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shelf, version: '1' }
servers: [{ url: 'http://127.0.0.1:4010' }]
paths:
  /shelf:
    get:
      operationId: readShelf
      security: ${security}
      parameters: [{ name: room, in: query, schema: { type: string } }]
      responses:
        '200': { description: Books., content: { application/json: { schema: { type: object, required: [books] } } } }
        '401': { description: No., content: ${refusal} }
components:
  securitySchemes:
${used.join('\n')}
`,
  );
  return file;
}

/** A server that answers 401 unless a request is right, and the requests that it received. */
async function openShelf(
  isRight: (request: IncomingMessage) => boolean,
): Promise<{ readonly url: string; readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const { url } = await openServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(request);
    const status = isRight(request) ? 200 : 401;
    response.writeHead(status, { 'content-type': 'application/json' }).end(status === 200 ? '{}' : '{"why":"no such key"}');
  });
  return { url, asked };
}

interface Report {
  readonly runs: readonly {
    readonly checks: readonly { readonly counterexample?: { readonly exchanges: ReportedExchange[] } }[];
  }[];
}

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function replayed(...args: readonly string[]): Promise<Printed> {
  const terminal = createTerminal();
  return { code: await run(['replay', ...args], '0.0.0', terminal), ...terminal.printed() };
}

const given = ['--key', `full=${variable}`];

/** Forms of a secret that no output may hold. */
function spellings(secret: string): readonly string[] {
  const base64 = [secret, `:${secret}`, `a:${secret}`].map((text) => Buffer.from(text).toString('base64').slice(4, -6));
  return [secret, secret.slice(1, -1), encodeURIComponent(secret), encodeURIComponent(encodeURIComponent(secret)), ...base64];
}

function expectNoKey(...texts: readonly string[]): void {
  for (const secret of [key, key.toUpperCase()])
    for (const text of texts) for (const each of spellings(secret)) expect(text).not.toContain(each);
}

/** Finds what is wrong with the books by a key that is carried in one way. */
async function findMutant(
  carrier: string,
  only: string,
  isRight: (sent: string) => boolean,
): Promise<{ url: string; asked: IncomingMessage[]; report: string }> {
  vi.stubEnv(variable, key);
  const shelf = await openShelf((request) => isRight(carried[carrier]?.(request) ?? ''));
  const report = join(folder, `${carrier}-${only.replace('/', '-')}.json`);
  await verifyOnTerminal(writeContract(`[{ ${carrier}: [] }]`), shelf.url, ...given, '--only', only, '--report', `json=${report}`);
  expectNoKey(readFileSync(report, 'utf8'));
  shelf.asked.length = 0;
  return { ...shelf, report };
}

describe.each(['basic', 'query', 'cookie', 'header'])('a key as %s', (carrier) => {
  test('is sent again as it was, and shown by its name', async () => {
    const { url, asked, report } = await findMutant(carrier, 'response/schema', (sent) => sent === key);
    const { code, out, error } = await replayed(report, ...given, '--json');
    const { checks: rules } = JSON.parse(out) as Replay;
    expect([code, error, rules.map(({ verdict }) => verdict)]).toEqual([1, '', ['stands']]);
    expect(rules.flatMap(({ exchanges }) => exchanges.map(({ now }) => now?.response.status))).toEqual([200]);
    expect(asked.map((request) => carried[carrier]?.(request))).toEqual(asked.map(() => key));
    expect(asked.length).toBeGreaterThan(1);
    const shown = await replayed(report, ...given);
    expect(shown.out).toMatch(new RegExp(`counterexample at ${url}\\n[\\s\\S]*1 still stands`));
    expectNoKey(out, shown.out, shown.error);
  });

  test('may have been changed meanwhile', async () => {
    const newKey = `${key}-of-another-length`;
    const { asked, report } = await findMutant(carrier, 'response/schema', (sent) => sent === key || sent === newKey);
    vi.stubEnv(variable, newKey);
    const { code, out } = await replayed(report, ...given, '--json');
    expect([code, (JSON.parse(out) as Replay).checks[0]?.exchanges[0]?.now?.response.status]).toEqual([1, 200]);
    expect(asked.map((request) => carried[carrier]?.(request))).toEqual(asked.map(() => newKey));
    expect(out).not.toContain(newKey);
  });

  test('may come from another variable, since its role names it', async () => {
    const { asked, report } = await findMutant(carrier, 'response/schema', (sent) => sent === key);
    vi.stubEnv('TEST_OTHER_KEY', key);
    const { out } = await replayed(report, '--key', 'full=TEST_OTHER_KEY', '--json');
    const [exchange] = (JSON.parse(out) as Replay).checks[0]?.exchanges ?? [];
    expect([exchange?.reason, exchange?.now?.response.status]).toEqual([undefined, 200]);
    expect(asked.filter((request) => carried[carrier]?.(request) !== key)).toEqual([]);
    expectNoKey(out);
  });

  test('of a role that nothing names now is asked for, and nothing is sent in its place', async () => {
    const { asked, report } = await findMutant(carrier, 'response/schema', (sent) => sent === key);
    const document = JSON.parse(readFileSync(report, 'utf8')) as Report;
    for (const { call } of document.runs.flatMap(({ checks }) => checks).flatMap(({ counterexample }) => counterexample?.exchanges ?? []))
      Object.assign(call?.key ?? {}, { role: 'other' });
    writeFileSync(report, JSON.stringify(document));
    const { out } = await replayed(report, ...given, '--json');
    const [exchange] = (JSON.parse(out) as Replay).checks[0]?.exchanges ?? [];
    expect(exchange).toMatchObject({ reason: 'it was sent with the key of the role other; give it with --key other=VARIABLE' });
    expect(exchange?.now).toBeUndefined();
    expect(asked.filter((request) => carried[carrier]?.(request) !== key)).toEqual([]);
    expectNoKey(out);
  });
});

test.each(['query', 'header', 'cookie'])('a key that is nearly right is sent again, too: %s', async (carrier) => {
  const { asked, report } = await findMutant(carrier, 'keys/unknown', (sent) => sent.toLowerCase() === key.toLowerCase());
  const { code, out } = await replayed(report, ...given, '--json');
  const { checks: rules } = JSON.parse(out) as Replay;
  expect([code, rules.flatMap(({ exchanges }) => exchanges.map(({ now }) => now?.response.status))]).toEqual([1, [200]]);
  const [first] = asked;
  expect(first === undefined ? undefined : carried[carrier]?.(first)?.toLowerCase()).toBe(key.toLowerCase());
  expect(first === undefined ? undefined : carried[carrier]?.(first)).not.toBe(key);
  expectNoKey(out);
  vi.stubEnv('TEST_OTHER_KEY', key);
  asked.length = 0;
  const other = await replayed(report, '--key', 'full=TEST_OTHER_KEY', '--json');
  const [exchange] = (JSON.parse(other.out) as Replay).checks[0]?.exchanges ?? [];
  expect(exchange?.reason).toMatch(/^it was sent with .*\$TEST_CARRIER_KEY.*, and no --key names that variable$/);
  expect(exchange?.now).toBeUndefined();
  expectNoKey(other.out);
});

test('of several carriers, each request keeps its own', async () => {
  vi.stubEnv(variable, key);
  const { url, asked } = await openShelf((request) => ['header', 'basic', 'query'].some((each) => carried[each]?.(request) === key));
  const report = join(folder, 'several.json');
  const contract = writeContract('[{ header: [] }, { basic: [] }, { query: [] }]');
  await verifyOnTerminal(contract, url, ...given, '--only', 'response/schema', '--report', `json=${report}`);
  const document = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const example = document.runs[0]?.checks.find(({ counterexample }) => counterexample !== undefined)?.counterexample;
  example?.exchanges.push(
    {
      request: { method: 'GET', target: '/shelf?room=1', headers: { authorization: `Basic O$${variable}==` } },
      response: { status: 200, headers: {}, body: '{}' },
      call: { operation: 'readShelf', values: { room: '1' }, key: { role: 'full', carrier: 1 }, variables: [] },
    },
    {
      request: { method: 'GET', target: `/shelf?room=2&api_key=$${variable}`, headers: {} },
      response: { status: 200, headers: {}, body: '{}' },
      call: { operation: 'readShelf', raw: ['room=2'], key: { role: 'full', carrier: 2 }, variables: [] },
    },
  );
  writeFileSync(report, JSON.stringify(document));
  asked.length = 0;
  const { out } = await replayed(report, ...given, '--json');
  const by = (target: string): IncomingMessage | undefined => asked.find(({ url: sent }) => sent?.startsWith(target));
  const [second, third] = [by('/shelf?room=1'), by('/shelf?room=2')];
  expect(second === undefined ? undefined : carried['basic']?.(second)).toBe(key);
  expect(third === undefined ? undefined : [carried['query']?.(third), carried['header']?.(third)]).toEqual([key, undefined]);
  expectNoKey(out);
});

test.each([
  ['a personal value', { target: '/shelf?room=‹personal›', headers: {} }],
  ['a secret without a name', { target: '/shelf', headers: { 'x-key': '‹secret›' } }],
])('what the report hides is not sent: %s', async (_, request) => {
  const { asked, report } = await findMutant('header', 'response/schema', (sent) => sent === key);
  const document = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const example = document.runs[0]?.checks.find(({ counterexample }) => counterexample !== undefined)?.counterexample;
  example?.exchanges.splice(0, 1, { request: { method: 'GET', ...request }, response: { status: 200, headers: {}, body: '{}' } });
  writeFileSync(report, JSON.stringify(document));
  const { out } = await replayed(report, ...given, '--json');
  expect((JSON.parse(out) as Replay).checks[0]?.exchanges[0]?.reason).toMatch(
    /^the report hides the values that it was sent with; .*--show-personal/,
  );
  expect(asked.map(({ url }) => url)).toEqual(asked.map(() => '/shelf'));
});
