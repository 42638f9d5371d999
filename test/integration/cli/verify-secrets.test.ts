/** No output of `verify` holds a key, however a target sends it back: not the summary, not the progress, not the report, not an error. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { closeServers, openServer, verifyOnTerminal } from './verifying.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Keys with characters that each encoding writes differently. */
const secrets = { FULL: 'sk_Live+9/Zx=Qy7~mN2pLw&K', OTHER: 'tenant<two>"key"%41%5f-8831', GATE: 'gate:Pa55 word/é?' } as const;

const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded whole': percent,
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of more': (text) => Buffer.from(`user:${text}`).toString('base64'),
  hexadecimal: hex,
  HTML: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  'JSON escapes': (text) => [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
};

/** Forms of a secret that no output may hold: encodings, also inside JSON, and pieces that rewriting does not hide. */
const forbidden: ReadonlyMap<string, string> = new Map(
  Object.values(secrets).flatMap((secret) =>
    Object.entries(encodings).flatMap(([name, encode]) => {
      const text = encode(secret);
      return [
        [text, `${name} of ${secret}`],
        [text.toUpperCase(), `${name} of ${secret} in capitals`],
        [JSON.stringify(text).slice(1, -1), `${name} of ${secret} in JSON`],
      ] as const;
    }),
  ),
);

let folder: string;
let mock: RunningMock;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-secrets-'));
  mock = await startMock({ contracts: ['business'] });
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(`PLANTED_${name}`, value);
});
afterEach(closeServers);
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await mock.close();
});

/** Verifies, and returns everything that was printed or written. */
async function outputsOf(url: string, more: readonly string[] = []): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'report.json');
  const { code, out, error } = await verifyOnTerminal(
    ...(['business', url, '--key', 'full=PLANTED_FULL', '--key', 'other=PLANTED_OTHER'] as const),
    ...['--header', 'X-Gate=PLANTED_GATE', '--show-personal', '--report', `json=${file}`, '--quick', ...more],
  );
  // Any verdict on such a target is fine, but an internal error is not.
  expect(code).not.toBe(2);
  return { out, error, report: readFileSync(file, 'utf8') };
}

function leaksIn(outputs: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(outputs).flatMap(([name, text]) =>
    [...forbidden].flatMap(([secret, what]) => (text.includes(secret) ? [`${name} holds the ${what}`] : [])),
  );
}

type Answer = (request: IncomingMessage, response: ServerResponse, planted: string) => void;

const inFields: Answer = (_request, response, planted) => {
  const order = { id: 1, code: planted, status: planted, customer: { name: planted }, [planted]: planted };
  const page = { has_more: true, next_cursor: planted };
  response
    .writeHead(200, { 'content-type': 'application/json', 'x-echo': encodeURIComponent(planted) })
    .end(JSON.stringify({ ok: planted, data: { orders: [order], reservations: [order], page } }));
};

const answers: readonly Answer[] = [
  inFields,
  (_request, response, planted) => {
    response
      .writeHead(500, { 'content-type': 'application/json', 'x-debug': planted })
      .end(JSON.stringify({ error: { code: planted, message: `bad key ${planted}`, request_id: planted } }));
  },
  (request, response, planted) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="?k=${planted}">${request.url}</a>`);
  },
  (_request, response, planted) => {
    response.writeHead(302, { location: `https://login.example/${planted}/?back=${planted}` }).end();
  },
];

/** Sends every key back in these encodings, to a run with further options. */
async function plant(
  answer: Answer,
  encode: readonly ((text: string) => string)[],
  more: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const planted = encode.flatMap((each) => Object.values(secrets).map(each)).join(' ');
  // A header field takes Latin-1 only.
  const { url } = await openServer((request, response) => answer(request, response, planted.replaceAll(/[^\u0020-\u00ff]/g, '')));
  return await outputsOf(url, more);
}

describe('a target that sends keys back', () => {
  it('percent-encoded, to all rules, in each field of a success', async () => {
    expect(leaksIn(await plant(inFields, [encodeURIComponent]))).toEqual([]);
  });

  it('in all encodings, to some rules, in fields, errors, pages and redirects by turns', async () => {
    let answered = 0;
    const byTurns: Answer = (...exchange) => answers[answered++ % answers.length]?.(...exchange);
    expect(leaksIn(await plant(byTurns, Object.values(encodings), ['--budget', '24']))).toEqual([]);
    expect(answered).toBeGreaterThan(answers.length * 3);
  });

  it.each(Object.entries(encodings))('would be noticed %s', (_, encode) => {
    for (const secret of Object.values(secrets)) expect(leaksIn({ out: `before ${encode(secret)} after` })).not.toEqual([]);
  });
});

describe('a target that keeps its contract but for the key that it sends back', () => {
  it('shows the name of the variable in its place', async () => {
    const server = await openServer(async (request, response) => {
      const sent = request.headers['x-service-api-key'] ?? request.headers.authorization?.replace(/^Bearer /, '');
      const role = sent === secrets.FULL ? 'full' : sent === secrets.OTHER ? 'other' : undefined;
      const key = role === undefined ? undefined : mock.keys[role];
      const answer = await fetch(`${mock.url}${request.url}`, { headers: key === undefined ? {} : { 'x-service-api-key': key } });
      const text = (await answer.text()).replace('"channel":"table"', `"channel":${JSON.stringify(`table ${secrets.FULL}`)}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
    });
    const outputs = await outputsOf(server.url, ['--only', 'response/*', '--only', 'filters/*', '--only', 'keys/*']);
    expect(leaksIn(outputs)).toEqual([]);
    expect(outputs['report']).toContain('table $PLANTED_FULL');
    expect(outputs['out']).toContain('X-Gate: $PLANTED_GATE');
  });
});
